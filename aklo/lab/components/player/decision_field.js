// The decision field: the confidence of a method at every point of the plane. With mix.js it is what the browser
// repeats of the core's mathematics. Tests compare it, through `probe`, with the core's values at the examples.

import { drawnAt } from "./task.js";

const NEGLIGIBLE = 1e-9;

// A grid of points: column j, row i stands for (left + j dx, top - i dy). With dx = dy = 0 it is a single point.
function gridOver([left, right, bottom, top], columns, rows) {
  const dx = (right - left) / columns;
  const dy = (top - bottom) / rows;
  return { columns, rows, left: left + dx / 2, top: top - dy / 2, dx, dy };
}

// field += q clip(c0 + c1 u1 + c2 u2). Where the score runs from -1 to 1 within less than a cell, the cell takes about
// its mean over the cell, since the edge would look like a staircase otherwise. At a single point the clip is exact.
function addClipped(field, grid, c0, c1, c2, q) {
  const factor = 1 / Math.max(1, 0.8 * Math.hypot(c1 * grid.dx, c2 * grid.dy));
  const step = c1 * grid.dx * factor;
  let k = 0;
  for (let i = 0; i < grid.rows; i++) {
    let s = (c0 + c1 * grid.left + c2 * (grid.top - i * grid.dy)) * factor;
    for (let j = 0; j < grid.columns; j++, k++, s += step) {
      field[k] += q * (s > 1 ? 1 : s < -1 ? -1 : s);
    }
  }
}

function addRow(field, grid, rows, i, q) {
  addClipped(field, grid, rows[3 * i], rows[3 * i + 1], rows[3 * i + 2], q);
}

// The vote (q(+1) - q(-1)) / (q(+1) + q(-1)) of members [rows, i, p], with q(y) = sum of p exp(-(a - y)^2 / 2) and a their
// clipped advice. As (a - 1)^2 and (a + 1)^2 differ by 4a, q(±1) is proportional to the sum of p exp(-a^2 / 2 ± a).
function fillVote(field, grid, members) {
  const plus = new Float64Array(field.length);
  const minus = new Float64Array(field.length);
  const advice = new Float64Array(field.length);
  for (const [rows, i, p] of members) {
    if (!(p > NEGLIGIBLE)) continue;
    advice.fill(0);
    addRow(advice, grid, rows, i, 1);
    for (let k = 0; k < advice.length; k++) {
      const a = advice[k];
      const part = p * Math.exp(-0.5 * a * a);
      const up = Math.exp(a);
      plus[k] += part * up;
      minus[k] += part / up;
    }
  }
  for (let k = 0; k < field.length; k++) field[k] = (plus[k] - minus[k]) / (plus[k] + minus[k]);
}

// The members of a rule's pool before example t: where their classifiers are, and their weights.
function membersOf(task, t) {
  const now = Math.min(t, task.n);
  const [alpha, here] = [task.alpha[now - 1], (now - 1) * task.T];
  const members = [[task.learner, t - 1, 1 - alpha]];
  let tol = 1;
  for (let i = 0; i < task.T; i++) {
    tol -= task.weights[here + i];
    members.push([task.experts, i, alpha * task.weights[here + i]]);
  }
  if (task.rule.joint) members.push([task.joint, t - 1, alpha * Math.max(tol, 0)]);
  return members;
}

// A rule beside the paper's six. Where only its class knows how it predicts, there is no field.
function fillRule(field, grid, task, t) {
  const { rule } = task;
  if (rule.field === "vote") return fillVote(field, grid, membersOf(task, t));
  if (rule.field === "mean") for (const [rows, i, p] of membersOf(task, t)) if (p > NEGLIGIBLE) addRow(field, grid, rows, i, p);
}

// field = (1 - alpha_t) clip(learner) + alpha_t O_t, the method's confidence before example t; t = N + 1 is after the
// last one, when only the learner has moved.
function fillField(field, grid, task, t, method) {
  field.fill(0);
  if (method === "TOL") return addRow(field, grid, task.joint, t - 1, 1);
  if (task.rule && task.T) return fillRule(field, grid, task, t);
  const now = Math.min(t, task.n);
  const alpha = method === "ITOL" || task.T === 0 ? 0 : task.alpha[now - 1];
  if (alpha < 1) addRow(field, grid, task.learner, t - 1, 1 - alpha);
  if (alpha > 0) addKnowledge(field, grid, task, now, method, alpha);
}

function addKnowledge(field, grid, task, t, method, alpha) {
  const drawn = drawnAt(task, method, t);
  if (drawn >= 0) return addRow(field, grid, task.experts, drawn, alpha);
  const uniform = method === "Unif Sum";
  if (task.clip === "sum") {
    // The clip stands outside the sum, and a sum of linear functions is linear.
    return uniform
      ? addClipped(field, grid, ...meanExpert(task), alpha)
      : addRow(field, grid, task.mixed, t - 1, alpha);
  }
  for (let i = 0; i < task.T; i++) {
    const q = uniform ? 1 / task.T : task.weights[(t - 1) * task.T + i];
    if (q > NEGLIGIBLE) addRow(field, grid, task.experts, i, alpha * q);
  }
}

function meanExpert(task) {
  const mean = [0, 0, 0];
  for (let k = 0; k < 3 * task.T; k++) mean[k % 3] += task.experts[k] / task.T;
  return mean;
}

// The method's confidence at one point of the plane, by the same code as the grid.
export function probe(task, u1, u2, t, method) {
  const field = new Float64Array(1);
  fillField(field, { columns: 1, rows: 1, left: u1, top: u2, dx: 0, dy: 0 }, task, t, method);
  return field[0];
}

// The two fields before and after the current position are kept, so that a step computes one field and a frame only blends.
export class Region {
  constructor(columns, rows) {
    this.columns = columns;
    this.rows = rows;
    this.kept = new Map();
    this.blend = new Float32Array(columns * rows);
  }

  forget() {
    this.kept.clear();
  }

  fieldAt(task, t, method) {
    const name = `${method} ${t}`;
    let field = this.kept.get(name);
    if (!field) {
      if (this.kept.size > 3) this.kept.delete(this.kept.keys().next().value);
      field = new Float32Array(this.columns * this.rows);
      fillField(field, gridOver(this.box, this.columns, this.rows), task, t, method);
      this.kept.set(name, field);
    }
    return field;
  }

  at(task, box, v, method) {
    this.box = box;
    const t = Math.min(Math.floor(v), task.n + 1);
    const f = v - t;
    const a = this.fieldAt(task, t, method);
    if (f < 1e-3 || t > task.n) return a;
    const b = this.fieldAt(task, t + 1, method);
    for (let k = 0; k < a.length; k++) this.blend[k] = a[k] + f * (b[k] - a[k]);
    return this.blend;
  }
}
