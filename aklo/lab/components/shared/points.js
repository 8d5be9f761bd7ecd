// The points of a curve that is drawn by hand: heights at evenly spaced steps. Alpha may only fall and stays in [0, 1], so a
// point that is moved takes its neighbours along.

export const FEWEST = 3; // points of a curve
export const MOST = 17;
const USUAL = 9; // for a schedule that was not drawn

const tidy = (value) => Math.round(1000 * Math.min(Math.max(value, 0), 1)) / 1000;

// Return the points with point i at a height: lower points before it are raised, higher points after it lowered.
export function push(points, i, height) {
  const v = tidy(height);
  return points.map((p, j) => (j < i ? Math.max(p, v) : j > i ? Math.min(p, v) : v));
}

// Return the heights at `count` evenly spaced places on the lines through the values.
export function resample(values, count) {
  const last = values.length - 1;
  return Array.from({ length: count }, (_, i) => {
    const at = (i * last) / (count - 1);
    const left = Math.max(Math.min(Math.floor(at), last - 1), 0);
    return tidy(values[left] + (at - left) * ((values[left + 1] ?? values[left]) - values[left]));
  });
}

// Return the points to drag of a schedule: its own where it was drawn, or some on its curve.
export function pointsOf({ kind, parameters }, alpha) {
  const own = kind === "custom" && parameters.points.length >= FEWEST && parameters.points.length <= MOST;
  return own ? parameters.points.map(tidy) : resample(alpha, USUAL);
}
