// The axis of steps that three panels share.

import { wholeTicks } from "../shared/numbers.js";

// Ticks at the first step, at round numbers, and at the last step, whose label names the axis. room: how many labels fit.
export function timeTicks(first, n, room) {
  const apart = n / Math.max(2, room);
  const inner = wholeTicks(n, Math.max(2, room)).filter((t) => t > first + 0.7 * apart && t < n - 1.75 * apart);
  const ends = n > first ? [[first, String(first)]] : [];
  return [...ends, ...inner.map((t) => [t, String(t)]), [n, `step t = ${n}`, n > first ? "last" : "only"]];
}
