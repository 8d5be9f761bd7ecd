// The drawing that the race over a task and the race over a stream share: a line for each method, and the counts at their ends.

import { STROKES } from "./constants.js";
import { h, place, setText } from "./dom.js";
import { inWords, methodColour } from "./legend.js";

// Return the heights of labels, as near to the wanted ones as a distance of `gap` between neighbours within [low, high] allows.
// Without the distances k * gap the heights only have to rise; where they do not, the labels of a block share their mean.
function spread(heights, wantedGap, low, high) {
  const order = heights.map((_, k) => k).sort((a, b) => heights[a] - heights[b]);
  const gap = Math.min(wantedGap, (high - low) / Math.max(heights.length - 1, 1));
  const blocks = [];
  order.forEach((k, rank) => {
    blocks.push({ sum: heights[k] - rank * gap, size: 1 });
    for (let [a, b] = blocks.slice(-2); b && a.sum / a.size > b.sum / b.size; [a, b] = blocks.slice(-2)) {
      blocks.splice(-2, 2, { sum: a.sum + b.sum, size: a.size + b.size });
    }
  });
  const highest = high - (heights.length - 1) * gap;
  const starts = blocks.flatMap(({ sum, size }) => Array.from({ length: size }, () => Math.min(Math.max(sum / size, low), highest)));
  const result = Array.from(heights);
  order.forEach((k, rank) => { result[k] = starts[rank] + rank * gap; });
  return result;
}

// The elements that hold the counts at the lines' ends, one for each method.
export function countLabels(methods) {
  return methods.map((name) => h("span", { class: "end", "data-method": name, title: inWords(name) }));
}

// Draw the lines of the methods in `order` over all time onto the panel's hidden layer; a frame reveals them up to now.
// order: indices in `methods`; trace(g, m): adds the points of method m to the path.
export function drawMethodLines(panel, methods, order, dark, trace) {
  const g = panel.begin(panel.layer);
  if (!panel.visible) return;
  g.lineJoin = "round";
  for (const m of order) {
    const { width, pattern } = STROKES[methods[m]];
    g.strokeStyle = methodColour(methods[m], dark);
    g.lineWidth = width * panel.unit;
    panel.dash(g, pattern);
    g.beginPath();
    trace(g, m);
    g.stroke();
  }
  panel.dash(g);
}

// Write the counts of the methods `shown` to the right of x, moved apart where their heights are close.
export function placeCounts(panel, labels, shown, x, heights, counts) {
  const at = spread(heights, 1.04 * panel.em, panel.y1 + 0.2 * panel.em, panel.y0);
  shown.forEach((m, k) => {
    setText(labels[m], String(counts[k]));
    place(labels[m], x + 0.45 * panel.em, at[k] - 0.62 * panel.em);
  });
}
