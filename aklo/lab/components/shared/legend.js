// The methods' legend: one colour and one dash for each method, the same in every picture.

import { METHODS, STROKES } from "./constants.js";
import { h, svg } from "./dom.js";

export function methodColour(name, dark) {
  return dark ? STROKES[name].dark : STROKES[name].light;
}

// A sample of a method's line, and its name.
export function methodSample(name, dark) {
  const { width, pattern } = STROKES[name];
  const line = { x1: 1, x2: 25, y1: 4, y2: 4, stroke: methodColour(name, dark), "stroke-width": width, "stroke-dasharray": pattern.join(" ") };
  return [svg("0 0 26 8", ["line", line]), h("span", { text: name })];
}

// One button for each method, in the order of METHODS, which hides or shows its line.
export function methodButtons(toggle) {
  return METHODS.map((name) => {
    const button = h("button", { type: "button", class: "method", "aria-pressed": "true", title: `Hide or show ${name}` });
    button.addEventListener("click", () => toggle(name));
    return button;
  });
}
