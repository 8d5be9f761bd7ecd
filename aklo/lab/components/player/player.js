// The player: panels, formula and controls around one clock. Streamlit calls the default export whenever Python has sent
// something or the theme has changed.

import { AlphaPanel } from "./alpha_panel.js";
import { Clock } from "./clock.js";
import { Controls } from "./controls.js";
import { probe } from "./decision_field.js";
import { Formula } from "./formula.js";
import { PlanePanel } from "./plane.js";
import { Reshape } from "./reshape.js";
import { taskOf, unpack } from "./task.js";
import { TaskBox } from "./task_box.js";
import { TaskRacePanel } from "./task_race.js";
import { WeightsPanel } from "./weights.js";
import { readHeader } from "../shared/block.js";
import { isConnected } from "../shared/connection.js";
import { h, setData, setText } from "../shared/dom.js";
import { FullScreen } from "../shared/full_screen.js";
import { mountOnce } from "../shared/lifecycle.js";
import { markLowWindow } from "../shared/low_window.js";
import { CALM } from "../shared/media.js";
import { Moves } from "../shared/moves.js";
import { FINE, pictureOf, savePicture } from "../shared/snapshot.js";
import { applyTheme, groupColour } from "../shared/theme.js";

const MORPH = 0.8; // seconds in which the finished learner becomes an expert
const DESCRIPTIONS = 1000; // milliseconds between two descriptions of the panels while it plays
const REPORTS = 300; // milliseconds between two reports of the view, at least

function sizeInWords({ n, T }) {
  const experts = T === 1 ? "1 expert" : `${T} experts`;
  return `${n === 1 ? "1 example" : `${n} examples`}, ${T ? experts : "no experts yet"}`;
}

class Player {
  constructor(place) {
    this.clock = new Clock(() => this.wake());
    this.state = { lit: -1, pinned: -1, hidden: new Set(), version: 0, morph: 0 };
    this.wide = false;
    this.root = h("div", { class: "aklo player fills", "data-aklo": "player", tabindex: "0", role: "group", "aria-label": "Player" });
    this.root.akloProbe = (u1, u2, t, method) => probe(taskOf(this.task, method), u1, u2, t, method);
    this.root.akloView = () => this.linkParameters();
    this.moves = new Moves(() => this.reportView(true));
    this.reshape = new Reshape(this.moves, (task) => this.showMixed(task));
    this.stop = new AbortController();
    const { signal } = this.stop;
    this.root.addEventListener("keydown", (event) => this.controls.onKey(event, (anew) => this.start(anew)), { signal });
    CALM.addEventListener("change", () => this.wake(), { signal });
    this.sizes = new ResizeObserver(() => { this.stale = true; this.wake(); });
    place.append(this.root);
  }

  // small: whether there are only the plane and the race.
  build(small) {
    const light = (i) => this.light(i);
    this.plane = new PlanePanel({ light });
    this.race = new TaskRacePanel({ toggle: (name) => this.toggle(name), setRegret: (on) => this.setRegret(on) });
    this.panels = small ? [this.plane, this.race]
      : [this.plane, new WeightsPanel({ light, pin: (i) => this.pin(i) }), new AlphaPanel(this.reshape), this.race];
    this.sentence = new Formula();
    this.controls = new Controls(this.clock, {
      restart: (anew) => this.start(anew), choose: (name) => this.choose(name), save: () => this.save(),
    });
    new FullScreen(this.root, this.controls.fullButton, () => { this.stale = true; this.wake(); }, this.stop.signal);
    this.dot = h("span", { class: "dot" });
    this.title = h("h2");
    this.subtitle = h("span", { class: "subtitle" });
    this.methodLabel = h("label", { class: "shown", text: "Method shown" });
    this.methodLabel.append(this.controls.method);
    this.taskBox = new TaskBox((task) => this.moves.report({ task }));
    const titles = h("div", { class: "titles" }, this.dot, this.title, this.subtitle);
    const head = h("div", { class: "head" }, titles, this.taskBox.element, this.methodLabel);
    this.live = h("p", { class: "spoken", "aria-live": "polite" });
    const board = h("div", { class: "board" }, ...this.panels.map((panel) => panel.element));
    this.pictured = [head, board, this.sentence.element];
    const body = h("div", { class: "frame" }, head, this.controls.element, board, this.sentence.element);
    this.root.append(body, this.live);
    this.root.classList.toggle("small", small);
    this.plane.wideButton.addEventListener("click", () => this.setWide(!this.wide));
    for (const panel of this.panels) this.sizes.observe(panel.plot);
  }

  // What Python has sent. If the picture is the same, only a new revision of the view changes anything.
  receive(block, send) {
    const header = readHeader(block);
    const again = this.digest !== undefined;
    this.answered = this.moves.receive(header.heard, send);
    this.reshape.receive(header, this.answered);
    const reshaped = !this.reshape.mine && this.task && this.task.schedule !== header.schedule;
    if (header.digest !== this.digest || reshaped || this.next) {
      this.digest = header.digest;
      const task = this.reshape.take(unpack(block));
      // The next task is shown when the animation of the finished learner has ended.
      if (this.state.morph > 0) this.next = task;
      else this.show(task);
    } else {
      this.takeView(header);
      this.wake();
    }
    this.followTheme();
    if (again && this.stale && this.state.morph === 0) this.draw(); // at once, not in the next frame
  }

  show(task) {
    const { clock, state } = this;
    const before = this.task;
    const other = !before || before.task !== task.task;
    if (!before) this.build(task.small);
    // A bound is stated for one method: the lines of the others are hidden at first.
    if (!before && task.promise != null) state.hidden = new Set(task.methods.filter((name) => name !== task.view.method));
    if (!before && task.lines) state.hidden = new Set(task.methods.filter((name) => !task.lines.includes(name)));
    this.task = task;
    this.controls.offer(task.methods);
    state.version += 1;
    state.morph = 0;
    this.asking = false;
    this.next = null;
    clock.resize(task.n);
    if (other) {
      clock.go(1);
      state.pinned = state.lit = -1;
    }
    // Another task starts at its first step, and Python has to be told so if it did not ask for that step.
    this.unknown = other && before && task.revision === this.revision;
    this.takeView(task, other);
    if (!before && task.autoplay && !CALM.matches) clock.play();
    if (state.lit >= task.T) state.lit = -1;
    if (state.pinned >= task.T) state.pinned = -1;
    this.title.textContent = task.title || `Task ${task.task}`;
    this.writeSubtitle(task);
    this.root.dataset.task = task.task;
    this.taskBox.show(task);
    this.root.classList.toggle("guessed", task.guess != null);
    this.root.classList.toggle("can-choose-task", task.canChooseTask && !this.alone);
    this.controls.fit(task.n);
    this.root.setAttribute("aria-label", `Player: ${this.title.textContent}`);
    this.stale = true;
    this.wake();
  }

  // Show the same task under another alpha, which the visitor is drawing. Time goes on.
  showMixed(task) {
    this.task = task;
    this.writeSubtitle(task);
    this.state.version += 1;
    this.stale = true;
    this.wake();
  }

  // What Python says about the task is about the alpha that it knows, not about one that is being drawn.
  writeSubtitle(task) {
    const words = (this.reshape.mine ? "" : task.about) || sizeInWords(task);
    this.subtitle.textContent = this.subtitle.title = words; // it is cut where there is no room
  }

  // Take Python's view, if its revision is new and Python has heard all moves. The step is taken only if it differs from the one
  // that Python knows: otherwise something else was changed, such as the method, and a player that is playing continues.
  // other: whether another task is shown, which needs a step in any case.
  takeView({ view, revision, report, chooseMethod, linkKeys }, other = false) {
    Object.assign(this, { report, linkKeys });
    this.methodLabel.hidden = !chooseMethod;
    if (revision === this.revision || !(this.answered || other)) return;
    const moved = other || !this.known || view.step !== this.known.step || view.told !== this.known.told;
    if (this.answered) this.revision = revision; // otherwise it is taken once more when the answer has come
    this.known = view;
    this.choose(view.method);
    this.setWide(view.wide);
    this.setRegret(view.regret);
    if (view.guess !== this.clock.guess) this.clock.setGuess(view.guess);
    if (!moved) return;
    if (!other) this.clock.pause();
    this.clock.go(view.step, { phase: view.guess && !view.told ? "ask" : "tell" });
  }

  get seen() {
    const { clock, state } = this;
    return { step: clock.t, told: clock.phase === "tell", method: state.method, wide: this.wide, guess: clock.guess, regret: Boolean(state.regret) };
  }

  // Report the view if it differs from what Python knows. While it plays, a new step alone is not reported.
  // now: whether it cannot wait, since the visitor leaves the page.
  reportView(now = false) {
    if (!this.report || this.alone || (this.late && !now)) return;
    const { known, seen } = this;
    const still = !this.clock.playing && !this.controls.scrubbing;
    const fields = still || this.unknown ? Object.keys(seen) : ["method", "wide", "guess", "regret"];
    if (fields.every((name) => seen[name] === known[name])) return;
    const wait = (this.reportedAt ?? -Infinity) + REPORTS - performance.now();
    if (wait > 0 && !now) {
      this.late = setTimeout(() => { this.late = 0; this.reportView(); }, wait);
      return;
    }
    this.reportedAt = performance.now();
    this.unknown = false;
    this.known = seen;
    this.moves.report({ view: { ...seen, task: this.task.task } });
  }

  // Report that the last step is shown, unless Python knows: its view is at that step then.
  reportEnd() {
    const { atEnd, n } = this.clock;
    if (atEnd && !this.endTold && this.task.reportsEnd && !this.alone && this.known.step < n) {
      this.known = { ...this.known, step: n }; // Python's answer does not take back what the visitor does meanwhile
      this.moves.report({ ended: true });
    }
    this.endTold = atEnd;
  }

  // The current view as parameters of a link.
  linkParameters() {
    if (!this.task) return {};
    const { seen } = this;
    return Object.fromEntries(Object.entries(this.linkKeys ?? {}).filter(([name]) => name in seen).map(([name, key]) => [
      key, typeof seen[name] === "boolean" ? String(Number(seen[name])) : String(seen[name]),
    ]));
  }

  followTheme() {
    if (!applyTheme(this)) return;
    this.state.version += 1;
    this.stale = true;
    this.wake();
  }

  get view() {
    const { clock, state } = this;
    const task = taskOf(this.task, state.method);
    return {
      ...state, task, colours: this.colours, dark: this.theme === "dark", method: state.method,
      t: clock.t, phase: clock.phase, v: clock.viewed, told: clock.told,
      toldNow: CALM.matches ? clock.told : clock.toldNow,
      lit: state.lit >= 0 ? state.lit : state.pinned,
    };
  }

  start(anew) {
    const { clock } = this;
    if (anew) {
      clock.go(1);
      if (this.asking) this.stopAsking();
      return;
    }
    if (clock.atEnd && this.hasNext) {
      clock.playing = true;
      this.askNext();
    } else clock.play();
  }

  get hasNext() {
    return this.task.follow && !this.alone && this.task.task + 1 < this.task.nTasks;
  }

  askNext() {
    this.asking = true;
    this.state.morph = CALM.matches ? 0 : 1e-6;
    this.moves.report({ task: this.task.task + 1 });
    this.wake();
  }

  // Wait for the next task no longer. If it has come it is shown, since Python has gone on to it; if it comes later, too.
  stopAsking() {
    this.asking = false;
    this.state.morph = 0;
    this.clock.pause();
    if (this.next) this.show(this.next);
  }

  light(i) {
    if (this.state.lit === i) return;
    this.state.lit = i;
    this.wake();
  }

  pin(i) {
    this.state.pinned = this.state.pinned === i ? -1 : i;
    this.wake();
  }

  toggle(name) {
    const { hidden } = this.state;
    if (!hidden.delete(name)) hidden.add(name);
    this.wake();
  }

  // Another method. What a rule weighs by itself is drawn anew.
  choose(name) {
    const weighs = (method) => taskOf(this.task, method) !== this.task;
    if (weighs(name) || weighs(this.state.method)) {
      this.state.version += 1;
      this.stale = true;
    }
    this.state.method = name;
    this.wake();
  }

  setRegret(on) {
    if (Boolean(this.state.regret) === on) return;
    this.state.regret = on;
    this.state.version += 1;
    this.stale = true;
    this.wake();
  }

  setWide(on) {
    if (this.wide === on) return;
    this.wide = on;
    this.plane.wideButton.ariaPressed = String(on);
    this.stale = true;
    this.wake();
  }

  // Save what is shown as a PNG, with the panels drawn at twice the resolution of the screen.
  async save() {
    const drawAt = (fine) => {
      for (const panel of this.panels) panel.fine = fine;
      this.stale = true;
      this.draw();
    };
    drawAt(FINE);
    const picture = await pictureOf(this.pictured, this.colours.ground);
    drawAt(undefined);
    savePicture(picture, `task_${this.task.task}_step_${this.clock.t}.png`);
  }

  wake() {
    if (!this.frame && !this.gone) this.frame = requestAnimationFrame((now) => this.onFrame(now));
  }

  onFrame(now) {
    this.frame = 0;
    if (this.gone || !this.task || !this.theme) return;
    const dt = this.last ? Math.min((now - this.last) / 1000, 0.1) : 1 / 60;
    this.advance(dt);
    this.draw();
    this.reportView();
    this.reportEnd();
    const busy = this.clock.moving || this.state.morph > 0;
    this.last = busy ? now : 0;
    if (busy) this.wake();
  }

  advance(dt) {
    const { clock, state } = this;
    if (this.asking) {
      if (state.morph > 0) state.morph = Math.min(1, state.morph + dt / MORPH);
      if (state.morph === 1 && this.next) this.show(this.next);
      // The visitor has moved on to another step, or what was asked is lost with the connection.
      else if (!clock.atEnd || (!this.next && !isConnected())) this.stopAsking();
      return;
    }
    if (!clock.tick(dt)) return;
    if (this.hasNext) this.askNext();
    else clock.pause();
  }

  draw() {
    if (this.stale) {
      this.stale = false;
      markLowWindow(this.root);
      const changed = this.panels.map((panel) => panel.measure());
      const all = this.laidOut !== `${this.state.version} ${this.wide}`;
      this.laidOut = `${this.state.version} ${this.wide}`;
      const { view } = this;
      this.panels.forEach((panel, k) => (all || changed[k]) && panel.layout(view));
      this.dot.hidden = this.task.group === null;
      this.dot.style.background = this.dot.hidden ? "" : groupColour(this.colours, this.task.group);
    }
    const { view } = this;
    for (const panel of this.panels) panel.draw(view);
    this.sentence.draw(view);
    this.controls.draw(view);
    setData(this.root, "schedule", this.task.schedule);
    setData(this.root, "t", view.t);
    setData(this.root, "phase", view.phase);
    setData(this.root, "lit", view.lit);
    setData(this.root, "state", this.clock.playing ? "playing" : "paused");
    // Announced to screen readers only when it is paused.
    if (!this.clock.playing) setText(this.live, `Step ${view.t} of ${this.task.n}. ${this.sentence.text}`);
    this.describe(view);
  }

  redraw() {
    if (!this.task || !this.theme) return;
    this.followTheme();
    this.stale = true;
    this.draw();
  }

  // Describe the panels for screen readers. While it plays, a description may be a second old.
  describe(view) {
    const now = performance.now();
    if (this.clock.moving && now - (this.describedAt ?? 0) < DESCRIPTIONS) return;
    this.describedAt = now;
    for (const panel of this.panels) if (panel.visible) panel.describe(panel.summary(view));
  }

  remove() {
    this.gone = true;
    cancelAnimationFrame(this.frame);
    clearTimeout(this.late);
    this.stop.abort();
    this.moves.stop();
    this.sizes.disconnect();
    this.root.remove();
  }
}

export default mountOnce(Player, (player, { data, setTriggerValue, alone }) => {
  player.alone = alone; // in an exported file there is no server to ask for the next task
  if (data) player.receive(data, (moves) => setTriggerValue("move", moves));
});
