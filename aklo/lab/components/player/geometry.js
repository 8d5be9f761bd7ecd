// Boundaries of linear classifiers in the plane, and the window around the data.

export function rowOf(rows, i) {
  return [rows[3 * i], rows[3 * i + 1], rows[3 * i + 2]];
}

// The boundary at a position between two steps. Unit vectors are blended, since the length does not matter; null for w = 0.
export function directionAt(path, v) {
  const last = path.length / 3;
  const t = Math.min(Math.floor(v), last);
  const unit = (k) => {
    const c = rowOf(path, Math.min(k, last) - 1);
    const length = Math.hypot(c[1], c[2]);
    return length > 0 ? c.map((x) => x / length) : null;
  };
  const [a, b] = [unit(t), unit(t + 1)];
  const f = v - t;
  if (f < 1e-3 || !b) return a;
  return a ? a.map((x, k) => x + f * (b[k] - x)) : null;
}

// The window of the wide view: it holds the data and the origin, where all boundaries meet; for a slice, three times as wide.
export function wideBox(task) {
  const [left, right, bottom, top] = task.box;
  const [w, height] = [right - left, top - bottom];
  if (task.d > 2) return [left - w, right + w, bottom - height, top + height];
  const [x0, x1, y0, y1] = [Math.min(0, left), Math.max(0, right), Math.min(0, bottom), Math.max(0, top)];
  return [x0 - 0.25 * w, x1 + 0.5 * w, y0 - 0.25 * height, y1 + 0.5 * height];
}
