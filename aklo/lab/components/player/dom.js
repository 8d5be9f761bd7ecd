// Small helpers: elements, icons, numbers and axes. Text from data only ever becomes textContent.

const SVG = "http://www.w3.org/2000/svg";
const MINUS = "−";

function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "text") element.textContent = value;
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children);
  return element;
}

function svg(box, ...shapes) {
  const element = document.createElementNS(SVG, "svg");
  element.setAttribute("viewBox", box);
  element.setAttribute("aria-hidden", "true");
  for (const [tag, attributes] of shapes) {
    const shape = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) shape.setAttribute(name, value);
    element.append(shape);
  }
  return element;
}

const ICONS = {
  play: "M7 4.5v15l12-7.5z",
  pause: "M6.5 4.5h4v15h-4zM13.5 4.5h4v15h-4z",
  back: "M6 5h2.5v14H6zM19 5v14l-10-7z",
  forward: "M15.5 5H18v14h-2.5zM5 5v14l10-7z",
  restart: "M12 5V1.5L6.5 6 12 10.500V7a6 6 0 1 1-6 6H4a8 8 0 1 0 8-8z",
  camera: "M9 4 7.500 6.500H4A1.500 1.500 0 0 0 2.500 8v10.500A1.500 1.500 0 0 0 4 20h16a1.500 1.500 0 0 0 1.500-1.500V8A1.500 1.500 0 0 0 20 6.500h-3.500L15 4zM12 9a4.200 4.200 0 1 1 0 8.400A4.200 4.200 0 0 1 12 9z",
  full: "M4 4h6v2H6v4H4zM14 4h6v6h-2V6h-4zM4 14h2v4h4v2H4zM18 14h2v6h-6v-2h4z",
};

function icon(name) {
  return svg("0 0 24 24", ["path", { d: ICONS[name], fill: "currentColor" }]);
}

function button(name, iconName, help) {
  return h("button", { type: "button", "aria-label": name, title: help, class: "icon" }, icon(iconName));
}

// Setting text or attributes that are already there would still cost a layout.
function setText(element, text) {
  if (element.shown !== text) {
    element.shown = text;
    element.textContent = text;
  }
}

function setData(element, name, value) {
  if (element.dataset[name] !== String(value)) element.dataset[name] = value;
}

// -0.41 with a proper minus; small numbers keep two digits, so that nothing reads 0.000 that is not 0.
function decimal(x, digits = 3) {
  const size = Math.abs(x);
  const text = size > 0 && size < 0.5 * 10 ** -digits ? size.toPrecision(2) : size.toFixed(digits);
  return (x < 0 ? MINUS : "") + text.replace("e-", `e${MINUS}`);
}

function sign(y) {
  return y > 0 ? "+1" : `${MINUS}1`;
}

function percent(x) {
  const share = 100 * x;
  return `${share > 0 && share < 1 ? "<1" : share > 99 && share < 100 ? ">99" : Math.round(share)} %`;
}

function axisNumber(x) {
  return String(Number(x.toPrecision(6))).replace("-", MINUS);
}

// Round numbers from low to high, about `count` of them.
function niceTicks(low, high, count) {
  const rough = (high - low) / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find((m) => m * power >= rough * 0.999);
  const ticks = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + step * 1e-9; k++) ticks.push(k * step);
  return ticks;
}

function wholeTicks(high, count) {
  return niceTicks(0, high, Math.min(count, high)).filter((x) => Number.isInteger(Number(x.toPrecision(9))));
}

// Labels at heights y, moved as little as needed so that neighbours are `gap` apart within [low, high].
function spread(heights, gap, low, high) {
  const order = heights.map((_, k) => k).sort((a, b) => heights[a] - heights[b]);
  const placed = order.map((k) => Math.min(Math.max(heights[k], low), high));
  for (let k = 1; k < placed.length; k++) placed[k] = Math.max(placed[k], placed[k - 1] + gap);
  let ceiling = high;
  for (let k = placed.length - 1; k >= 0; k--, ceiling -= gap) placed[k] = Math.min(placed[k], ceiling);
  const result = new Array(heights.length);
  order.forEach((k, place) => { result[k] = placed[place]; });
  return result;
}

function rgb(hex) {
  return [1, 3, 5].map((k) => parseInt(hex.slice(k, k + 2), 16));
}

function blendColours(a, b, f) {
  const [x, y] = [rgb(a), rgb(b)];
  return `rgb(${x.map((c, k) => Math.round(c + f * (y[k] - c))).join(",")})`;
}

// What Python has written as JSON.
const read = (bytes) => JSON.parse(new TextDecoder().decode(bytes));

// A component's default export. Streamlit calls it at every run, and cleans up after a call that a newer one has overtaken:
// one object lives in a place as long as anything is shown there. tell(object, call): gives it what the call brought.
function living(Kind, tell) {
  const there = new WeakMap();
  return (call) => {
    const place = call.parentElement;
    if (!there.has(place)) there.set(place, new Kind(place));
    const one = there.get(place);
    const number = (one.calls = (one.calls ?? 0) + 1);
    tell(one, call);
    return () => {
      if (number !== one.calls) return;
      there.delete(place);
      one.remove();
    };
  };
}
