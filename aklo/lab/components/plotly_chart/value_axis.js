// The range of the value axis for the traces that are shown: round ends, zero always within.

import { roundUp } from "../shared/numbers.js";

const ARRAYS = { u1: Uint8Array, i1: Int8Array, u2: Uint16Array, i2: Int16Array, u4: Uint32Array, i4: Int32Array, f4: Float32Array, f8: Float64Array };

// An array as Plotly's figures carry it.
function decoded(array) {
  if (!array?.bdata) return array ?? [];
  return new ARRAYS[array.dtype](Uint8Array.from(atob(array.bdata), (c) => c.charCodeAt(0)).buffer);
}

function extent(traces, axis, stacked) {
  let [low, high] = [Infinity, -Infinity];
  const stacks = {};
  for (const trace of traces) {
    if (trace.meta === "guide" || trace.mode === "text") continue;
    const stack = trace.stackgroup ?? (stacked && trace.type === "bar" ? "bars" : null);
    const sums = stack && (stacks[stack] ??= []);
    Array.from(decoded(trace[axis])).forEach((value, k) => {
      if (value === null || !Number.isFinite(Number(value))) return;
      const end = sums ? (sums[k] = (sums[k] ?? 0) + value) : value;
      low = Math.min(low, end);
      high = Math.max(high, end);
    });
  }
  return [low, high];
}

// The range for the shown traces, within the figure's own; null where there is nothing to follow.
export function valueRange(shown, layout) {
  const axis = layout.meta?.value_axis;
  const { range, type } = layout[`${axis}axis`] ?? {};
  if (!range) return null;
  const [low, high] = extent(shown, axis, layout.barmode === "stack");
  if (low > high) return null;
  if (type === "log") return [Math.max(range[0], Math.floor(Math.log10(low))), Math.min(range[1], Math.ceil(Math.log10(high)))];
  const top = high > 0 ? Math.min(range[1], 1.03 * roundUp(high)) : Math.min(range[1], -0.05 * low);
  const bottom = low < 0 ? Math.max(range[0], -1.03 * roundUp(-low)) : Math.max(range[0], -0.05 * high);
  return top > bottom ? [bottom, top] : null;
}
