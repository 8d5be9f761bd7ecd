// The race over a whole stream: the mistakes so far of all methods. It can be played task by task.

import { button, h, icon, place, setData, setText } from "../shared/dom.js";
import { FullScreen } from "../shared/full_screen.js";
import { learnRules, methodButtons, methodColour, methodSample } from "../shared/legend.js";
import { mountOnce, readJson } from "../shared/lifecycle.js";
import { CALM } from "../shared/media.js";
import { countLabels, drawMethodLines, placeCounts } from "../shared/method_lines.js";
import { Moves } from "../shared/moves.js";
import { axisNumber, roundUp, wholeTicks } from "../shared/numbers.js";
import { Panel } from "../shared/panel.js";
import { FINE, pictureOf, savePicture } from "../shared/snapshot.js";
import { undoSwipes } from "../shared/swipe.js";
import { applyTheme } from "../shared/theme.js";

const SECONDS = 9; // to play the whole race, however many tasks it has
const FASTEST = 6; // tasks a second at most, so that a short race is not over at once

class StreamRace {
  constructor(place) {
    this.hidden = new Set();
    this.moves = new Moves();
    this.root = h("div", { class: "aklo stream", "data-aklo": "race", "data-state": "paused", role: "group", tabindex: "-1", "aria-label": "The race" });
    this.panel = new Panel(
      "course", "The race: mistakes so far",
      "Each line counts the wrong predictions of a method, over all tasks of this one stream; lower is better. Faint upright "
      + "lines mark where tasks begin. Click a name to hide its line, click it twice to see it alone, point anywhere to read all of them, click to go there, and press Play to see it task by task.",
      { left: 3.4, right: 3.2, top: 1.5, bottom: 2.7 },
    );
    this.panel.heading.setAttribute("aria-level", "2"); // it stands right under the page's title
    this.readout = h("div", { class: "readout", hidden: true });
    this.labels = h("div");
    this.panel.overlay.append(this.labels, this.readout);
    this.legend = h("div", { class: "names", role: "group", "aria-label": "Methods shown" });
    this.panel.body.prepend(this.legend);
    this.playButton = button("Play", "play", "Play the race task by task");
    this.playButton.classList.add("primary");
    this.back = button("Step back", "back", "One task back");
    this.forward = button("Step forward", "forward", "One task on");
    this.slider = h("input", { type: "range", min: 1, max: 1, step: 1, "aria-label": "Tasks seen", title: "Drag through the race" });
    this.count = h("span", { class: "count" });
    this.controls = h("div", { class: "controls", role: "group", "aria-label": "Race controls" },
      h("div", { class: "transport" }, this.back, this.playButton, this.forward),
      h("div", { class: "timeline" }, this.slider, this.count));
    this.saveButton = button("Save picture", "camera", "Save what is shown now as a picture (PNG)");
    this.fullButton = button("Full screen", "full", "The race with large type, for the projector (Esc to leave)");
    this.tools = h("div", { class: "choices" }, this.saveButton, this.fullButton);
    this.panel.head.insertBefore(this.tools, this.panel.ask);
    this.live = h("p", { class: "spoken", "aria-live": "polite" });
    this.root.append(h("div", { class: "frame" }, this.panel.element, this.controls, this.live));
    place.append(this.root);
    this.listen();
  }

  listen() {
    this.playButton.addEventListener("click", () => (this.playing ? this.stop() : this.play()));
    this.back.addEventListener("click", () => this.stop(Math.ceil(this.v - 1e-9) - 1));
    this.forward.addEventListener("click", () => this.stop(Math.floor(this.v + 1e-9) + 1));
    this.slider.addEventListener("input", () => { this.go(Number(this.slider.value)); });
    this.slider.addEventListener("change", () => this.stop(Number(this.slider.value)));
    undoSwipes(this.slider, () => this.v, (v) => this.stop(v));
    const { canvas } = this.panel;
    canvas.addEventListener("pointermove", (event) => this.point(event.offsetX));
    canvas.addEventListener("pointerdown", (event) => this.point(event.offsetX));
    canvas.addEventListener("pointerleave", (event) => event.pointerType !== "touch" && this.point(null)); // stays after a tap
    canvas.addEventListener("click", (event) => event.detail === 1 && this.seek(event.offsetX));
    this.saveButton.addEventListener("click", () => this.save());
    this.ending = new AbortController();
    new FullScreen(this.root, this.fullButton, () => { this.stale = true; this.wake(); }, this.ending.signal);
    this.sizes = new ResizeObserver(() => this.wake());
    this.sizes.observe(this.root);
  }

  // What Python has sent. While a move of the visitor's is under way, the race keeps its own place; so it does if `after` is the
  // place that was reported or taken last, since it may be playing.
  receive(data, send) {
    const answered = this.moves.receive(data.heard, send);
    const whole = !this.data || this.v >= this.tasks;
    this.data = data;
    this.takeMethods(data);
    this.tasks = data.offsets.length - 1;
    this.n = data.offsets[this.tasks];
    const asked = data.after > 0 && data.after < this.tasks ? data.after : this.tasks;
    if (answered && data.after !== this.told) {
      this.playing = false;
      this.v = asked;
      this.told = data.after;
    } else if (whole && !this.playing) this.v = this.tasks;
    this.v = Math.min(this.v, this.tasks);
    this.slider.max = this.tasks;
    this.controls.hidden = this.tasks < 2;
    this.stale = this.fresh = true;
    this.draw(); // at once, not in the next frame
    if (this.playing) this.wake();
  }

  // The methods of the data: their names to click, and the labels at the ends of their lines.
  takeMethods({ methods, rules }) {
    if (this.methods?.join() === methods.join()) return;
    learnRules(rules);
    this.methods = methods;
    this.names = methodButtons(methods, (name) => this.toggle(name));
    this.names.forEach((one, m) => one.addEventListener("dblclick", () => this.isolate(methods[m])));
    this.legend.replaceChildren(...this.names);
    this.ends = countLabels(methods);
    this.labels.replaceChildren(...this.ends);
  }

  play() {
    if (this.v >= this.tasks) this.v = 0;
    this.playing = true;
    this.last = 0;
    this.wake();
  }

  // The counts of the methods that are shown, as text.
  get words() {
    const counts = this.shown.map((m) => `${this.methods[m]} ${Math.round(this.at(m, this.x(this.v)))}`);
    return `${this.count.textContent}: ${counts.join(", ")}`;
  }

  // Stop at the end of a task, and report the place. It is the first task's at the earliest, since Python reads 0 as all tasks.
  stop(v = Math.min(this.tasks, Math.ceil(this.v - 1e-9))) {
    this.playing = false;
    this.go(Math.max(v, 1));
    const after = this.v >= this.tasks ? 0 : this.v;
    if (after !== this.told) {
      this.told = after;
      this.moves.report(after);
    }
    setText(this.live, this.words);
  }

  // Go to the end of the task that lies at a place of the plot.
  seek(px) {
    const { panel, data } = this;
    const at = ((px - panel.x0) / (panel.x1 - panel.x0)) * this.n;
    if (at < 0 || at > this.n || this.tasks < 2) return;
    this.stop(data.offsets.findIndex((start) => start >= at));
  }

  // Save what is shown as a PNG, drawn at twice the resolution of the screen.
  async save() {
    this.panel.fine = FINE;
    this.draw();
    const picture = await pictureOf([this.panel.element], this.colours.ground);
    this.panel.fine = undefined;
    this.draw();
    savePicture(picture, `race_after_${Math.floor(this.v + 1e-9)}_tasks.png`);
  }

  go(v) {
    this.v = Math.min(Math.max(v, 0), this.tasks);
    this.draw();
  }

  toggle(name) {
    if (!this.hidden.delete(name)) this.hidden.add(name);
    this.stale = true;
    this.wake();
  }

  redraw() {
    if (this.data) this.draw();
  }

  // Show one method alone, or all of them where it is alone already.
  isolate(name) {
    const others = this.methods.filter((other) => other !== name);
    const alone = !this.hidden.has(name) && others.every((other) => this.hidden.has(other));
    this.hidden = new Set(alone ? [] : others);
    this.stale = true;
    this.wake();
  }

  wake() {
    if (this.frame || !this.data) return;
    this.frame = requestAnimationFrame((now) => {
      this.frame = 0;
      if (this.playing) {
        if (this.last) this.v += ((now - this.last) / 1000) * Math.min(this.tasks / SECONDS, FASTEST);
        this.last = now;
        if (this.v >= this.tasks) this.stop(this.tasks);
      }
      this.draw();
      if (this.playing) this.wake();
    });
  }

  // The number of examples in the first v tasks.
  x(v) {
    const { offsets } = this.data;
    const k = Math.min(Math.floor(v), this.tasks - 1);
    return offsets[k] + (v - k) * (offsets[k + 1] - offsets[k]);
  }

  // Mistakes of method m after x examples.
  at(m, x) {
    const { seen, totals } = this.data;
    let [low, high] = [0, seen.length - 1];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (seen[middle] <= x) low = middle; else high = middle;
    }
    return totals[m][low] + ((x - seen[low]) / (seen[high] - seen[low] || 1)) * (totals[m][high] - totals[m][low]);
  }

  get dark() {
    return this.theme === "dark";
  }

  // Draw axes, legend and complete lines once; each frame reveals the lines up to the current place.
  layout() {
    const { panel, data } = this;
    this.stale = false;
    // The axis follows what is shown.
    const most = Math.max(1, ...this.shown.map((m) => data.totals[m].at(-1)));
    const top = this.hidden.size ? Math.min(data.top, roundUp(most)) : data.top;
    this.scale = [panel.scaleX(0, this.n), panel.scaleY(0, top)];
    const [x, y] = this.scale;
    panel.axes({
      x, y,
      xs: wholeTicks(this.n, (panel.x1 - panel.x0) / (6 * panel.em)).map((v) => [v, axisNumber(v)]),
      ys: wholeTicks(top, (panel.y0 - panel.y1) / (3 * panel.em)).map((v) => [v, axisNumber(v)]),
      xName: "examples seen", yName: "mistakes so far",
    });
    this.methods.forEach((name, m) => {
      this.ends[m].style.color = methodColour(name, this.dark);
      this.ends[m].hidden = this.hidden.has(name);
      this.names[m].setAttribute("aria-pressed", String(!this.hidden.has(name)));
      this.names[m].replaceChildren(...methodSample(name, this.dark));
    });
    drawMethodLines(panel, this.methods, this.shown, this.dark, (g, m) =>
      data.seen.forEach((seen, k) => g.lineTo(x(seen), y(data.totals[m][k]))));
  }

  // The indices of the methods that are not hidden.
  get shown() {
    return this.methods.map((_, m) => m).filter((m) => !this.hidden.has(this.methods[m]));
  }

  draw() {
    const { panel } = this;
    const anew = applyTheme(this);
    if (panel.measure() || anew || this.stale) this.layout();
    const done = this.v >= this.tasks;
    setData(this.root, "state", this.playing ? "playing" : "paused");
    setData(this.root, "after", Math.floor(this.v + 1e-9));
    this.slider.value = Math.floor(this.v + 1e-9);
    this.slider.style.setProperty("--filled", `${(100 * this.v) / this.tasks}%`);
    const tasks = Math.ceil(this.v - 1e-9);
    setText(this.count, done ? `all ${this.tasks} tasks` : tasks ? `up to task ${tasks - 1} of ${this.tasks}` : "before the first task");
    this.slider.setAttribute("aria-valuetext", this.count.textContent);
    this.turn();
    if (!panel.visible) return;
    const [x, y] = this.scale;
    const g = panel.begin();
    this.starts(g, x);
    panel.grid(g, this.colours);
    // With reduced motion it jumps from task to task.
    const now = this.x(this.playing && CALM.matches ? Math.floor(this.v) : this.v);
    panel.reveal(g, x(now) + (done ? 2 : 0));
    if (!done) panel.cursor(g, x(now), this.colours);
    const values = this.shown.map((m) => this.at(m, now));
    placeCounts(panel, this.ends, this.shown, x(now), values.map(y), values.map(Math.round));
    this.read(g, x, y, now);
    if (!this.playing) this.describe(done);
  }

  // Describe the picture for screen readers, and announce changed data.
  describe(done) {
    if (this.fresh && this.panel.described) setText(this.live, this.words);
    this.fresh = false;
    this.panel.describe(done && !this.hidden.size ? this.data.alt : `Mistakes so far, ${this.words}.`);
  }

  // Draw faint lines where tasks begin, fifty at most.
  starts(g, x) {
    const every = Math.ceil(this.tasks / 50);
    g.strokeStyle = this.colours.panel;
    g.lineWidth = 1;
    g.beginPath();
    for (let k = every; k < this.tasks; k += every) {
      const at = Math.round(x(this.data.offsets[k])) + 0.5;
      g.moveTo(at, this.panel.y1);
      g.lineTo(at, this.panel.y0);
    }
    g.stroke();
  }

  turn() {
    if (this.shownPlaying === this.playing) return;
    this.shownPlaying = this.playing;
    this.playButton.setAttribute("aria-label", this.playing ? "Pause" : "Play");
    this.playButton.replaceChildren(icon(this.playing ? "pause" : "play"));
  }

  point(at) {
    this.pointed = at;
    this.wake();
  }

  // Show the counts of all methods at the pointer.
  read(g, x, y, now) {
    const { panel } = this;
    const at = this.pointed === null || this.pointed === undefined ? NaN
      : Math.round(((this.pointed - panel.x0) / (panel.x1 - panel.x0)) * this.n);
    this.readout.hidden = !(at >= 0 && at <= now);
    if (this.readout.hidden) return;
    panel.cursor(g, x(at), this.colours);
    const task = Math.max(this.data.offsets.findIndex((start) => start > at) - 1, 0);
    const rows = this.shown.map((m) => [this.methods[m], this.at(m, at)]).sort((a, b) => b[1] - a[1]);
    this.readout.replaceChildren(
      h("p", { text: at === this.n ? `all ${this.n} examples` : `${at} examples, in task ${task}` }),
      ...rows.map(([name, value]) => h("p", { style: `color:${methodColour(name, this.dark)}` }, h("span", { text: name }), h("b", { text: String(Math.round(value)) }))),
    );
    const room = this.readout.offsetWidth + panel.em;
    place(this.readout, x(at) + room > panel.width ? x(at) - room : x(at) + panel.em, panel.y1);
  }

  remove() {
    cancelAnimationFrame(this.frame);
    this.ending.abort();
    this.moves.stop();
    this.sizes.disconnect();
    this.root.remove();
  }
}

export default mountOnce(StreamRace, (race, { data, setTriggerValue }) => data && race.receive(readJson(data), (moves) => setTriggerValue("move", moves)));
