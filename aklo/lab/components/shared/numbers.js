// Numbers as text, and round numbers for axes.

export const MINUS = "−";

// A number with a fixed count of digits and a typographic minus. A number that would be rounded to 0 keeps two digits.
export function decimal(x, digits = 3) {
  const size = Math.abs(x);
  const text = size > 0 && size < 0.5 * 10 ** -digits ? size.toPrecision(2) : size.toFixed(digits);
  return (x < 0 ? MINUS : "") + text.replace("e-", `e${MINUS}`);
}

export function sign(y) {
  return y > 0 ? "+1" : `${MINUS}1`;
}

export function percent(x) {
  const share = 100 * x;
  return `${share > 0 && share < 1 ? "<1" : share > 99 && share < 100 ? ">99" : Math.round(share)} %`;
}

export function axisNumber(x) {
  return String(Number(x.toPrecision(6))).replace("-", MINUS);
}

const ROUND = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];

// The least round number that is not below a positive one.
export function roundUp(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return power * ROUND.find((m) => m * power >= value * (1 - 1e-9));
}

// Round numbers from low to high, about `count` of them.
export function niceTicks(low, high, count) {
  const rough = (high - low) / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find((m) => m * power >= rough * 0.999);
  const ticks = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + step * 1e-9; k++) ticks.push(k * step);
  return ticks;
}

export function wholeTicks(high, count) {
  return niceTicks(0, high, Math.min(count, high)).filter((x) => Number.isInteger(Number(x.toPrecision(9))));
}
