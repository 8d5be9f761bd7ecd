// A schedule in words: its title, and its formula with the numbers of now.

import { SCHEDULES } from "./constants.js";
import { MINUS } from "./numbers.js";

const short = (x) => String(Number(x.toPrecision(6)));

export function scheduleTitle({ kind, parameters }) {
  const words = Object.entries(parameters).map(([name, value]) =>
    (Array.isArray(value) ? `${value.length} points` : `${SCHEDULES[kind].parameters[name].label} ${short(value)}`));
  return [SCHEDULES[kind].title, ...words].join(", ");
}

const FORMULAS = {
  linear: ({ end }, n) => `1 ${MINUS} ${short(1 - end)} · (t ${MINUS} 1) / ${n}`,
  cosine: (_, n) => `½ (1 + cos(π (t ${MINUS} 1) / ${n}))`,
  custom: () => "straight lines through the points",
  constant: ({ value }) => short(value),
  exponential: ({ half_life: h }) => `2^(${MINUS}(t ${MINUS} 1) / ${short(h)})`,
  power: ({ k }) => `t^${MINUS}${short(k)}`,
  step: ({ at }) => `1 while t ≤ ${short(at)}, then 0`,
  ramp: ({ end, steps }) => `1 ${MINUS} ${short(1 - end)} · min(t ${MINUS} 1, ${short(steps)}) / ${short(steps)}`,
  logistic: ({ middle, width }) =>
    `s((${short(middle)} ${MINUS} t) / ${short(width)}) / s((${short(middle)} ${MINUS} 1) / ${short(width)}), s(x) = 1 / (1 + e^${MINUS}x)`,
};

export function scheduleFormula({ kind, parameters }, n) {
  return FORMULAS[kind] ? `α(t) = ${FORMULAS[kind](parameters, n)}` : SCHEDULES[kind].about;
}
