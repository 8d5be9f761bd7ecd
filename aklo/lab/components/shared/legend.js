// The methods' legend: one colour and one dash for each method, the same in every picture.

import { IN_WORDS, STROKES } from "./constants.js";
import { h, svg } from "./dom.js";

// Learn the strokes and sentences of rules beside the paper's six, which come with the data: name -> { stroke, about, … }.
export function learnRules(rules = {}) {
  for (const [name, { stroke, about }] of Object.entries(rules)) {
    STROKES[name] = stroke;
    IN_WORDS[name] = about;
  }
}

export function methodColour(name, dark) {
  return dark ? STROKES[name].dark : STROKES[name].light;
}

// What a method does, as a sentence.
export function inWords(name) {
  return `${name}: ${IN_WORDS[name]}`;
}

// A sample of a method's line, and its name.
export function methodSample(name, dark) {
  const { width, pattern } = STROKES[name];
  const line = { x1: 1, x2: 25, y1: 4, y2: 4, stroke: methodColour(name, dark), "stroke-width": width, "stroke-dasharray": pattern.join(" ") };
  return [svg("0 0 26 8", ["line", line]), h("span", { text: name })];
}

// One button for each method, which hides or shows its line.
export function methodButtons(methods, toggle) {
  return methods.map((name) => {
    const button = h("button", { type: "button", class: "method", "aria-pressed": "true", title: `${inWords(name)} Click to hide or show its line.` });
    button.addEventListener("click", () => toggle(name));
    return button;
  });
}
