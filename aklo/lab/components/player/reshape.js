// Alpha's curve is dragged in the player: the task is mixed anew with every move. Python hears of it meanwhile, so that the
// controls around the player follow, and when the move is over; if many visitors share the server, only then.

import { summarise } from "./task.js";
import { mixTask, prepare } from "../shared/mix.js";
import { pointsOf } from "../shared/points.js";
import { canCompute, parseSchedule, scheduleSpec, scheduleValues } from "../shared/schedules.js";

export class Reshape {
  // moves: the player's; show(task): shows a task that was mixed anew.
  constructor(moves, show) {
    Object.assign(this, { moves, showTask: show });
  }

  // A task that Python has sent is shown. What the visitor has drawn and Python has not answered yet stays.
  take(task) {
    this.sent = task;
    this.mixable = task.mix ? prepare(task.mix)[0] : null;
    this.schedule = this.mine ?? parseSchedule(task.schedule);
    return this.mine && this.possible ? this.mixed() : task;
  }

  // What has come from Python: whether it wants to hear of a drag before its end, and whether it has heard all moves.
  receive({ live }, answered) {
    this.live = live;
    if (answered && !this.gesture) this.mine = null;
  }

  // Whether the curve can be dragged.
  get possible() {
    return Boolean(this.mixable) && canCompute(this.schedule.kind);
  }

  // ---- What the grips ask for and do

  curve() {
    const { schedule, sent } = this;
    const alpha = scheduleValues(schedule, sent.n);
    return { schedule, alpha, n: sent.n, points: pointsOf(schedule, alpha), drawable: sent.horizon === "known" };
  }

  move(schedule) {
    const before = scheduleSpec(this.schedule);
    this.gesture ??= this.moves.begin();
    this.mine = this.schedule = schedule;
    this.showTask(this.mixed());
    const alpha = scheduleSpec(schedule);
    if (alpha === before) return;
    this.changed = true;
    if (this.live) this.moves.report({ alpha }, this.gesture, false);
  }

  finish() {
    const { gesture, changed } = this;
    this.gesture = this.changed = undefined;
    if (changed) this.moves.report({ alpha: scheduleSpec(this.schedule) }, gesture);
    else this.mine = null; // pressed, and not moved
  }

  // The task under the visitor's schedule. While it is dragged the experts keep their order.
  mixed() {
    const { sent, mixable, schedule } = this;
    const found = mixTask(mixable, scheduleValues(schedule, sent.n), { clip: sent.clip, horizon: sent.horizon });
    const asked = (k) => sent.T > 0 && found.alpha[k % sent.n] > 1e-9;
    const task = {
      ...sent, schedule: scheduleSpec(schedule), alpha: found.alpha, weights: found.weights, drawn: found.drawn,
      // A rule that learns alpha does not depend on the schedule. One that uses the schedule waits for the server.
      errors: joined(found.wrong, sent.errors.subarray(found.wrong.length)),
      waiting: Object.keys(sent.rules ?? {}).filter((name) => !sent.rules[name].setsAlpha),
      words: found.outputs.map((o, k) => (asked(k) ? o : NaN)),
      mixed: sent.mixed && mixedExperts(found.weights, sent),
    };
    summarise(task);
    if (this.gesture) Object.assign(task, { order: this.order ??= sent.order });
    else this.order = null;
    return task;
  }
}

function joined(first, second) {
  const result = new Uint8Array(first.length + second.length);
  result.set(first);
  result.set(second, first.length);
  return result;
}

// The experts weighted by p_t, as affine functions of the plane: (n, 3).
function mixedExperts(weights, { n, T, experts }) {
  const result = new Float64Array(3 * n);
  for (let t = 0; t < n; t++) {
    for (let i = 0; i < T; i++) {
      for (let j = 0; j < 3; j++) result[3 * t + j] += weights[t * T + i] * experts[3 * i + j];
    }
  }
  return result;
}
