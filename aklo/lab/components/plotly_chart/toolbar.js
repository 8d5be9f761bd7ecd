// The buttons beside the legend. They are there from the start and only become visible, so nothing moves.

import { button } from "../shared/dom.js";

const TOOLS = [
  ["zoom", "Zoom", "Drag over the chart to zoom; double-click to go back"],
  ["pan", "Pan", "Drag to move the chart"],
  ["reset", "Reset axes", "Show everything again: axes and hidden entries"],
  ["camera", "Save picture", "Save this chart as an SVG picture"],
  ["full", "Full screen", "Full screen, and back (Esc)"],
];

// Name of a tool -> its button; press(name) is called when it is used.
export function toolbar(press) {
  return Object.fromEntries(TOOLS.map(([name, label, help]) => {
    const tool = button(label, name, help);
    tool.addEventListener("click", () => press(name));
    return [name, tool];
  }));
}
