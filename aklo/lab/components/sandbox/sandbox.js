// The sandbox: a visitor places examples and tells their labels. The browser keeps the story of what was told, Python answers
// with predictions, and the panels show both.

import { Formula } from "../player/formula.js";
import { asksExperts, drawnAt, taskOf, unpack } from "../player/task.js";
import { WeightsPanel } from "../player/weights.js";
import { Actions, PLAYS } from "./actions.js";
import { Counters } from "./counters.js";
import { ClickablePlane } from "./clickable_plane.js";
import { Story } from "./story.js";
import { VotePanel } from "./vote_panel.js";
import { readHeader } from "../shared/block.js";
import { h, setData, setText } from "../shared/dom.js";
import { mountOnce } from "../shared/lifecycle.js";
import { markLowWindow } from "../shared/low_window.js";
import { CALM, TOUCH } from "../shared/media.js";
import { Moves } from "../shared/moves.js";
import { decimal, MINUS, sign } from "../shared/numbers.js";
import { applyTheme } from "../shared/theme.js";

const MOVE = 0.35; // seconds for a step
const BECOME = 0.8; // seconds in which the finished learner becomes an expert
const PAUSE = 300; // milliseconds between a prediction and its label while it plays

class Sandbox {
  constructor(place) {
    this.story = new Story();
    this.moves = new Moves();
    this.state = { lit: -1, pinned: -1, version: 0, morph: 0 };
    this.root = h("div", { class: "aklo world fills", "data-aklo": "world", role: "group", "aria-label": "Sandbox" });
    this.root.addEventListener("keydown", (event) => this.onKey(event));
    this.sizes = new ResizeObserver(() => { this.stale = true; this.wake(); });
    this.build();
    place.append(this.root);
  }

  build() {
    const light = (i) => this.set({ lit: i });
    const tell = (y) => this.tell(y);
    this.plane = new ClickablePlane({ light, tell, place: (x1, x2) => this.place(x1, x2) });
    this.weights = new WeightsPanel({ light, pin: (i) => this.set({ pinned: this.state.pinned === i ? -1 : i }) });
    // With the plane in focus the arrow keys place the next example.
    const votes = new VotePanel({ tell: (y) => { tell(y); this.plane.focus(); } });
    this.panels = [this.plane, votes, this.weights, new Counters({ choose: (name) => this.choose(name) })];
    this.sentence = new Formula();
    this.actions = new Actions({
      undo: () => this.act(() => this.story.undo()),
      clear: () => this.act(() => this.story.clear()),
      startOver: () => this.act(() => this.story.startOver()),
      play: (who) => this.play(who),
      finish: () => this.finish(),
    });
    this.title = h("h2");
    this.subtitle = h("span", { class: "subtitle" });
    this.method = h("select", { "aria-label": "Method", title: "Whose region, vote and mistakes are shown, and whom the adversary opposes" });
    this.method.addEventListener("change", () => this.choose(this.method.value));
    const shown = h("label", { class: "shown", text: "Method shown" });
    shown.append(this.method);
    const head = h("div", { class: "head" }, h("div", { class: "titles" }, this.title, this.subtitle), shown);
    this.hint = h("p", { class: "hint", role: "status" });
    const board = h("div", { class: "board" }, ...this.panels.map((panel) => panel.element));
    this.root.append(h("div", { class: "frame" }, head, this.actions.element, this.hint, board, this.sentence.element));
    this.plane.wideButton.addEventListener("click", () => {
      this.plane.wideButton.ariaPressed = String(this.plane.wideButton.ariaPressed !== "true");
      this.refresh();
    });
    for (const panel of this.panels) this.sizes.observe(panel.plot);
  }

  // What Python has sent. It may be the answer to the newest story or to an older one; a new session has no story yet.
  receive(block, { keep, send }) {
    this.keep = keep;
    const header = readHeader(block);
    const answered = this.moves.receive(header.heard, send);
    if (header.revision !== this.revision && answered) {
      this.revision = header.revision;
      this.showMethod(header.view.method);
    }
    this.underWay = header.serial !== this.story.serial;
    if (this.underWay) this.sendStory(); // what was sent is older, or was lost, or is still to be answered, and then it does no harm
    else if (header.digest !== this.digest) {
      this.digest = header.digest;
      const task = unpack(block);
      // The next task is shown when the animation of the finished learner has ended.
      if (this.state.morph > 0) this.next = task;
      else this.show(task);
      this.wake();
    } else this.answered();
    this.followTheme();
  }

  // Ask for the answer to the story. One is under way at a time: a newer one waits, and is sent when the answer has come.
  ask() {
    if (!this.underWay) this.sendStory();
    this.wake();
  }

  sendStory() {
    this.underWay = true;
    this.keep("story", this.story.sent);
  }

  show(task) {
    const before = this.task;
    if (task.note) this.story.change({ tasks: [], now: [], ask: null });
    task.learner = task.learner.subarray(0, 3 * task.n); // the learner after the open question is not known yet
    this.task = task;
    if (before?.methods.join() !== task.methods.join()) {
      this.method.replaceChildren(...task.methods.map((text) => h("option", { value: text, text })));
    }
    const told = before && before.task === task.task && task.n > before.n;
    Object.assign(this.state, { morph: 0, version: this.state.version + 1, v: told && !CALM.matches ? task.n - 1 : task.n });
    for (const name of ["lit", "pinned"]) if (this.state[name] >= task.T) this.state[name] = -1;
    this.stale = true;
    this.answered();
  }

  // The newest story has its answer: tell a label that was waiting, and continue to play.
  answered() {
    this.answeredSerial = this.story.serial;
    this.answeredAt = performance.now();
    const label = this.queued;
    this.queued = null;
    if (label && this.story.ask) this.tell(label);
    this.goOn();
    this.wake();
  }

  get isAnswered() {
    return this.answeredSerial === this.story.serial;
  }

  act(change) {
    this.playing = this.queued = null;
    if (this.state.morph > 0 && this.next) this.show(this.next);
    this.state.morph = 0;
    this.next = null;
    change();
    this.ask();
  }

  place(x1, x2) {
    if (!this.task || this.isFull) return;
    this.act(() => this.story.place(x1, x2));
  }

  // A label counts only after the prediction has been shown; while the answer is under way, the label waits.
  tell(y) {
    if (!this.story.ask || this.playing) return;
    if (!this.isAnswered) {
      this.queued = y;
      return;
    }
    this.act(() => this.story.tell(y));
  }

  finish() {
    if (!this.story.now.length || this.story.ask) return;
    this.act(() => this.story.finish());
    if (!CALM.matches) this.state.morph = 1e-6;
  }

  // Let a group, or the adversary, place and label the next examples one after another, until it is paused.
  play(who) {
    if (this.playing) {
      this.playing = null;
      this.wake();
      return;
    }
    this.playing = { who, left: PLAYS };
    this.goOn();
  }

  goOn() {
    window.clearTimeout(this.later);
    if (!this.playing || !this.isAnswered) return;
    const wait = this.answeredAt + (CALM.matches ? 0 : PAUSE) - performance.now();
    if (this.story.ask && wait > 0) {
      this.later = window.setTimeout(() => this.goOn(), wait);
      this.wake();
      return;
    }
    const { task, story, playing } = this;
    const next = task.next[playing.who];
    if (!story.ask) {
      if (this.isFull) this.playing = null;
      else story.place(...next);
    } else {
      const y = task.answers[playing.who] ?? -task.says[task.methods.indexOf(this.state.method)];
      playing.left -= 1;
      const last = playing.left === 0 || story.told + 1 >= task.limits.inATask || story.inAll + 1 >= task.limits.inAll;
      story.tell(y, last ? null : next);
      if (last) this.playing = null;
    }
    this.ask();
  }

  get isFull() {
    const { limits } = this.task;
    return this.story.told >= limits.inATask || this.story.inAll >= limits.inAll;
  }

  choose(name) {
    if (name === this.state.method) return;
    this.showMethod(name);
    this.moves.report({ method: name });
  }

  showMethod(name) {
    this.set({ method: name });
    this.state.version += 1;
    this.refresh();
  }

  set(words) {
    Object.assign(this.state, words);
    this.wake();
  }

  refresh() {
    this.stale = true;
    this.wake();
  }

  onKey(event) {
    const target = event.composedPath()[0];
    if (target.tagName === "SELECT" || event.altKey || !this.task) return;
    const undo = (event.key === "z" && (event.ctrlKey || event.metaKey)) || event.key === "Backspace";
    const onPlane = target === this.plane.plot;
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (undo) this.act(() => this.story.undo());
    else if (event.ctrlKey || event.metaKey) return;
    else if (["+", "="].includes(event.key)) this.tell(1);
    else if (["-", "_", MINUS].includes(event.key)) this.tell(-1);
    else if (onPlane && way) {
      const [x1, x2] = this.plane.move(...way, event.shiftKey);
      this.moved = `Cursor at ${decimal(x1, 2)}, ${decimal(x2, 2)}.`;
      this.wake();
    } else if (onPlane && (event.key === "Enter" || event.key === " ")) this.plane.drop();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  followTheme() {
    if (!applyTheme(this)) return;
    this.state.version += 1;
    this.refresh();
  }

  get view() {
    const { state, story } = this;
    const task = taskOf(this.task, state.method);
    const answered = this.isAnswered && task.serial === story.serial;
    const pending = Boolean(story.ask) && !state.morph;
    // The player's panels need a step, and whether its label has been told.
    const spoken = pending ? (answered && task.pending ? { task, t: task.n, phase: "ask" } : null)
      : task.n > 1 ? { task, t: task.n - 1, phase: "tell" } : null;
    return {
      ...state, task, pending, answered: answered && task.pending === pending, telling: pending && answered && !this.playing,
      colours: this.colours, dark: this.theme === "dark", t: task.n, told: task.n - 1, phase: pending ? "ask" : "tell",
      lit: state.lit >= 0 ? state.lit : state.pinned, playing: this.playing,
      spoken: spoken && { ...spoken, method: state.method, version: state.version },
    };
  }

  wake() {
    if (!this.frame && !this.gone) this.frame = requestAnimationFrame((now) => this.onFrame(now));
  }

  onFrame(now) {
    this.frame = 0;
    if (this.gone || !this.task || !this.theme) return;
    const { state, task } = this;
    const dt = this.last ? Math.min((now - this.last) / 1000, 0.1) : 1 / 60;
    state.v = Math.min(task.n, state.v + dt / MOVE);
    if (state.morph > 0) state.morph = Math.min(1, state.morph + dt / BECOME);
    if (state.morph === 1 && this.next) {
      const { next } = this;
      this.next = null;
      this.show(next);
    }
    this.draw();
    const busy = state.v < this.task.n || (state.morph > 0 && state.morph < 1);
    this.last = busy ? now : 0;
    if (busy) this.wake();
  }

  redraw() {
    if (!this.task || !this.theme) return;
    this.followTheme();
    this.stale = true;
    this.draw();
  }

  draw() {
    const { task, story } = this;
    if (story.ask) task.points.set(story.ask, 2 * task.n - 2); // where it was clicked, before the answer has come
    const { view } = this;
    if (this.stale) {
      this.stale = false;
      markLowWindow(this.root);
      const changed = this.panels.map((panel) => panel.measure());
      const wide = this.plane.wideButton.ariaPressed;
      const all = this.laidOut !== `${this.state.version} ${wide}`;
      this.laidOut = `${this.state.version} ${wide}`;
      this.panels.forEach((panel, k) => (all || changed[k]) && panel.layout(view));
    }
    for (const panel of this.panels) panel.draw(view);
    if (view.spoken) this.sentence.draw(view.spoken);
    else this.silence(view);
    this.actions.draw(view, story, this.isFull);
    this.tellAbout(view);
  }

  silence(view) {
    this.sentence.told = null;
    this.sentence.write([["", view.pending ? "…" : "ŷ = sign[(1 − α) · learner + α · knowledge]"]]);
    setText(this.sentence.verdict, view.pending ? "" : "Nothing has been asked in this task yet.");
  }

  tellAbout(view) {
    const { task, root } = this;
    const many = (n, thing) => `${n} ${thing}${n === 1 ? "" : "s"}`;
    setText(this.title, task.title);
    const reset = asksExperts(task, view.method) && task.T > 1 ? `; weights reset at t = ${task.anew}` : "";
    setText(this.subtitle, `${many(view.told, "example")} told, ${many(task.T, "expert")}${reset}`);
    const asked = drawnAt(task, view.method, view.t);
    setText(this.plane.askedLabel, view.pending ? "asked" : "will be asked");
    if (asked >= 0 && !view.pending) setText(this.weights.asked, `will ask: ${task.names[asked]}`);
    this.subtitle.title = "Nobody knows how long the task will be, so the weights are set back to equal ones whenever its length has doubled";
    if (this.method.value !== view.method) this.method.value = view.method;
    // While it plays, the line changes faster than a screen reader can speak.
    this.hint.setAttribute("aria-live", this.playing ? "off" : "polite");
    setText(this.hint, this.moved ?? this.hintOf(view));
    this.moved = null;
    if (!this.playing) for (const panel of [this.plane, this.weights]) if (panel.visible) panel.describe(panel.summary(view));
    for (const [name, value] of Object.entries({
      told: view.told, finished: task.finished, pending: view.pending, method: view.method, serial: this.answeredSerial ?? "",
      state: this.playing ? "playing" : view.morph > 0 ? "joining" : this.isAnswered ? "ready" : "asking",
    })) setData(root, name, value);
  }

  hintOf({ task, pending, answered, method, morph, told, playing }) {
    const m = task.methods.indexOf(method);
    if (morph > 0) return "Frozen: your learner joins the knowledge base.";
    if (playing) return `${task.players[playing.who] ?? "The adversary"} is playing on: ${playing.left} more.`;
    if (pending && !answered) return "Asking the learner and the experts …";
    if (pending) return `${method} predicts ${sign(task.says[m])}. Now tell what it is: + or −.`;
    if (task.note && !told) return task.note;
    if (this.isFull) return "That is as much as the page keeps: finish the task, undo, or start over.";
    if (told && task.finished >= task.limits.tasks) return `${task.finished} finished tasks are as many as the page keeps: start over to tell more.`;
    if (!told) return TOUCH.matches ? "Tap the plane to place an example."
      : "Click in the plane to place an example. By keyboard: arrow keys, Enter, then + or −.";
    const wrong = task.errors[m * task.n + told - 1] === 1;
    return `You told ${sign(task.labels[told - 1])}: ${method} was ${wrong ? "wrong" : "right"}. Place the next one, or finish the task.`;
  }

  remove() {
    this.gone = true;
    window.clearTimeout(this.later);
    this.moves.stop();
    cancelAnimationFrame(this.frame);
    this.sizes.disconnect();
    this.root.remove();
  }
}

export default mountOnce(Sandbox, (sandbox, { data, setStateValue, setTriggerValue }) => {
  if (data) sandbox.receive(data, { keep: setStateValue, send: (moves) => setTriggerValue("move", moves) });
});
