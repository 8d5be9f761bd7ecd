// The live picture of alpha: the curve to drag, this task's mistakes, the weights, and the ACE over the whole stream. All of it is
// mixed in the browser and follows every move in the same frame; Python hears of a move when it is over.

import { AcePanel } from "./ace.js";
import { CurvePanel } from "./curve.js";
import { Head } from "./head.js";
import { fillKept } from "./kept_list.js";
import { Knobs } from "./knobs.js";
import { LiveMistakes } from "./live_mistakes.js";
import { LiveWeights } from "./live_weights.js";
import { Results } from "./results.js";
import { summarise } from "../player/task.js";
import { afterHeader, readHeader } from "../shared/block.js";
import { SCHEDULES, SLOTS } from "../shared/constants.js";
import { h, setData, setDisabled } from "../shared/dom.js";
import { mountOnce } from "../shared/lifecycle.js";
import { resets } from "../shared/mix.js";
import { Moves } from "../shared/moves.js";
import { FEWEST, MOST, pointsOf, resample } from "../shared/points.js";
import { canCompute, parseSchedule, scheduleSpec } from "../shared/schedules.js";
import { scheduleTitle } from "../shared/schedule_text.js";
import { findStream, onStream } from "../shared/streams.js";
import { applyTheme } from "../shared/theme.js";

const LETTERS = Object.keys(SLOTS);

class AlphaPicture {
  constructor(place) {
    this.results = new Results();
    this.moves = new Moves();
    this.look = { lit: -1, pinned: -1, hidden: new Set() };
    this.root = h("div", { class: "aklo alpha", "data-aklo": "alpha", role: "group", "aria-label": "Alpha and what it does" });
    const owner = {
      curve: () => this.curveNow(), move: (schedule) => this.move({ schedule }), finish: () => this.finish(),
      startOver: () => this.put({ schedule: this.start }), refine: (way) => this.refine(way),
    };
    this.curve = new CurvePanel(owner);
    this.mistakes = new LiveMistakes({ toggle: (name) => this.toggle(name) });
    const light = (i) => this.relook({ lit: i });
    this.weights = new LiveWeights({ light, pin: (i) => this.relook({ pinned: this.look.pinned === i ? -1 : i }) });
    this.ace = new AcePanel();
    this.panels = [this.curve, this.mistakes, this.weights, this.ace];
    this.knobs = new Knobs({
      curve: owner.curve, move: (changed) => this.move(changed), finish: owner.finish, begin: (schedule) => this.begin(schedule),
    });
    this.head = new Head((name) => this.moves.report({ preset: name }));
    const board = h("div", { class: "quarters" }, ...this.panels.map((panel) => panel.element));
    this.root.append(h("div", { class: "frame" }, this.head.element, this.knobs.element, board, this.head.note));
    place.append(this.root);
    this.sizes = new ResizeObserver(() => this.wake());
    for (const panel of this.panels) this.sizes.observe(panel.plot);
    this.unsubscribe = onStream(() => { this.findStream(); this.wake(); });
  }

  // What Python has sent. Its view is taken if its revision is new and Python has heard all moves; otherwise the visitor's own
  // stays, so that an answer under way does not take a drag back.
  receive(block, send) {
    const data = readHeader(block);
    const answered = this.moves.receive(data.heard, send);
    const inline = afterHeader(block);
    if (inline.length && this.digest !== data.stream) this.takeStream(data, inline);
    this.data = data;
    this.results.tell(data);
    this.findStream();
    this.knobs.tell(data);
    this.head.tell(data);
    if (data.revision !== this.revision && (answered || !this.state)) {
      this.revision = data.revision;
      this.curve.grips.held = null;
      const { view } = data;
      this.state = { ...view, schedule: parseSchedule(view.alpha), kept: view.kept.map(parseSchedule) };
      if (!this.known || view.alpha !== this.known.alpha) this.start = this.state.schedule;
      this.known = view;
    }
    this.laidOut = null;
    this.draw(); // at once, not in the next frame
  }

  findStream() {
    const { data } = this;
    const block = data && this.digest !== data.stream && findStream(data.stream);
    if (block) this.takeStream(data, block);
  }

  takeStream({ stream, only }, block) {
    this.digest = stream;
    this.results.take(block, only);
  }

  // ---- What is shown

  // The schedule in force: the chosen one, or Python's stand-in while the horizon that it needs is unknown.
  get schedule() {
    return this.waits(this.state.schedule) ? parseSchedule(this.data.standIn) : this.state.schedule;
  }

  // The number of steps of the task that is shown.
  get n() {
    return this.data.lengths[this.state.task];
  }

  waits({ kind }) {
    return this.state.horizon === "unknown" && SCHEDULES[kind].needsHorizon;
  }

  curveNow() {
    const { schedule } = this;
    const { n } = this;
    const alpha = this.results.alpha(schedule, n) ?? new Float64Array(n);
    return { schedule, alpha, n, points: pointsOf(schedule, alpha), drawable: this.state.horizon === "known" };
  }

  get keptNow() {
    return this.state.kept.map((schedule, k) => ({ mark: LETTERS[k], schedule, title: scheduleTitle(schedule), waits: this.waits(schedule) }));
  }

  // ---- Changes

  move(changed) {
    Object.assign(this.state, changed);
    this.wake();
  }

  // Take another schedule, to which Start over then returns.
  begin(schedule) {
    this.start = schedule;
    this.put({ schedule });
  }

  get busy() {
    return this.curve.grips.busy;
  }

  // The move is over: tell Python what differs from what it knows.
  finish() {
    const { schedule, clip, horizon, task, method, kept } = this.state;
    const view = { alpha: scheduleSpec(schedule), clip, horizon, task, method, kept: kept.map(scheduleSpec) };
    this.draw(); // at once, not in the next frame
    const changed = Object.entries(view).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(this.known[name]));
    if (!changed.length) return;
    this.known = view;
    this.moves.report({ view: Object.fromEntries(changed) });
  }

  refine(way) {
    this.curve.grips.settle();
    const { points } = this.curveNow();
    const count = way > 0 ? Math.min(2 * points.length - 1, MOST) : Math.max(Math.ceil((points.length + 1) / 2), FEWEST);
    this.move({ schedule: { kind: "custom", parameters: { points: resample(points, count) } } });
    this.finish();
  }

  get keeping() {
    const { schedule } = this;
    return {
      take: (mark) => this.begin(this.state.kept[LETTERS.indexOf(mark)]),
      drop: (mark) => this.put({ kept: this.state.kept.filter((_, k) => k !== LETTERS.indexOf(mark)) }),
      keep: () => this.put({ kept: [...this.state.kept, schedule] }),
    };
  }

  put(changed) {
    this.move(changed);
    this.finish();
  }

  toggle(name) {
    const { hidden } = this.look;
    if (!hidden.delete(name)) hidden.add(name);
    this.wake();
  }

  relook(changed) {
    Object.assign(this.look, changed);
    this.wake();
  }

  // ---- Drawing

  wake() {
    if (this.frame || this.gone || !this.data) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      this.draw();
    });
  }

  redraw() {
    this.draw();
  }

  // Everything that the panels draw, of the state as it is now.
  get view() {
    const { state, results, look, schedule } = this;
    const reading = { clip: state.clip, horizon: state.horizon };
    const { n } = this;
    const alpha = this.curveNow().alpha;
    const kept = this.keptNow.filter((one) => !one.waits);
    const own = scheduleSpec(schedule);
    const stream = results.stream(schedule, reading, false);
    const ghosts = kept.filter((one) => scheduleSpec(one.schedule) !== own);
    const same = kept.find((one) => !ghosts.includes(one)); // the current one, if it is kept too
    // One kept schedule a frame is mixed, so that a new stream or clip does not hold the picture up.
    const fresh = ghosts.find((one) => !results.knows(one.schedule, reading));
    if (fresh) this.wake();
    const rows = ghosts.map((one) => ({
      ...one, alpha: results.alpha(one.schedule, n), counts: results.countsOf(state.task, one.schedule, reading),
      ace: one === fresh || results.knows(one.schedule, reading) ? results.stream(one.schedule, reading)?.ace : null,
    }));
    return {
      ...look, ...state, schedule, chosen: state.schedule, reading, n, alpha, stream, dark: this.theme === "dark", colours: this.colours,
      title: scheduleTitle(schedule), task: this.taskNow(reading), number: state.task,
      start: this.start && scheduleSpec(this.start) !== own && !this.waits(this.start) ? results.alpha(this.start, n) : null,
      resets: state.horizon === "unknown" ? resets(n) : [],
      ghosts: rows.filter((one) => one.alpha && one.counts), rows: [{ mark: same ? `Now, ${same.mark}` : "Now", ace: stream?.ace ?? null }, ...rows],
      waiting: this.waitingText(schedule), t: n, v: n, told: n, toldNow: n, morph: 0,
      waitingFor: this.waits(state.schedule) ? { chosen: scheduleTitle(state.schedule) } : null,
    };
  }

  waitingText({ kind }) {
    if (!canCompute(kind)) return "This schedule is computed by the server: its numbers follow when you let go.";
    if (this.data.tooLarge) return "This stream is too large to be sent: the server computes its ACE when you let go.";
    return this.results.tasks ? null : "The stream is on its way.";
  }

  // The task with everything that the player's panels need; the one before while another is on its way.
  taskNow(reading) {
    const { data, state, results, schedule } = this;
    const found = results.mixed(state.task, schedule, reading);
    setData(this.root, "stale", String(!found));
    if (!found) return this.lastTask ?? null;
    const k = state.task;
    const task = {
      n: results.task(k).n, T: results.task(k).T, task: k, alpha: found.alpha, weights: found.weights, drawn: found.drawn, errors: found.wrong,
      names: data.names.slice(0, k), groups: data.groups?.slice(0, k) ?? null, group: data.groups?.[k] ?? null,
      groupNames: data.groupNames, title: data.names[k], promise: null,
    };
    summarise(task);
    // While something is dragged the experts keep their order.
    if (this.busy && this.lastTask?.task === k && this.lastTask.T === task.T) task.order = this.lastTask.order;
    this.lastTask = task;
    return task;
  }

  draw() {
    if (!this.state || this.gone) return;
    applyTheme(this);
    const { view } = this;
    const changed = this.panels.map((panel) => panel.measure());
    const layout = `${this.theme} ${view.n} ${view.task?.task} ${this.digest}`;
    const all = layout !== this.laidOut;
    this.laidOut = layout;
    if (all || changed[0]) this.curve.layout(view);
    this.drawKept(view);
    this.curve.draw(view);
    if (view.task) {
      for (const [k, panel] of [[1, this.mistakes], [2, this.weights]]) {
        if (all || changed[k]) panel.layout(view);
        else panel.refresh(view);
        panel.draw(view);
      }
    }
    if (all || changed[3]) this.ace.layout(view);
    this.ace.draw(view);
    this.knobs.draw({ ...view, task: view.number, nTasks: this.data.nTasks });
    this.head.draw(view, this.data);
    this.drawTools(view);
    setData(this.root, "task", view.number);
    setData(this.root, "state", this.busy ? "dragging" : "still");
    setData(this.root, "points", this.curveNow().points.join("/"));
    setData(this.root, "alpha", scheduleSpec(view.schedule));
    if (view.stream) setData(this.root, "errors", JSON.stringify(view.stream.errors));
    else delete this.root.dataset.errors;
    if (!this.busy) for (const panel of this.panels) if (panel.visible && (view.task || panel === this.ace)) panel.describe(panel.summary(view));
  }

  drawTools({ schedule, horizon }) {
    const { tools } = this.curve;
    const { points } = this.curveNow();
    setDisabled(tools.again, scheduleSpec(this.start) === scheduleSpec(this.state.schedule));
    for (const name of ["fewer", "more"]) tools[name].hidden = horizon === "unknown" || schedule.kind !== "custom";
    setDisabled(tools.fewer, points.length <= FEWEST);
    setDisabled(tools.more, points.length >= MOST);
  }

  drawKept(view) {
    const own = scheduleSpec(view.schedule);
    const kept = this.keptNow;
    const full = kept.length >= LETTERS.length;
    const canKeep = !full && !this.state.kept.some((one) => scheduleSpec(one) === own);
    const shown = JSON.stringify([kept, this.theme, canKeep]);
    if (shown === this.shownKept) return;
    this.shownKept = shown;
    fillKept(this.curve.kept, kept, { dark: view.dark, canKeep, full }, this.keeping);
  }

  remove() {
    this.gone = true;
    cancelAnimationFrame(this.frame);
    this.curve.grips.remove();
    this.moves.stop();
    this.unsubscribe();
    this.sizes.disconnect();
    this.root.remove();
  }
}

export default mountOnce(AlphaPicture, (picture, { data, setTriggerValue }) => data && picture.receive(data, (moves) => setTriggerValue("move", moves)));
