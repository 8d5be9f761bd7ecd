// Elements and SVG shapes. Text from data only ever becomes textContent.

const SVG = "http://www.w3.org/2000/svg";

export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "text") element.textContent = value;
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children);
  return element;
}

function setAttributes(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
}

// An SVG element with its attributes and children.
export function shape(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  setAttributes(element, attributes);
  element.append(...children);
  return element;
}

// A small drawing for legends and icons. shapes: [tag, attributes].
export function svg(box, ...shapes) {
  return shape("svg", { viewBox: box, "aria-hidden": "true" }, ...shapes.map(([tag, attributes]) => shape(tag, attributes)));
}

const ICONS = {
  play: "M7 4.5v15l12-7.5z",
  pause: "M6.5 4.5h4v15h-4zM13.5 4.5h4v15h-4z",
  back: "M6 5h2.5v14H6zM19 5v14l-10-7z",
  forward: "M15.5 5H18v14h-2.5zM5 5v14l10-7z",
  restart: "M12 5V1.5L6.5 6 12 10.500V7a6 6 0 1 1-6 6H4a8 8 0 1 0 8-8z",
  camera: "M9 4 7.500 6.500H4A1.500 1.500 0 0 0 2.500 8v10.500A1.500 1.500 0 0 0 4 20h16a1.500 1.500 0 0 0 1.500-1.500V8A1.500 1.500 0 0 0 20 6.500h-3.500L15 4zM12 9a4.200 4.200 0 1 1 0 8.400A4.200 4.200 0 0 1 12 9z",
  full: "M4 4h6v2H6v4H4zM14 4h6v6h-2V6h-4zM4 14h2v4h4v2H4zM18 14h2v6h-6v-2h4z",
  zoom: "M10 3a7 7 0 1 0 4.200 12.600l5.100 5.100 1.400-1.400-5.100-5.100A7 7 0 0 0 10 3zm0 2a5 5 0 1 1 0 10 5 5 0 0 1 0-10zM9 7h2v2h2v2h-2v2H9v-2H7V9h2z",
  pan: "M12 2l3.500 4H13v5h5V8.500l4 3.500-4 3.500V13h-5v5h2.500L12 22l-3.500-4H11v-5H6v2.500L2 12l4-3.500V11h5V6H8.500z",
  share: "M18 16a3 3 0 0 0-2.200 1L8.900 13a3 3 0 0 0 0-2l6.900-4A3 3 0 1 0 15 5c0 .300 0 .500.100.700L8.200 9.700a3 3 0 1 0 0 4.600l7 4A3 3 0 1 0 18 16z",
  close: "M6.400 5 12 10.600 17.600 5 19 6.400 13.400 12 19 17.600 17.600 19 12 13.400 6.400 19 5 17.600 10.600 12 5 6.400z",
  reset: "M12 3 2.500 11.500H5.500V20H10V14.500H14V20H18.500V11.500H21.500z",
};

export function icon(name) {
  return svg("0 0 24 24", ["path", { d: ICONS[name], fill: "currentColor" }]);
}

export function button(name, iconName, help) {
  return h("button", { type: "button", "aria-label": name, title: help, class: "icon" }, icon(iconName));
}

const refuse = (event) => event.currentTarget.ariaDisabled === "true" && event.stopImmediatePropagation();

// Say that a button can be pressed, or cannot. Unlike one with the attribute `disabled`, it keeps the focus, and so no key is lost.
export function setDisabled(button, disabled) {
  if (button.ariaDisabled === String(disabled)) return;
  button.ariaDisabled = disabled;
  button.addEventListener("click", refuse, { capture: true }); // before all others; adding it again does nothing
}

// Set a text or a data attribute only if it differs: setting the same again would still cost a layout.
export function setText(element, text) {
  if (element.shown !== text) {
    element.shown = text;
    element.textContent = text;
  }
}

export function setData(element, name, value) {
  if (element.dataset[name] !== String(value)) element.dataset[name] = value;
}

// Move an element that is positioned at the top left of its container to (x, y) pixels.
export function place(element, x, y) {
  const at = `translate(${x.toFixed(1)}px,${y.toFixed(1)}px)`;
  if (element.at !== at) {
    element.at = at;
    element.style.transform = at;
  }
}
