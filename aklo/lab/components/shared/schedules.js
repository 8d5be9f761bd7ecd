// Alpha's schedules: the values of aklo/schedules.py, and a schedule as text ("linear:end=0.5"). A schedule is an object
// { kind, parameters }; the ranges of its parameters come from Python (SCHEDULES in constants.js).

import { SCHEDULES } from "./constants.js";

export function parseSchedule(spec) {
  const [kind, given = ""] = spec.split(":");
  const parameters = {};
  for (const part of given.split(",").filter(Boolean)) {
    const [name, value] = part.split("=");
    const numbers = value.split("/").map(Number);
    parameters[name] = Array.isArray(SCHEDULES[kind].parameters[name].value) ? numbers : numbers[0];
  }
  return { kind, parameters };
}

export function scheduleSpec({ kind, parameters }) {
  const given = Object.entries(parameters).map(([name, value]) => `${name}=${[value].flat().map(String).join("/")}`);
  return given.length ? `${kind}:${given.join(",")}` : kind;
}

// The schedule of a kind with the parameters that it starts with.
export function startSchedule(kind) {
  const own = Object.entries(SCHEDULES[kind].parameters);
  return { kind, parameters: Object.fromEntries(own.map(([name, { value }]) => [name, value])) };
}

const logExpit = (x) => (x < 0 ? x - Math.log1p(Math.exp(x)) : -Math.log1p(Math.exp(-x)));

// The k-th of n numbers spread evenly from 0 to 1, rounded as numpy does.
const evenly = (k, n) => (k === n - 1 && n > 1 ? 1 : n > 1 ? k * (1 / (n - 1)) : 0);

function onLines(points, where) {
  const last = points.length - 1;
  if (last === 0 || where >= 1) return points[last];
  let left = Math.min(Math.floor(where * last), last - 1);
  while (left > 0 && evenly(left, last + 1) > where) left -= 1;
  while (left < last - 1 && evenly(left + 1, last + 1) <= where) left += 1;
  const start = evenly(left, last + 1);
  const slope = (points[left + 1] - points[left]) / (evenly(left + 1, last + 1) - start);
  return slope * (where - start) + points[left];
}

// Kind -> alpha at step t of n, from the parameters.
const ALPHA = {
  linear: ({ end }, t, n) => 1 - ((1 - end) * (t - 1)) / n,
  cosine: (_, t, n) => (1 + Math.cos((Math.PI * (t - 1)) / n)) / 2,
  custom: ({ points }, t, n) => onLines(points, evenly(t - 1, n)),
  constant: ({ value }) => value,
  exponential: ({ half_life: halfLife }, t) => 2 ** (-(t - 1) / halfLife),
  power: ({ k }, t) => (k === 1 ? 1 / t : t ** -k),
  step: ({ at }, t) => (t <= at ? 1 : 0),
  ramp: ({ end, steps }, t) => 1 - ((1 - end) * Math.min(t - 1, steps)) / steps,
  logistic: ({ middle, width }, t) => Math.exp(logExpit((middle - t) / width) - logExpit((middle - 1) / width)),
};

// Whether the browser can compute a schedule. One that somebody has added in Python alone is computed by the server.
export const canCompute = (kind) => kind in ALPHA;

// Return alpha_1..alpha_n: never rising and within [0, 1], whatever rounding does.
export function scheduleValues({ kind, parameters }, n) {
  const values = new Float64Array(n);
  let least = 1;
  for (let t = 1; t <= n; t++) {
    least = Math.min(least, Math.max(0, ALPHA[kind](parameters, t, n)));
    values[t - 1] = least;
  }
  return values;
}
