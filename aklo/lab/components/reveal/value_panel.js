// A panel of lines or bars over time, with marks: the guess and limits from the beginning, the outcome at the end.

import { h, place, svg } from "../shared/dom.js";
import { placeCounts } from "../shared/method_lines.js";
import { axisNumber, MINUS, niceTicks } from "../shared/numbers.js";
import { Panel } from "../shared/panel.js";
import { groupColour } from "../shared/theme.js";

const GAP = 0.15; // between two bars, as a share of a step

export class ValuePanel extends Panel {
  constructor(told) {
    super("value", told.title, told.help, { left: 3.1, right: told.lines.length ? 3.6 : 0.8, top: 1.5, bottom: 2.6 });
    this.told = told;
    this.heading.setAttribute("aria-level", "4");
    if (told.bars) this.element.classList.add("wider");
    this.ends = told.lines.map((line) => h("span", { class: "end", "data-line": line.name, hidden: line.quiet }));
    this.marks = told.marks.map((mark) => h("span", { class: `mark ${mark.kind}`, text: mark.text, "data-mark": mark.kind }));
    this.overlay.append(h("div", {}, ...this.ends), ...this.marks);
    this.names = h("div", { class: "names" });
    if (told.lines.length > 1) this.body.prepend(this.names);
  }

  format(value) {
    return value.toFixed(this.told.decimals).replace("-", MINUS) + this.told.suffix;
  }

  colour({ stroke }, dark) {
    return dark ? stroke.dark : stroke.light;
  }

  layout({ colours, dark }) {
    const { told } = this;
    const [first, last] = told.xEnds;
    const [low, high] = told.yEnds;
    const pad = told.bars ? 0.6 : 0;
    this.x = this.scaleX(first - pad, last + pad);
    this.y = this.scaleY(low, high + 0.05 * (high - low));
    const room = (this.y0 - this.y1) / (2.6 * this.em);
    this.axes({
      x: this.x, y: this.y,
      xs: niceTicks(first, last, (this.x1 - this.x0) / (5 * this.em)).filter(Number.isInteger).map((v) => [v, axisNumber(v)]),
      ys: niceTicks(low, high, Math.max(3, Math.floor(room))).map((v) => [v, axisNumber(v) + told.suffix]),
      xName: told.xName, yName: told.yName,
    });
    const named = told.lines.filter((line, k) => told.lines.findIndex((other) => other.name === line.name) === k);
    this.names.replaceChildren(...named.map((line) => h("span", {}, svg("0 0 26 8", ["line", {
      x1: 1, x2: 25, y1: 4, y2: 4, stroke: this.colour(line, dark), "stroke-width": line.bold ? 3.5 : line.stroke.width,
      "stroke-dasharray": line.stroke.pattern.join(" "),
    }]), line.name)));
    told.lines.forEach((line, k) => { this.ends[k].style.color = this.colour(line, dark); });
    this.drawAll(colours, dark);
    this.placeMarks();
  }

  // Draw everything over all time onto the hidden layer; a frame reveals it up to now.
  drawAll(colours, dark) {
    const { told, unit } = this;
    const g = this.begin(this.layer);
    if (!this.visible) return;
    if (told.bars) this.drawBars(g, colours);
    g.lineJoin = "round";
    for (const line of told.lines) {
      g.strokeStyle = this.colour(line, dark);
      g.lineWidth = (line.bold ? 3.5 : line.stroke.width) * unit;
      this.dash(g, line.stroke.pattern);
      g.beginPath();
      let pen = false;
      line.y.forEach((value, k) => {
        if (value === null) pen = false;
        else if (pen) g.lineTo(this.x(told.x[k]), this.y(value));
        else { g.moveTo(this.x(told.x[k]), this.y(value)); pen = true; }
      });
      g.stroke();
    }
    this.dash(g);
  }

  drawBars(g, colours) {
    const { told } = this;
    const width = (1 - GAP) * (this.x(1) - this.x(0));
    told.bars.forEach((value, k) => {
      g.fillStyle = groupColour(colours, told.groups[k]);
      const [a, b] = [this.y(0), this.y(value)];
      g.fillRect(this.x(told.x[k]) - width / 2, Math.min(a, b), width, Math.abs(a - b));
    });
    g.fillStyle = colours.soft;
    g.fillRect(this.x0, this.y(0), this.x1 - this.x0, 1);
  }

  // Texts of horizontal marks stand at the left, the outcome's at the right; those of vertical marks beside them, near the top.
  placeMarks() {
    const { em } = this;
    const taken = [];
    this.told.marks.forEach((mark, k) => {
      const { offsetWidth: width } = this.marks[k];
      let [x, y] = [this.x0 + 0.2 * em, this.y(mark.at) - 1.5 * em];
      if (mark.axis === "x") [x, y] = [this.x(mark.at) + 0.3 * em, this.y1 + 0.2 * em];
      else if (mark.kind === "outcome") x = this.x1 - width - 0.2 * em;
      if (x + width > this.x1) x = mark.axis === "x" ? this.x(mark.at) - width - 0.3 * em : this.x1 - width;
      y = Math.min(Math.max(y, this.y1 - 1.4 * em), this.y0 - 1.5 * em);
      while (taken.some(([a, b, w]) => Math.abs(b - y) < 1.45 * em && x < a + w && a < x + width)) y += 1.5 * em;
      taken.push([x, y, width]);
      place(this.marks[k], x, y);
    });
  }

  // view.now: how many steps are shown, with fractions; view.done: whether it is at its end.
  draw({ colours, now, done }) {
    // Not `hidden`: its width is needed before it is shown.
    this.marks.forEach((mark, k) => { mark.style.visibility = this.told.marks[k].kind === "outcome" && !done ? "hidden" : "visible"; });
    if (!this.visible) return;
    const g = this.begin();
    this.grid(g, colours);
    const { x, bars, lines } = this.told;
    const at = Math.max(Math.min(now, x.length), 1e-9);
    const k = Math.min(Math.floor(at), x.length - 1);
    const before = k ? x[k - 1] : 2 * x[0] - (x[1] ?? x[0] + 1);
    const position = done ? this.x1 : this.x(before + (at - k) * (x[k] - before)) + (bars ? 0.5 * (this.x(1) - this.x(0)) : 0);
    this.reveal(g, done ? this.width : position);
    this.told.marks.forEach((mark) => (mark.kind !== "outcome" || done) && this.drawMark(g, mark, colours));
    if (!done) this.cursor(g, position, colours);
    const index = done ? x.length - 1 : Math.max(Math.floor(at) - 1, 0);
    const shown = lines.map((_, m) => m).filter((m) => !lines[m].quiet && lines[m].y[index] !== null && at >= 1);
    this.ends.forEach((end, m) => { end.hidden = !shown.includes(m); });
    const values = shown.map((m) => lines[m].y[index]);
    const right = Math.min(Math.max(position, this.x(x[index])), this.x1);
    placeCounts(this, this.ends, shown, right, values.map(this.y), values.map((value) => this.format(value)));
  }

  drawMark(g, { at, axis, kind }, colours) {
    const { unit } = this;
    g.strokeStyle = { guess: colours.accent, outcome: colours.ink, limit: colours.wrong }[kind];
    g.lineWidth = (kind === "guess" ? 2.5 : 1.75) * unit;
    this.dash(g, kind === "outcome" ? [] : [7, 5]);
    g.beginPath();
    if (axis === "x") { g.moveTo(this.x(at), this.y1); g.lineTo(this.x(at), this.y0); } else { g.moveTo(this.x0, this.y(at)); g.lineTo(this.x1, this.y(at)); }
    g.stroke();
    this.dash(g);
  }

  // What the panel shows in words.
  summary({ now, done }) {
    const index = Math.max((done ? this.told.x.length : Math.floor(now)) - 1, 0);
    const lines = this.told.lines.filter((line) => !line.quiet && line.y[index] !== null).map((line) => `${line.name} ${this.format(line.y[index])}`);
    const marks = this.told.marks.filter((mark) => done || mark.kind !== "outcome").map((mark) => mark.text);
    return `${this.told.title}. ${[...lines, ...marks].join(", ")}.`;
  }
}
