// The drawing that the race over a task and the race over a stream share: six lines, and the counts at their ends.

import { METHODS, STROKES } from "./constants.js";
import { h, place, setText } from "./dom.js";
import { methodColour } from "./legend.js";

// Return the heights of labels, moved apart so that neighbours have a distance of at least `gap` within [low, high].
function spread(heights, gap, low, high) {
  const order = heights.map((_, k) => k).sort((a, b) => heights[a] - heights[b]);
  const placed = order.map((k) => Math.min(Math.max(heights[k], low), high));
  for (let k = 1; k < placed.length; k++) placed[k] = Math.max(placed[k], placed[k - 1] + gap);
  let ceiling = high;
  for (let k = placed.length - 1; k >= 0; k--, ceiling -= gap) placed[k] = Math.min(placed[k], ceiling);
  const result = Array.from(heights);
  order.forEach((k, place) => { result[k] = placed[place]; });
  return result;
}

// The elements that hold the counts at the lines' ends, in the order of METHODS.
export function countLabels() {
  return METHODS.map((name) => h("span", { class: "end", title: name }));
}

// Draw the lines of the methods in `order` over all time onto the panel's hidden layer; a frame reveals them up to now.
// trace(g, m): adds the points of method m to the path.
export function drawMethodLines(panel, order, dark, trace) {
  const g = panel.begin(panel.layer);
  if (!panel.visible) return;
  g.lineJoin = "round";
  for (const m of order) {
    const { width, pattern } = STROKES[METHODS[m]];
    g.strokeStyle = methodColour(METHODS[m], dark);
    g.lineWidth = width * panel.unit;
    g.setLineDash(pattern.map((length) => length * panel.unit));
    g.beginPath();
    trace(g, m);
    g.stroke();
  }
  g.setLineDash([]);
}

// Write the counts of the methods `shown` to the right of x, moved apart where their heights are close.
export function placeCounts(panel, labels, shown, x, heights, counts) {
  const at = spread(heights, 1.04 * panel.em, panel.y1 + 0.2 * panel.em, panel.y0);
  shown.forEach((m, k) => {
    setText(labels[m], String(counts[k]));
    place(labels[m], x + 0.45 * panel.em, at[k] - 0.62 * panel.em);
  });
}
