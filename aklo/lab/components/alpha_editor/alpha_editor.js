// The alpha editor: a curve whose points can be dragged up and down. Alpha may only fall and stays in [0, 1], so a point that
// is dragged pushes its neighbours along. The schedule is reported when the point is released.

import { h, setAttributes, shape } from "../shared/dom.js";
import { mountOnce, readJson } from "../shared/lifecycle.js";

const MARGIN = { left: 62, right: 16, top: 16, bottom: 44 };
const FEWEST = 3;
const MOST = 17;
const REST = 450; // milliseconds without a key after which keyboard moves are reported
const KEYS = {
  ArrowUp: 0.01, ArrowRight: 0.01, ArrowDown: -0.01, ArrowLeft: -0.01, PageUp: 0.1, PageDown: -0.1, Home: -1, End: 1,
};

const tidy = (value) => Math.round(1000 * Math.min(Math.max(value, 0), 1)) / 1000;
const specOf = (points) => `custom:points=${points.map(String).join("/")}`;

// Return the points with point i at a height: lower points before it are raised, higher points after it lowered.
function push(points, i, height) {
  const v = tidy(height);
  return points.map((p, j) => (j < i ? Math.max(p, v) : j > i ? Math.min(p, v) : v));
}

// Return the heights at `count` evenly spaced places on the lines through the points.
function resample(points, count) {
  return Array.from({ length: count }, (_, i) => {
    const at = (i * (points.length - 1)) / (count - 1);
    const left = Math.min(Math.floor(at), points.length - 2);
    return tidy(points[left] + (at - left) * (points[left + 1] - points[left]));
  });
}

class AlphaEditor {
  constructor(place) {
    this.root = h("div", { class: "alpha-editor", "data-aklo": "alpha" });
    this.axes = shape("g", { class: "axes", "aria-hidden": "true" });
    this.under = shape("path", { class: "under" });
    this.above = shape("path", { class: "above" });
    this.resets = shape("path", { class: "resets" });
    this.before = shape("path", { class: "before" });
    this.line = shape("path", { class: "line" });
    this.handles = shape("g");
    this.plot = shape(
      "svg", { class: "plot", role: "group" }, this.above, this.under, this.axes, this.resets, this.before, this.line, this.handles,
    );
    this.readout = h("p", { class: "readout", "aria-hidden": "true" });
    this.buttons = {
      again: this.button("Start over", "Back to the schedule that you started from", () => this.startOver()),
      fewer: this.button("Fewer points", "Half as many points to drag", () => this.refine(-1)),
      more: this.button("More points", "Twice as many points to drag", () => this.refine(1)),
    };
    this.startName = h("span");
    this.keys = {
      own: h("span", { class: "own" }, h("i"), "trust in knowledge, α"),
      other: h("span", { class: "other" }, h("i"), "trust in the learner, 1 − α"),
      old: h("span", { class: "old" }, h("i"), this.startName),
      anew: h("span", { class: "anew" }, h("i"), "weights start anew"),
    };
    const key = h("p", { class: "key" }, ...Object.values(this.keys));
    this.tools = h("div", { class: "tools" }, ...Object.values(this.buttons));
    this.waiting = h("p", { class: "waiting" });
    this.root.append(key, this.plot, this.readout, this.waiting, this.tools);
    this.plot.addEventListener("pointerdown", (event) => this.grab(event));
    this.plot.addEventListener("pointermove", (event) => this.drag(event));
    this.plot.addEventListener("pointerup", () => this.drop());
    this.plot.addEventListener("pointercancel", () => this.cancel());
    // CSS touch-action does not reach shapes inside an SVG: a finger on a point must not scroll the page.
    this.handles.addEventListener("touchstart", (event) => event.preventDefault(), { passive: false });
    this.handles.addEventListener("keydown", (event) => this.onKey(event));
    this.handles.addEventListener("focusin", (event) => this.say(this.indexOf(event.target)));
    this.handles.addEventListener("focusout", () => this.settle());
    this.sizes = new ResizeObserver(() => this.layout());
    place.append(this.root);
    this.sizes.observe(this.root);
  }

  button(name, title, act) {
    const made = h("button", { type: "button", title, text: name });
    made.addEventListener("click", act);
    return made;
  }

  // What Python has sent. Its schedule is taken by the first call, by a new revision, and when the number of steps or the lock
  // has changed; otherwise the visitor's own stays, so that an answer under way does not take a drag back.
  receive(data) {
    const resized = data.n !== this.n || data.locked !== this.locked;
    const taken = resized || data.revision !== this.revision;
    this.revision = data.revision;
    this.n = data.n;
    this.locked = data.locked;
    this.anew = data.resets;
    this.plot.setAttribute("aria-label", data.alt);
    this.tools.hidden = this.locked;
    this.waiting.hidden = !(this.locked && data.waiting);
    this.waiting.textContent = data.waiting;
    this.keys.anew.hidden = this.anew.length === 0;
    if (!taken) return;
    if (data.spec === this.spec) {
      if (resized && !this.held && !this.typed) {
        this.points = data.points;
        if (this.spec === this.start.spec) this.start = { points: data.points, spec: data.spec, curve: data.curve };
        this.layout();
      }
      return;
    }
    this.cancel();
    clearTimeout(this.timer);
    this.typed = null;
    this.start = { points: data.points, spec: data.spec, curve: data.curve };
    this.startName.textContent = data.name;
    this.points = data.points;
    this.spec = data.spec;
    this.layout();
    this.invite(); // what it said was about another curve
  }

  report(points, spec) {
    this.points = points;
    this.spec = spec;
    this.draw();
    this.tell(spec);
  }

  // Report the points as the new schedule, if they have changed.
  commit(points, before) {
    const spec = specOf(points);
    if (spec === this.spec || points.every((p, i) => points.length === before.length && p === before[i])) {
      this.draw();
      return;
    }
    this.report(points, spec);
  }

  startOver() {
    this.settle();
    if (this.spec === this.start.spec) return;
    this.report(this.start.points, this.start.spec);
  }

  refine(way) {
    this.settle();
    const k = this.points.length;
    const count = way > 0 ? Math.min(2 * k - 1, MOST) : Math.max(Math.ceil((k + 1) / 2), FEWEST);
    if (count !== k) this.commit(resample(this.points, count), this.points);
  }

  // ---- Moving a point

  grab(event) {
    if (event.button !== 0 || this.held || this.locked) return;
    const handle = event.target.closest("[role=slider]");
    if (!handle && event.pointerType === "touch") return; // beside the points a finger scrolls the page
    event.preventDefault();
    this.settle();
    const [x, y] = this.where(event);
    const i = handle ? this.indexOf(handle) : Math.round(Math.min(Math.max(this.share(x), 0), 1) * (this.points.length - 1));
    // A point that is taken at its edge keeps its distance to the pointer; a press beside a point moves it there.
    const offset = handle && event.target.classList.contains("dot") ? this.points[i] - this.height(y) : 0;
    this.held = { i, offset, before: this.points, pointer: event.pointerId };
    this.plot.setPointerCapture(event.pointerId);
    this.handles.children[i].focus({ preventScroll: true });
    this.root.dataset.state = "dragging";
    if (!handle) this.drag(event);
  }

  drag(event) {
    if (!this.held || event.pointerId !== this.held.pointer) return;
    const { i, offset, before } = this.held;
    this.points = push(before, i, this.height(this.where(event)[1]) + offset);
    this.draw();
    this.say(i);
  }

  drop() {
    if (!this.held) return;
    const { before } = this.held;
    this.release();
    this.commit(this.points, before);
  }

  cancel() {
    if (!this.held) return;
    this.points = this.held.before;
    this.release();
    this.draw();
  }

  release() {
    this.held = null;
    this.root.dataset.state = "still";
  }

  onKey(event) {
    if (event.key === "Escape") {
      this.cancel();
      return;
    }
    const step = KEYS[event.key];
    if (step === undefined || this.held || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    const i = this.indexOf(event.target);
    this.typed ??= this.points;
    const far = event.shiftKey && Math.abs(step) < 0.1 ? 10 : 1;
    this.points = push(this.points, i, this.points[i] + far * step);
    this.draw();
    this.say(i);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.settle(), REST);
  }

  // Report the keyboard moves since the last report as one change.
  settle() {
    clearTimeout(this.timer);
    if (!this.typed) return;
    const before = this.typed;
    this.typed = null;
    this.commit(this.points, before);
  }

  // ---- Drawing

  indexOf(target) {
    return [...this.handles.children].indexOf(target.closest("[role=slider]"));
  }

  where(event) {
    const box = this.plot.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  x(share) { return MARGIN.left + share * (this.width - MARGIN.left - MARGIN.right); }
  y(height) { return MARGIN.top + (1 - height) * (this.tall - MARGIN.top - MARGIN.bottom); }
  share(x) { return (x - MARGIN.left) / (this.width - MARGIN.left - MARGIN.right); }
  height(y) { return 1 - (y - MARGIN.top) / (this.tall - MARGIN.top - MARGIN.bottom); }
  step(share) { return Math.round(1 + share * (this.n - 1)); }

  path(heights) {
    const last = Math.max(heights.length - 1, 1);
    return heights.map((v, i) => `${i ? "L" : "M"}${this.x(i / last).toFixed(1)} ${this.y(v).toFixed(1)}`).join("");
  }

  layout() {
    const { width, height } = this.plot.getBoundingClientRect();
    if (!this.points || width < 1) return;
    [this.width, this.tall] = [width, height];
    setAttributes(this.plot, { viewBox: `0 0 ${width} ${height}` });
    const parts = [];
    for (const v of [0, 0.25, 0.5, 0.75, 1]) {
      parts.push(shape("line", { x1: this.x(0), x2: this.x(1), y1: this.y(v), y2: this.y(v) }));
      const text = shape("text", { x: this.x(0) - 10, y: this.y(v) + 4, "text-anchor": "end" });
      text.textContent = String(v);
      parts.push(text);
    }
    const seen = new Set();
    for (const share of [0, 0.25, 0.5, 0.75, 1]) {
      const t = this.step(share);
      if (seen.has(t)) continue;
      seen.add(t);
      const text = shape("text", { x: this.x(share), y: this.y(0) + 20, "text-anchor": "middle" });
      text.textContent = String(t);
      parts.push(text);
    }
    const across = shape("text", { class: "name", x: this.x(0.5), y: height - 6, "text-anchor": "middle" });
    across.textContent = "Step t";
    const middle = this.y(0.5);
    const up = shape("text", {
      class: "name", x: 12, y: middle, "text-anchor": "middle", transform: `rotate(-90 12 ${middle})`,
    });
    up.textContent = "Alpha";
    this.axes.replaceChildren(...parts, across, up);
    this.draw();
  }

  draw() {
    if (!this.width) return;
    const { points } = this;
    // A schedule that was not drawn by hand is shown exactly, not as straight lines through the points.
    const own = points !== this.start.points;
    const line = this.path(own ? points : this.start.curve);
    setAttributes(this.before, { d: own ? this.path(this.start.curve) : "" });
    this.keys.old.hidden = !own;
    setAttributes(this.line, { d: line });
    setAttributes(this.under, { d: `${line}L${this.x(1)} ${this.y(0)}L${this.x(0)} ${this.y(0)}Z` });
    setAttributes(this.above, { d: `${line}L${this.x(1)} ${this.y(1)}L${this.x(0)} ${this.y(1)}Z` });
    const share = (t) => (this.n > 1 ? (t - 1) / (this.n - 1) : 0);
    setAttributes(this.resets, { d: this.anew.map((t) => `M${this.x(share(t))} ${this.y(0)}V${this.y(1)}`).join("") });
    if (this.handles.children.length !== (this.locked ? 0 : points.length)) this.build();
    const room = this.x(1 / (points.length - 1)) - this.x(0);
    [...this.handles.children].forEach((handle, i) => {
      const share = i / (points.length - 1);
      const [reach, dot] = handle.children;
      const [cx, cy] = [this.x(share), this.y(points[i])];
      setAttributes(reach, { x: cx - room / 2, y: cy - 24, width: room, height: 48 });
      setAttributes(dot, { cx, cy, r: room < 24 ? 6 : 8 });
      setAttributes(handle, {
        "aria-label": `Alpha at step ${this.step(share)}`,
        "aria-valuenow": points[i],
        "aria-valuetext": `${points[i]}`,
      });
    });
    this.root.dataset.points = points.join("/");
    this.root.dataset.spec = this.spec;
    this.root.dataset.alpha = this.held || this.typed ? specOf(points) : this.spec;
    this.buttons.again.disabled = this.spec === this.start.spec;
    this.buttons.fewer.disabled = points.length <= FEWEST;
    this.buttons.more.disabled = points.length >= MOST;
  }

  build() {
    this.handles.replaceChildren(
      ...(this.locked ? [] : this.points).map(() =>
        shape(
          "g",
          { role: "slider", tabindex: 0, "aria-valuemin": 0, "aria-valuemax": 1, "aria-orientation": "vertical" },
          shape("rect", { class: "reach" }),
          shape("circle", { class: "dot" }),
        )),
    );
    this.invite();
  }

  invite() {
    this.readout.textContent = this.locked ? "" : "Drag a point, or press Tab and the arrow keys.";
  }

  say(i) {
    if (i < 0) return;
    const t = this.step(i / (this.points.length - 1));
    this.readout.textContent = `At step ${t}, alpha = ${this.points[i].toFixed(3)}`;
  }

  remove() {
    clearTimeout(this.timer);
    this.sizes.disconnect();
    this.root.remove();
  }
}

export default mountOnce(AlphaEditor, (editor, { data, setTriggerValue }) => {
  editor.tell = (spec) => setTriggerValue("alpha", spec);
  editor.receive(readJson(data));
});
