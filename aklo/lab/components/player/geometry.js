// Boundaries and colours, as the panels need them.

function rowOf(rows, i) {
  return [rows[3 * i], rows[3 * i + 1], rows[3 * i + 2]];
}

// A boundary between two steps. Its length says nothing about where it lies, so directions are blended; null for w = 0.
function directionAt(path, v) {
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

// Around the data, with the origin in it, where boundaries without a constant meet; for a slice, wider all round.
function wideBox(task) {
  const [left, right, bottom, top] = task.box;
  const [w, height] = [right - left, top - bottom];
  if (task.d > 2) return [left - w, right + w, bottom - height, top + height];
  const [x0, x1, y0, y1] = [Math.min(0, left), Math.max(0, right), Math.min(0, bottom), Math.max(0, top)];
  return [x0 - 0.25 * w, x1 + 0.5 * w, y0 - 0.25 * height, y1 + 0.5 * height];
}

function groupColour(colours, group) {
  return colours.groups[(group ?? 0) % colours.groups.length];
}

// 0 for black, 1 for white; a colour as the style sheets write it.
function luminance(colour) {
  const hex = colour.match(/^#([0-9a-f]{3,8})$/i)?.[1];
  const parts = hex
    ? (hex.length < 6 ? [...hex].map((c) => c + c) : hex.match(/../g)).slice(0, 3).map((c) => parseInt(c, 16))
    : (colour.match(/[\d.]+/g) ?? [255, 255, 255]).slice(0, 3).map(Number);
  return (0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]) / 255;
}
