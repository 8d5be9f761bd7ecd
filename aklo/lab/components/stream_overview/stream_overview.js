// All tasks in one plane: examples, means, labelling lines and vectors; and below it the order of the groups.

import { DesignGrips } from "./design_grips.js";
import { generate } from "./generator.js";
import { h, place, setText, svg } from "../shared/dom.js";
import { mountOnce, readJson } from "../shared/lifecycle.js";
import { Moves } from "../shared/moves.js";
import { axisNumber, MINUS, niceTicks, wholeTicks } from "../shared/numbers.js";
import { Panel } from "../shared/panel.js";
import { applyTheme, groupColour } from "../shared/theme.js";

const REACH = 0.14; // of the window: the length of an arrow
const LONG_REACH = 0.32; // where it is there to be turned

function diamond(g, x, y, r) {
  g.moveTo(x, y - r);
  g.lineTo(x + r, y);
  g.lineTo(x, y + r);
  g.lineTo(x - r, y);
  g.closePath();
}

class StreamOverview {
  constructor(place) {
    this.root = h("div", { class: "aklo all", "data-aklo": "overview" });
    this.panel = new Panel(
      "everything", "All tasks in one plane",
      "Colour is the group, shape the label. Every labelling line runs through the origin; the arrow, a group's labelling vector, "
      + "points from its mean to the side of +1. Drag a ring to move a mean, to turn a vector or to change the spread. The strip below has a cell for each task, in the colour of its group.",
      { left: 2.6, right: 1, top: 1.6, bottom: 2.3 },
    );
    this.panel.heading.setAttribute("aria-level", "2"); // it stands right under the page's title
    this.legend = h("div", { class: "legend", role: "list" });
    this.cells = h("canvas", { "aria-hidden": "true" });
    this.marks = h("div", { class: "marks" });
    this.said = h("p", { class: "said" });
    this.strip = h("div", { class: "cells", tabindex: "0", role: "slider", "aria-label": "Task", title: "Point at a task, or press the arrow keys, to read its name" }, this.cells);
    this.panel.body.prepend(this.legend);
    this.panel.body.append(h("div", { class: "order" },
      h("p", { class: "title", text: "The order of the groups: a cell for each task, counted from 0" }), this.strip, this.marks, this.said));
    this.tags = [];
    this.pointed = null; // the task that is read
    this.moves = new Moves();
    this.grips = new DesignGrips(this.panel, {
      values: () => this.values, begin: () => { this.gesture = this.moves.begin(); }, change: (values) => this.change(values),
      finish: () => this.moves.report(this.values, this.gesture),
    });
    // What is drawn now, for tests: the examples of each group by label.
    this.root.akloPoints = () => this.data.groups.map(({ group, plus, minus }) => ({ group, plus, minus }));
    this.root.append(h("div", { class: "frame" }, this.panel.element));
    place.append(this.root);
    this.strip.addEventListener("pointermove", (event) => this.point(event.offsetX));
    this.strip.addEventListener("pointerleave", () => this.point(null));
    this.strip.addEventListener("keydown", (event) => this.onKey(event));
    this.strip.addEventListener("focus", () => this.tell(this.pointed ?? 0));
    this.strip.addEventListener("blur", () => this.tell(null));
    this.sizes = new ResizeObserver(() => this.wake());
    this.sizes.observe(this.root);
  }

  receive(data, send) {
    const { design } = data;
    this.grips.element.hidden = !design;
    this.root.classList.toggle("only-angle", data.onlyAngle);
    setText(this.panel.heading, data.onlyAngle ? "Turn the arrow of D2" : "All tasks in one plane");
    if (design) {
      const answered = this.moves.receive(design.heard, send);
      // What the visitor is doing goes on; the server has been told of it, or will be.
      this.values = this.grips.busy || !answered ? this.values : design.values;
      data.groups = generate({ ...design, values: this.values });
      this.root.dataset.design = JSON.stringify(this.values);
    }
    if (this.grips.busy) data.box = this.data.box; // the window stays where it is while something is held in it
    this.data = data;
    this.panel.describe(data.alt);
    this.strip.setAttribute("aria-valuemin", 0);
    this.strip.setAttribute("aria-valuemax", data.order.length - 1);
    this.root.dataset.tasks = data.order.length;
    this.fresh = true;
    this.tell(this.pointed === null ? null : Math.min(this.pointed, data.order.length - 1)); // what is being read stays
    applyTheme(this);
    this.draw(); // at once, not in the next frame
  }

  redraw() {
    if (!this.data) return;
    applyTheme(this);
    this.draw();
  }

  // A grip was moved: the points follow, and the server is told.
  change(values) {
    const { design } = this.data;
    const inside = ([name, value]) => [name, Math.min(Math.max(value, design.ranges[name][0]), design.ranges[name][1])];
    this.values = { ...this.values, ...Object.fromEntries(Object.entries(values).map(inside)) };
    this.data.groups = generate({ ...design, values: this.values });
    this.root.dataset.design = JSON.stringify(this.values);
    if (design.live) this.moves.report(this.values, this.gesture, false);
    this.wake();
  }

  wake() {
    if (this.frame || !this.data) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      applyTheme(this);
      this.draw();
    });
  }

  draw() {
    const { panel, data, colours } = this;
    panel.measure();
    this.explain();
    this.drawOrder();
    if (!panel.visible) return;
    // Both axes have the same scale, so that angles are true; the window is widened to fit.
    const [left, bottom, right, top] = data.box;
    const unit = Math.min((panel.x1 - panel.x0) / (right - left), (panel.y0 - panel.y1) / (top - bottom));
    const [wide, tall] = [(panel.x1 - panel.x0) / unit / 2, (panel.y0 - panel.y1) / unit / 2];
    const [cx, cy] = [(left + right) / 2, (bottom + top) / 2];
    const x = panel.scaleX(cx - wide, cx + wide);
    const y = panel.scaleY(cy - tall, cy + tall);
    const count = (length) => Math.max(2, length / (5 * panel.em));
    panel.axes({
      x, y,
      xs: niceTicks(cx - wide, cx + wide, count(panel.x1 - panel.x0)).map((v) => [v, axisNumber(v)]),
      ys: niceTicks(cy - tall, cy + tall, count(panel.y0 - panel.y1)).map((v) => [v, axisNumber(v)]),
      xName: "x₁", yName: "x₂",
    });
    const g = panel.begin();
    panel.grid(g, colours);
    panel.within(g, () => {
      for (const group of data.groups) this.drawPoints(g, group, x, y);
      for (const group of data.groups) this.drawLines(g, group, x, y, 4 * Math.max(wide + Math.abs(cx), tall + Math.abs(cy)));
    });
    const reach = data.onlyAngle ? LONG_REACH : REACH;
    for (const tag of this.tags) tag.remove();
    this.tips = new Map(); // by group: those that have tasks now
    this.tags = data.groups.map((group) => this.drawVector(g, group, x, y, reach * Math.max(right - left, top - bottom)));
    panel.overlay.append(...this.tags);
    if (data.design) {
      this.grips.draw(data.design, data.onlyAngle, {
        x, y,
        plane: (px, py) => [cx - wide + ((px - panel.x0) / (panel.x1 - panel.x0)) * 2 * wide, cy - tall + ((panel.y0 - py) / (panel.y0 - panel.y1)) * 2 * tall],
        tip: (group) => this.tips.get(group),
      });
    }
    // The number of streams drawn so far: tests and benchmarks wait for it.
    if (this.fresh) this.root.dataset.drawn = Number(this.root.dataset.drawn ?? 0) + 1;
    this.fresh = false;
  }

  drawPoints(g, group, x, y) {
    const r = 0.22 * this.panel.em;
    const colour = groupColour(this.colours, group.group);
    g.globalAlpha = 0.6;
    g.fillStyle = g.strokeStyle = colour;
    g.lineWidth = 1;
    g.beginPath();
    for (const [a, b] of group.plus) { g.moveTo(x(a) + r, y(b)); g.arc(x(a), y(b), r, 0, 7); }
    g.fill();
    g.beginPath();
    for (const [a, b] of group.minus) diamond(g, x(a), y(b), 1.3 * r);
    g.stroke();
    g.globalAlpha = 1;
  }

  drawLines(g, group, x, y, far) {
    g.strokeStyle = groupColour(this.colours, group.group);
    g.lineWidth = 1.5 * this.panel.unit;
    g.setLineDash(group.group === 0 ? [] : [7, 5]);
    g.beginPath();
    for (const [a, b] of group.vectors) {
      const length = Math.hypot(a, b);
      if (!length) continue;
      const [dx, dy] = [(-b / length) * far, (a / length) * far];
      g.moveTo(x(-dx), y(-dy));
      g.lineTo(x(dx), y(dy));
    }
    g.stroke();
    g.setLineDash([]);
  }

  // Draw the mean and an arrow from it; return a label with the group's name for its tip.
  drawVector(g, group, x, y, reach) {
    const { em, unit } = this.panel;
    const [a, b] = group.vector ?? [0, 0]; // without a labelling vector only the mean is drawn
    const length = Math.hypot(a, b) || 1;
    const [mx, my] = [x(group.mean[0]), y(group.mean[1])];
    const tip = [group.mean[0] + (reach * a) / length, group.mean[1] + (reach * b) / length];
    this.tips.set(group.group, tip);
    const [tx, ty] = [x(tip[0]), y(tip[1])];
    const angle = Math.atan2(ty - my, tx - mx);
    g.strokeStyle = g.fillStyle = this.colours.ink;
    g.lineWidth = 2.4 * unit;
    g.beginPath();
    g.moveTo(mx, my);
    g.lineTo(tx, ty);
    const r = 0.36 * em;
    if (group.group === 0) { g.moveTo(mx - r, my - r); g.lineTo(mx + r, my + r); g.moveTo(mx + r, my - r); g.lineTo(mx - r, my + r); }
    else { g.moveTo(mx - r, my); g.lineTo(mx + r, my); g.moveTo(mx, my - r); g.lineTo(mx, my + r); }
    g.stroke();
    g.beginPath();
    for (const turn of [0, 2.6, -2.6]) g.lineTo(tx + 0.62 * em * Math.cos(angle + turn), ty + 0.62 * em * Math.sin(angle + turn));
    g.fill();
    const tag = h("span", { class: "tag mean", text: group.name });
    place(tag, tx + (a >= 0 ? 0.4 : -2.6) * em, ty + (b >= 0 ? -1.8 : 0.6) * em);
    return tag;
  }

  explain() {
    const items = [];
    const add = (words, ...shapes) => items.push(h("span", { role: "listitem" }, svg("0 0 24 16", ...shapes), words));
    for (const group of this.data.groups) {
      const colour = groupColour(this.colours, group.group);
      const dashes = group.group === 0 ? "" : "7 4";
      add(`${group.name}, +1`, ["circle", { cx: 12, cy: 8, r: 5, fill: colour, opacity: 0.7 }]);
      add(`${group.name}, ${MINUS}1`, ["path", { d: "M12 2l6 6-6 6-6-6z", fill: "none", stroke: colour, "stroke-width": 1.6 }]);
      add(`${group.name}, labelling lines`, ["line", { x1: 1, x2: 23, y1: 8, y2: 8, stroke: colour, "stroke-width": 2.4, "stroke-dasharray": dashes }]);
    }
    add("mean and labelling vector", ["path", { d: "M3 4l6 8M9 4l-6 8M6 8H17M16 4l6 4-6 4z", stroke: this.colours.ink, fill: this.colours.ink, "stroke-width": 1.8 }]);
    if (this.data.design) add("drag it", ["circle", { cx: 12, cy: 8, r: 5, fill: this.colours.ground, stroke: this.colours.ink, "stroke-width": 2.4 }]);
    this.legend.replaceChildren(...items);
  }

  // Draw the cells in two rows, so that position shows the group as well as colour.
  drawOrder() {
    const { order } = this.data;
    const box = this.strip.getBoundingClientRect();
    const dpr = Math.min(window.devicePixelRatio || 1, 2);
    [this.cells.width, this.cells.height] = [Math.max(1, Math.round(box.width * dpr)), Math.max(1, Math.round(box.height * dpr))];
    const g = this.cells.getContext("2d");
    g.setTransform(dpr, 0, 0, dpr, 0, 0);
    const wide = box.width / order.length;
    order.forEach((group, k) => {
      g.fillStyle = groupColour(this.colours, group);
      g.globalAlpha = this.pointed === null || this.pointed === k ? 1 : 0.55;
      g.fillRect(k * wide, group * (box.height / 2), wide - (wide > 3 ? 1 : 0), box.height / 2 - 1);
    });
    g.globalAlpha = 1;
    const last = order.length - 1;
    const ticks = last ? wholeTicks(last, Math.min(10, box.width / 60)) : [0];
    this.marks.replaceChildren(...ticks.map((k) => h("span", { text: String(k), style: `left:${(100 * (k + 0.5)) / order.length}%` })));
  }

  point(at) {
    const { order } = this.data;
    this.tell(at === null ? null : Math.min(Math.floor((at / this.strip.clientWidth) * order.length), order.length - 1));
  }

  onKey(event) {
    const last = this.data.order.length - 1;
    const now = this.pointed ?? 0;
    const to = { ArrowLeft: now - 1, ArrowDown: now - 1, ArrowRight: now + 1, ArrowUp: now + 1, Home: 0, End: last }[event.key];
    if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.tell(Math.min(Math.max(to, 0), last));
  }

  // Write the name of one task, or the number of tasks in each group.
  tell(pointed) {
    const { order, names, groups } = this.data;
    this.pointed = pointed;
    this.strip.setAttribute("aria-valuenow", pointed ?? 0);
    this.strip.setAttribute("aria-valuetext", names[pointed ?? 0]);
    const counts = groups.map((group) => `${order.filter((g) => g === group.group).length} of ${group.name}`).join(", ");
    setText(this.said, this.pointed === null ? counts : names[this.pointed]);
    this.wake();
  }

  remove() {
    this.moves.stop();
    cancelAnimationFrame(this.frame);
    this.sizes.disconnect();
    this.root.remove();
  }
}

export default mountOnce(StreamOverview, (overview, { data, setTriggerValue }) => {
  if (data) overview.receive(readJson(data), (moves) => setTriggerValue("move", moves));
});
