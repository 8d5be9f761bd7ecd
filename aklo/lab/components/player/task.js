// Reads a task from the block of bytes that payload.py writes: the header's fields, the arrays, and what follows from them.

import { METHODS, SAMPLING } from "../shared/constants.js";

const ARRAYS = {
  float64: Float64Array, float32: Float32Array, uint16: Uint16Array, uint8: Uint8Array, int8: Int8Array,
};
const NOBODY = 65535;
const NAMED = 6;

export function readHeader(block) {
  const size = new DataView(block.buffer, block.byteOffset).getUint32(0, true);
  return JSON.parse(new TextDecoder().decode(block.subarray(4, 4 + size)));
}

export function unpack(block) {
  const task = readHeader(block);
  const start = 4 + new DataView(block.buffer, block.byteOffset).getUint32(0, true);
  const body = block.slice(start).buffer;
  for (const [name, [kind, at, count]] of Object.entries(task.arrays)) {
    task[name] = new ARRAYS[kind](body, at, count);
  }
  task.weights = wholeWeights(task);
  task.counts = METHODS.map((_, m) => runningSum(task.errors.subarray(m * task.n, (m + 1) * task.n)));
  task.order = strongestFirst(task);
  task.named = task.T <= NAMED + 1 ? task.T : NAMED;
  return task;
}

// The weights of a large task are sent as 16-bit fractions of each row's largest weight.
function wholeWeights({ weights, scale, T }) {
  if (!scale) return weights;
  const whole = new Float32Array(weights.length);
  for (let k = 0; k < whole.length; k++) whole[k] = (weights[k] / 65535) * scale[Math.floor(k / T)];
  return whole;
}

// counts[t]: the number of mistakes in the first t examples, t = 0..N.
function runningSum(errors) {
  const counts = new Int32Array(errors.length + 1);
  for (let t = 0; t < errors.length; t++) counts[t + 1] = counts[t] + errors[t];
  return counts;
}

// The experts in falling order of their highest weight plus their mean weight.
function strongestFirst({ weights, n, T }) {
  const peak = new Float64Array(T);
  const mean = new Float64Array(T);
  for (let t = 0, k = 0; t < n; t++) {
    for (let i = 0; i < T; i++, k++) {
      if (weights[k] > peak[i]) peak[i] = weights[k];
      mean[i] += weights[k] / n;
    }
  }
  return Array.from(peak.keys()).sort((a, b) => peak[b] + mean[b] - peak[a] - mean[a] || a - b);
}

// p_t(i) at a time between two steps.
export function weightAt(task, i, v) {
  const t = Math.min(Math.floor(v), task.n);
  const next = Math.min(t + 1, task.n);
  const p = task.weights[(t - 1) * task.T + i];
  return p + (v - t > 0 ? Math.min(v - t, 1) * (task.weights[(next - 1) * task.T + i] - p) : 0);
}

export function alphaAt(task, v) {
  const t = Math.min(Math.floor(v), task.n);
  const next = Math.min(t + 1, task.n);
  return task.alpha[t - 1] + Math.min(v - t, 1) * (task.alpha[next - 1] - task.alpha[t - 1]);
}

// The expert that a sampling method drew at step t; -1 for other methods, and without experts.
export function drawnAt(task, method, t) {
  const row = SAMPLING.indexOf(method);
  const drawn = row < 0 ? NOBODY : task.drawn[row * task.n + t - 1];
  return drawn === NOBODY ? -1 : drawn;
}

// The name of an expert's group, or of the task's own; "" where there are no groups.
export function groupName(task, group) {
  if (group === null || group === undefined) return "";
  return task.groupNames?.[group] ?? `group ${group + 1}`;
}

export function groupOf(task, i) {
  return task.groups ? task.groups[i] : null;
}
