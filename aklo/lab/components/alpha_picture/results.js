// What schedules do on the stream that Python has sent: mixed here and remembered, or, where the stream is too large to be sent,
// what the server has computed.

import { mixStream, mixTask, prepare } from "../shared/mix.js";
import { canCompute, scheduleSpec, scheduleValues } from "../shared/schedules.js";

const REMEMBERED = 40; // results, so that kept schedules are not mixed again in every frame

const keyOf = (schedule, { clip, horizon }) => `${scheduleSpec(schedule)}|${clip}|${horizon}`;

export class Results {
  constructor() {
    this.tasks = null;
    this.streams = new Map();
    this.counts = new Map();
  }

  // Take a block. only: the number of the one task that it holds, or null where it holds all.
  take(block, only) {
    this.tasks = prepare(block);
    this.only = only;
    this.last = null;
    this.streams.clear();
    this.counts.clear();
  }

  // Python's numbers: `curves` of schedules that the browser does not know, and `answers` for a stream that was not sent.
  tell({ curves, answers }) {
    Object.assign(this, { curves, answers });
  }

  get whole() {
    return this.tasks !== null && this.only === null;
  }

  task(k) {
    return this.tasks?.[this.only === null ? k : this.only === k ? 0 : -1];
  }

  // Alpha over n steps; null for a schedule that only the server can compute, and has not yet.
  alpha(schedule, n) {
    if (canCompute(schedule.kind)) return scheduleValues(schedule, n);
    const known = this.curves?.[scheduleSpec(schedule)];
    return known?.length === n ? Float64Array.from(known) : null;
  }

  // One task under a schedule; null where it cannot be mixed here.
  mixed(k, schedule, reading) {
    const task = this.task(k);
    const alpha = task && this.alpha(schedule, task.n);
    return alpha ? mixTask(task, alpha, reading) : null;
  }

  // Whether the stream's results under a schedule are known, so that `stream` takes no time.
  knows(schedule, reading) {
    return !this.whole || this.streams.has(keyOf(schedule, reading));
  }

  // Mistakes over the whole stream and ACE of each method: { errors, ace }; null where only the server could say, and has not yet.
  // kept: whether to remember them. Those of a schedule that is being dragged would push the others out.
  stream(schedule, reading, kept = true) {
    const key = keyOf(schedule, reading);
    if (!this.whole || !this.tasks.every(({ n }) => this.alpha(schedule, n))) return this.answers?.[key] ?? null;
    const known = this.streams.get(key) ?? (this.last?.key === key ? this.last.found : null);
    if (known) return known;
    const found = this.mixAll(schedule, reading);
    if (kept) remember(this.streams, key, found);
    else this.last = { key, found };
    return found;
  }

  mixAll(schedule, reading) {
    const { tasks } = this;
    const mistakes = mixStream(tasks, (n) => this.alpha(schedule, n), reading);
    const of = (m, weight) => tasks.reduce((sum, task, k) => sum + weight(task) * mistakes[m * tasks.length + k], 0);
    const methods = [0, 1, 2, 3, 4, 5];
    return { errors: methods.map((m) => of(m, () => 1)), ace: methods.map((m) => of(m, ({ n }) => 1 / n) / tasks.length) };
  }

  // The mistakes of each method so far in a task under a schedule, for the ghosts; null where they cannot be mixed here.
  countsOf(k, schedule, reading) {
    const key = `${k} ${keyOf(schedule, reading)}`;
    if (!this.counts.has(key)) {
      const found = this.mixed(k, schedule, reading);
      if (!found) return null;
      remember(this.counts, key, cumulated(found.wrong, this.task(k).n));
    }
    return this.counts.get(key);
  }
}

function remember(map, key, value) {
  if (map.size >= REMEMBERED) map.delete(map.keys().next().value);
  map.set(key, value);
}

// counts[m][t]: the mistakes of method m in the first t examples.
function cumulated(wrong, n) {
  return Array.from({ length: wrong.length / n }, (_, m) => {
    const counts = new Int32Array(n + 1);
    for (let t = 0; t < n; t++) counts[t + 1] = counts[t] + wrong[m * n + t];
    return counts;
  });
}
