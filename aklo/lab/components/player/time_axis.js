// The axis of steps that several panels share.

import { wholeTicks } from "../shared/numbers.js";

// Ticks at the first step, at round numbers, and at the last step, whose label names the axis. room: how many labels fit.
export function timeTicks(first, n, room) {
  const apart = n / Math.max(2, room);
  const inner = wholeTicks(n, Math.max(2, room)).filter((t) => t > first + 0.7 * apart && t < n - 1.75 * apart);
  const ends = n > first ? [[first, String(first)]] : [];
  return [...ends, ...inner.map((t) => [t, String(t)]), [n, `step t = ${n}`, n > first ? "last" : "only"]];
}

// Give a panel of shares, from 0 to 1 over the steps 1..n, its scales x and y and its axes.
export function shareAxes(panel, n, ys = [[0, "0"], [0.5, "½"], [1, "1"]]) {
  const [x, y] = [panel.scaleX(1, Math.max(n, 2)), panel.scaleY(0, 1)];
  Object.assign(panel, { x, y });
  panel.axes({ x, y, xs: timeTicks(1, n, (panel.x1 - panel.x0) / (4 * panel.em)), ys });
}
