// The handles of a schedule: where on the curve its parameters can be taken hold of, and what a drag or a key makes of them.
//
// A handle has place(parameters), the step t at which it stands, where Infinity is beside the end of the curve;
// height(parameters), where it does not stand on the curve; take(parameters, t, value), the parameters for a pointer at (t, value);
// and the parameters that the keys change: `along` for left and right, `up` for up and down.

import { SCHEDULES } from "./constants.js";

// Return a parameter's value, rounded and kept within its range.
export function fit(kind, name, value) {
  const { low, high, whole } = SCHEDULES[kind].parameters[name];
  const per = whole ? 1 : high <= 5 ? 100 : 10;
  const near = Math.min(Math.max(Number.isFinite(value) ? value : value > 0 ? high : low, low), high);
  return Math.round(near * per) / per;
}

// How far an arrow key moves a parameter.
export function stepOf(kind, name) {
  const { high, whole } = SCHEDULES[kind].parameters[name];
  return whole ? 1 : high <= 5 ? 0.01 : 0.5;
}

const atTheEnd = (name) => ({
  along: name, up: name, place: () => Infinity, height: (p) => p[name], take: (_, t, value) => ({ [name]: value }),
});

const HANDLES = {
  linear: [atTheEnd("end")],
  constant: [atTheEnd("value")],
  // The curve goes through the pointer; by itself the handle stands where alpha has halved.
  exponential: [{
    along: "half_life", up: "half_life", place: ({ half_life: h }) => 1 + h,
    take: (_, t, value) => ({ half_life: (t - 1) / -Math.log2(value) }),
  }],
  power: [{
    along: "k", up: "k", place: ({ k }) => Math.max(2, 2 ** (1 / k)),
    take: (_, t, value) => ({ k: -Math.log(value) / Math.log(Math.max(t, 2)) }),
  }],
  step: [{ along: "at", up: "at", place: ({ at }) => at + 0.5, height: () => 0.5, take: (_, t) => ({ at: t - 0.5 }) }],
  ramp: [{
    along: "steps", up: "end", place: ({ steps }) => 1 + steps, height: ({ end }) => end,
    take: (_, t, value) => ({ steps: t - 1, end: value }),
  }],
  logistic: [
    { along: "middle", up: "middle", place: ({ middle }) => middle, take: (_, t) => ({ middle: t }) },
    {
      along: "width", up: "width", place: ({ middle, width }) => middle + width,
      take: ({ middle }, t) => ({ width: t - middle }),
    },
  ],
};

export const handlesOf = (kind) => HANDLES[kind] ?? [];

// The schedule with some parameters changed.
export function withParameters({ kind, parameters }, changed) {
  const fitted = Object.entries(changed).map(([name, value]) => [name, fit(kind, name, value)]);
  return { kind, parameters: { ...parameters, ...Object.fromEntries(fitted) } };
}
