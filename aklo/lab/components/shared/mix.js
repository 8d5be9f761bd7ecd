// Mixes learner and knowledge base: what `mix` of aklo/experiment.py computes, for any alpha, clip and horizon. Python learns
// a stream once and sends what does not depend on them (compute/mix_data.py); `prepare` reads it, and computes the experts'
// scores and losses. Arrays are flat, by row: the entry (t, i) of T experts is at t T + i, with t from 0.

import { readBlock } from "./block.js";
import { expMinus } from "./exponential.js";

const SAFE_EXPONENT = 600; // exp(-600) is still far from the least double
const clip = (z) => (z > 1 ? 1 : z < -1 ? -1 : z);
const isWrong = (value, y) => (value >= 0 ? y < 0 : y > 0); // sign(0) = +1

// Return the tasks of a block. A task has n examples and T experts: labels y, the learner's scores `own` and TOL's `joint`,
// draws u (2 n), the experts' scores S (n T), their advice A (n T), and their losses L (n T) before each step.
export function prepare(block) {
  const data = readBlock(block);
  let [at, scoresAt] = [0, 0];
  return data.lengths.map((n, k) => {
    const T = data.nExperts[k];
    const part = (array, width = 1, from = at) => array.subarray(from * width, (from + n) * width);
    const S = data.S ? data.S.subarray(scoresAt, scoresAt + n * T) : scores(part(data.X, data.d), data.W, n, T, data.d);
    const total = data.y.length;
    const task = {
      n, T, S,
      y: part(data.y), own: part(data.own), joint: part(data.joint),
      u: [part(data.u), part(data.u, 1, total + at)],
    };
    task.A = S.map(clip);
    task.L = losses(task);
    task.means = { sum: means(task, S), advice: means(task, task.A) };
    at += n;
    scoresAt += n * T;
    return task;
  });
}

// <w(i), x_t> for all examples and the first T experts.
function scores(X, W, n, T, d) {
  const S = new Float64Array(n * T);
  for (let t = 0; t < n; t++) {
    for (let i = 0; i < T; i++) {
      let sum = 0;
      for (let j = 0; j < d; j++) sum += X[t * d + j] * W[i * d + j];
      S[t * T + i] = sum;
    }
  }
  return S;
}

// The sum of e_k(i) = (a_k(i) - y_k)^2 over k < t.
function losses({ n, T, A, y }) {
  const L = new Float64Array(n * T);
  for (let t = 1; t < n; t++) {
    for (let k = t * T; k < (t + 1) * T; k++) {
      const e = A[k - T] - y[t - 1];
      L[k] = L[k - T] + e * e;
    }
  }
  return L;
}

// The mean of the experts' scores or of their advice: Unif Sum's O_t, before it is clipped.
function means({ n, T }, values) {
  return Float64Array.from({ length: T ? n : 0 }, (_, t) => {
    let [sum, size] = [0, 0];
    for (let k = t * T; k < (t + 1) * T; k++) {
      sum += values[k];
      size += Math.abs(values[k]);
    }
    return meanOf(sum, size, T);
  });
}

// sum / total, where a sum that is 0 up to rounding is 0, so that its sign is +1 everywhere.
function meanOf(sum, size, total) {
  const mean = sum / total;
  return Math.abs(mean) < 1e-10 && Math.abs(mean) <= (1e-14 * size) / total ? 0 : mean;
}

// Return 1 / sqrt(8 sum of alpha) at every step, the part of eps_t = sqrt(log T / (8 sum of alpha)) that all numbers of experts share:
// the sum over the whole task, or with an unknown horizon up to the first step of t's doubling period; 0 where the sum is 0.
function rates(alpha, horizon) {
  const totals = new Float64Array(alpha.length);
  for (let t = 0; t < alpha.length; t++) totals[t] = alpha[t] + (t ? totals[t - 1] : 0);
  return totals.map((_, t) => {
    const total = totals[horizon === "known" ? alpha.length - 1 : periodStart(t)];
    return total > 0 ? 1 / Math.sqrt(8 * total) : 0;
  });
}

// The first step of the doubling period [2^m, 2^(m+1) - 1] of a step; steps from 0 here.
function periodStart(t) {
  return 2 ** (31 - Math.clz32(t + 1)) - 1;
}

// Return the steps, from 1, at which the weights start anew under an unknown horizon.
export function resets(n) {
  const steps = [];
  for (let t = 1; t <= n; t *= 2) steps.push(t);
  return steps;
}

// What the experts add up to at one step; filled by `addUp`.
const row = { total: 0, dot: 0, wrongWeight: 0, wrongCount: 0 };

// Write the weights exp(-eps L_t(i)) of step t, not normalised, to P.
function writeWeights({ T, L, n }, t, eps, horizon, P) {
  const here = t * T;
  const start = horizon === "known" ? 0 : periodStart(t) * T; // the losses before the first step are 0
  let least = 0;
  if (eps * 4 * n > SAFE_EXPONENT) {
    least = Infinity; // all weights could underflow: the largest is made 1
    for (let i = 0; i < T; i++) least = Math.min(least, L[here + i] - L[start + i]);
  }
  for (let i = 0; i < T; i++) P[i] = expMinus(eps * (L[here + i] - L[start + i] - least));
}

// Add up in `row`, for the weights P of step t: their sum; their sum with `values` (scores or advice); the weight and the number of
// the experts whose advice leads to a mistake, where `rest` is the learner's part (1 - alpha) c of the mixture.
function addUp({ T, A }, t, P, values, a, rest, right) {
  const here = t * T;
  let [total, dot, above, count] = [0, 0, 0, 0];
  for (let i = 0; i < T; i++) {
    const p = P[i];
    total += p;
    dot += p * values[here + i];
    const up = a * A[here + i] + rest >= 0;
    above += up ? p : 0;
    count += up ? 1 : 0;
  }
  row.total = total;
  row.dot = dot;
  row.wrongWeight = right ? total - above : above;
  row.wrongCount = right ? T - count : count;
}

// The weighted mean of `values` at step t, after `addUp`.
function weightedMean({ T }, t, values, P) {
  if (Math.abs(row.dot) >= 1e-10 * row.total) return row.dot / row.total;
  let size = 0;
  for (let i = 0; i < T; i++) size += P[i] * Math.abs(values[t * T + i]);
  return meanOf(row.dot, size, row.total);
}

// The first expert at which the cumulated weights exceed u times their sum. Rounding never leads to an expert of weight 0.
function draw(P, T, u) {
  let total = 0;
  for (let i = 0; i < T; i++) total += P[i];
  const level = u * total;
  let [sum, last] = [0, 0];
  for (let i = 0; i < T; i++) {
    sum += P[i];
    if (P[i] > 0) last = i;
    if (sum > level) return i;
  }
  return last;
}

// Mix one task with alpha (n). Returns, methods in the order of METHODS and of KNOWING:
//   weights (n T), p_t;  outputs (4 n), O_t;  values (6 n), whose signs are the predictions;  wrong (6 n), 1 for a mistake;
//   drawn (2 n), the sampled experts, -1 without experts;  expected (2 n), the samplers' probability of a mistake.
export function mixTask(task, alpha, { clip: where, horizon }) {
  const { n, T, A, y, own, joint, u } = task;
  const values = where === "advice" ? A : task.S;
  const eps = rates(alpha, horizon).map((rate) => rate * Math.sqrt(Math.log(Math.max(T, 1))));
  const found = {
    alpha, eps,
    weights: new Float64Array(n * T), outputs: new Float64Array(4 * n), values: new Float64Array(6 * n),
    wrong: new Uint8Array(6 * n), drawn: new Int32Array(2 * n).fill(-1), expected: new Float64Array(2 * n),
  };
  for (let t = 0; t < n; t++) {
    const c = clip(own[t]);
    const a = T ? alpha[t] : 0;
    const O = [0, 0, 0, 0];
    if (T) {
      const P = found.weights.subarray(t * T, (t + 1) * T);
      writeWeights(task, t, eps[t], horizon, P);
      addUp(task, t, P, values, a, (1 - a) * c, y[t] > 0);
      const drawn = [Math.floor(u[0][t] * T), draw(P, T, u[1][t])];
      O[0] = A[t * T + drawn[0]];
      O[1] = clip(task.means[where][t]);
      O[2] = A[t * T + drawn[1]];
      O[3] = clip(weightedMean(task, t, values, P));
      found.expected[t] = row.wrongCount / T;
      found.expected[n + t] = row.wrongWeight / row.total;
      drawn.forEach((i, k) => { found.drawn[k * n + t] = i; });
      for (let i = 0; i < T; i++) P[i] /= row.total;
    } else found.expected[t] = found.expected[n + t] = Number(isWrong(c, y[t]));
    [c, clip(joint[t]), ...O.map((o) => a * o + (1 - a) * c)].forEach((value, m) => {
      found.values[m * n + t] = value;
      found.wrong[m * n + t] = Number(isWrong(value, y[t]));
    });
    O.forEach((o, m) => { found.outputs[m * n + t] = o; });
  }
  return found;
}

// Mix whole tasks, alphaOf(n) giving alpha for a task of n examples. Returns (6 tasks): the mistakes of each method in each
// task, of the sampling methods as expected over the draws.
export function mixStream(tasks, alphaOf, { clip: where, horizon }) {
  const mistakes = new Float64Array(6 * tasks.length);
  const lengths = [...new Set(tasks.map(({ n }) => n))];
  const byLength = new Map(lengths.map((n) => [n, alphaOf(n)]).map(([n, alpha]) => [n, { alpha, rate: rates(alpha, horizon) }]));
  const P = new Float64Array(Math.max(0, ...tasks.map(({ T }) => T)));
  tasks.forEach((task, k) => countTask(task, byLength.get(task.n), where, horizon, P, mistakes, k, tasks.length));
  return mistakes;
}

// Add the mistakes in task k of `many` to (6 many).
function countTask(task, { alpha, rate }, where, horizon, P, mistakes, k, many) {
  const { n, T, y } = task;
  const values = where === "advice" ? task.A : task.S;
  const root = Math.sqrt(Math.log(Math.max(T, 1)));
  for (let t = 0; t < n; t++) {
    const c = clip(task.own[t]);
    const a = T ? alpha[t] : 0;
    const alone = Number(isWrong(c, y[t]));
    mistakes[k] += alone;
    mistakes[many + k] += Number(isWrong(task.joint[t], y[t]));
    if (a === 0) { // the knowledge base is not asked
      for (let m = 2; m < 6; m++) mistakes[m * many + k] += alone;
      continue;
    }
    const rest = (1 - a) * c;
    writeWeights(task, t, rate[t] * root, horizon, P);
    addUp(task, t, P, values, a, rest, y[t] > 0);
    mistakes[2 * many + k] += row.wrongCount / T;
    mistakes[3 * many + k] += Number(isWrong(a * clip(task.means[where][t]) + rest, y[t]));
    mistakes[4 * many + k] += row.wrongWeight / row.total;
    mistakes[5 * many + k] += Number(isWrong(a * clip(weightedMean(task, t, values, P)) + rest, y[t]));
  }
}
