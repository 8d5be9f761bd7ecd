// The grips on alpha's curve: points to draw it by hand, and handles for the parameters of its schedule. They are sliders for
// mouse, finger and keyboard. The owner is told every move at once, and when a move is over.
//
// owner: curve(), which gives { schedule, alpha, n, points, drawable }; move(schedule), a move under way; finish(), the move is over.
// panel: has x0, x1, y0, y1, and the scales x(t) and y(alpha).

import { handlesOf, stepOf, withParameters } from "./handles.js";
import { push } from "./points.js";
import { SCHEDULES } from "./constants.js";
import { h, place, setText } from "./dom.js";

const REST = 450; // milliseconds without a key after which a move by keyboard is over
const BESIDE = 14; // pixels between the end of the curve and a handle beside it
const KEYS = {
  ArrowUp: ["up", 1], ArrowDown: ["up", -1], ArrowRight: ["along", 1], ArrowLeft: ["along", -1],
  PageUp: ["up", 10], PageDown: ["up", -10], Home: ["up", -Infinity], End: ["up", Infinity],
};

export class Grips {
  constructor(panel, owner) {
    Object.assign(this, { panel, owner, points: [], handles: [] });
    this.element = h("div", { class: "grips" });
    panel.plot.append(this.element);
    const { plot } = panel;
    plot.addEventListener("pointerdown", (event) => this.grab(event));
    plot.addEventListener("pointermove", (event) => this.drag(event));
    plot.addEventListener("pointerup", (event) => this.drop(event));
    plot.addEventListener("pointercancel", () => this.cancel());
    this.element.addEventListener("keydown", (event) => this.onKey(event));
    this.element.addEventListener("focusout", () => this.settle());
  }

  get busy() {
    return Boolean(this.held || this.typed);
  }

  // ---- Moving

  grab(event) {
    if (event.button !== 0 || this.held) return;
    let grip = event.target.closest("[role=slider]");
    if (!grip && (event.pointerType === "touch" || event.target !== this.panel.canvas)) return; // a finger beside the grips scrolls
    this.settle();
    const [x, y] = this.panel.at(event);
    const pressed = Boolean(grip);
    grip ??= this.nearestPoint(x);
    if (!grip) return;
    event.preventDefault();
    const [gx, gy] = grip.akloAt;
    // A grip that is taken beside its centre keeps its distance to the pointer; a press beside the grips moves a point there.
    this.held = {
      grip, pointer: event.pointerId, before: this.owner.curve(), dx: pressed ? gx - x : 0, dy: pressed ? gy - y : 0,
    };
    this.panel.plot.setPointerCapture(event.pointerId);
    grip.focus({ preventScroll: true });
    if (pressed) this.owner.move(this.held.before.schedule);
    else this.drag(event);
  }

  drag(event) {
    if (!this.held || event.pointerId !== this.held.pointer) return;
    const { grip, before, dx, dy } = this.held;
    const [x, y] = this.panel.at(event);
    const [t, value] = [this.stepAt(x + dx), this.valueAt(y + dy)];
    this.held.t = t;
    this.owner.move(this.moved(before, grip, t, value));
  }

  // Return the schedule in which a grip stands at (t, value).
  moved({ schedule, points, n }, grip, t, value) {
    const i = this.points.indexOf(grip);
    if (i >= 0) return { kind: "custom", parameters: { points: push(points, i, value) } };
    const handle = handlesOf(schedule.kind)[this.handles.indexOf(grip)];
    const inside = Math.min(Math.max(value, 0), 1);
    return withParameters(schedule, handle.take(schedule.parameters, Math.min(Math.max(t, 1), 1.25 * n), inside));
  }

  drop(event) {
    if (!this.held || event.pointerId !== this.held.pointer) return;
    this.release();
  }

  cancel() {
    if (!this.held) return;
    this.owner.move(this.held.before.schedule);
    this.release();
  }

  release() {
    const { before } = this.held;
    this.held = null;
    // A point that was brought back to where it stood has drawn nothing.
    const { schedule, points } = this.owner.curve();
    if (schedule.kind === "custom" && points.length === before.points.length && points.every((p, i) => p === before.points[i])) {
      this.owner.move(before.schedule);
    }
    this.owner.finish();
  }

  onKey(event) {
    if (event.key === "Escape") {
      this.cancel();
      return;
    }
    const [way, by] = KEYS[event.key] ?? [];
    if (!way || this.held || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    this.typed = true;
    this.owner.move(this.stepped(event.target.closest("[role=slider]"), way, event.shiftKey && Math.abs(by) === 1 ? 10 * by : by));
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.settle(), REST);
  }

  // Return the schedule after a key on a grip.
  stepped(grip, way, by) {
    const { schedule, points } = this.owner.curve();
    const i = this.points.indexOf(grip);
    if (i >= 0) return { kind: "custom", parameters: { points: push(points, i, points[i] + 0.01 * by) } };
    const name = handlesOf(schedule.kind)[this.handles.indexOf(grip)][way];
    return withParameters(schedule, { [name]: schedule.parameters[name] + by * stepOf(schedule.kind, name) });
  }

  // The keyboard rests: the keys since the last report are one move.
  settle() {
    clearTimeout(this.timer);
    if (!this.typed) return;
    this.typed = false;
    this.owner.finish();
  }

  // ---- Places

  stepAt(x) {
    const { x0, x1 } = this.panel;
    return 1 + ((x - x0) / (x1 - x0)) * (Math.max(this.n, 2) - 1);
  }

  valueAt(y) {
    const { y0, y1 } = this.panel;
    return (y0 - y) / (y0 - y1);
  }

  nearestPoint(x) {
    const distance = (grip) => Math.abs(grip.akloAt[0] - x);
    return this.points.reduce((best, grip) => (best && distance(best) <= distance(grip) ? best : grip), null);
  }

  // ---- Drawing

  draw() {
    const { panel } = this;
    const { schedule, alpha, n, points, drawable } = this.owner.curve();
    this.n = n;
    const handles = handlesOf(schedule.kind);
    this.fill(this.points, drawable ? points.length : 0, "grip point");
    this.fill(this.handles, handles.length, "grip handle");
    const room = Math.min((panel.x1 - panel.x0) / Math.max(points.length - 1, 1), 44);
    this.points.forEach((grip, i) => {
      const share = i / (points.length - 1);
      const t = Math.round(1 + share * (n - 1));
      this.put(grip, panel.x0 + share * (panel.x1 - panel.x0), panel.y(points[i]));
      grip.style.width = `${room}px`;
      this.say(grip, `Alpha at step ${t}`, [points[i], 0, 1], `α(${t}) = ${points[i]}`);
    });
    this.handles.forEach((grip, k) => {
      const handle = handles[k];
      const { parameters } = schedule;
      const own = handle.place(parameters);
      const t = this.held?.grip === grip && this.held.t && !handle.height && own !== Infinity ? this.held.t : own;
      const inside = Math.min(Math.max(t, 1), n);
      const height = handle.height?.(parameters) ?? between(alpha, inside);
      this.put(grip, t > n ? panel.x1 + BESIDE : panel.x(inside), panel.y(height));
      const about = SCHEDULES[schedule.kind].parameters;
      const { low, high } = about[handle.up];
      const names = [...new Set([handle.up, handle.along])];
      const label = names.map((name) => about[name].label).join(" and ");
      const text = names.map((name) => `${about[name].label} ${parameters[name]}`).join(", ");
      this.say(grip, label[0].toUpperCase() + label.slice(1), [parameters[handle.up], low, high], text);
    });
  }

  // Make as many grips as are needed, the points in their order and then the handles, as Tab goes through them. Those that are
  // there stay, so that one that is held or has the focus keeps it.
  fill(grips, count, kind) {
    while (grips.length > count) grips.pop().remove();
    while (grips.length < count) {
      const grip = h("div", { class: kind, role: "slider", tabindex: 0 }, h("span", { class: "dot" }), h("span", { class: "name" }));
      this.element.insertBefore(grip, grips === this.points ? this.handles[0] ?? null : null);
      grips.push(grip);
    }
  }

  put(grip, x, y) {
    grip.akloAt = [x, y];
    place(grip, x, y);
    // The curve falls, so there is room for the name above it to the right, or below it to the left.
    const { x0, x1, y0, y1, em } = this.panel;
    const left = x > x0 + 0.6 * (x1 - x0);
    grip.classList.toggle("left", left);
    grip.classList.toggle("below", left ? y < y0 - 2.2 * em : y < y1 + 2.2 * em);
  }

  say(grip, label, [now, low, high], text) {
    const said = `${label} ${now} ${text}`;
    if (grip.akloSaid === said) return;
    grip.akloSaid = said;
    for (const [name, value] of [["label", label], ["valuenow", now], ["valuemin", low], ["valuemax", high], ["valuetext", text]]) {
      grip.setAttribute(`aria-${name}`, value);
    }
    setText(grip.lastChild, text);
  }

  remove() {
    clearTimeout(this.timer);
  }
}

// The height of the curve at a time between two steps.
function between(alpha, t) {
  const left = Math.min(Math.floor(t), alpha.length);
  const next = Math.min(left + 1, alpha.length);
  return alpha[left - 1] + (t - left) * (alpha[next - 1] - alpha[left - 1]);
}
