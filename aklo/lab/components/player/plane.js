// The plane: the examples so far, the boundaries of learner and experts, and where the chosen method would say +1.

import { Region } from "./decision_field.js";
import { directionAt, rowOf, wideBox } from "./geometry.js";
import { drawnAt, groupName, groupOf, weightAt } from "./task.js";
import { h, place, setText, svg } from "../shared/dom.js";
import { TOUCH } from "../shared/media.js";
import { axisNumber, decimal, MINUS, niceTicks, percent, sign } from "../shared/numbers.js";
import { Panel } from "../shared/panel.js";
import { blendColours, groupColour, rgb } from "../shared/theme.js";

const FAINT = 1e-3;
const NEAR = 9;

export class PlanePanel extends Panel {
  constructor({ light }) {
    super(
      "plane", "The plane",
      "Each mark is an example: a circle is +1, a diamond is −1, a cross is a mistake of the chosen method. The heavy "
      + "line is the learner's boundary, the others are the experts', the stronger the more they are trusted; the tint "
      + "shows where the method predicts +1 or −1, the deeper the colour the surer.",
      { left: 2.4, right: 0.5, top: 1.6, bottom: 2.3 },
    );
    this.region = new Region(72, 54);
    this.tint = document.createElement("canvas");
    this.tint.width = this.region.columns;
    this.tint.height = this.region.rows;
    this.learnerLabel = h("span", { class: "tag learner" });
    this.askedLabel = h("span", { class: "tag asked", text: "asked", hidden: true });
    this.overlay.append(this.askedLabel, this.learnerLabel);
    this.wideButton = h("button", {
      type: "button", class: "chip", "aria-pressed": "false", text: "Wide view",
      title: "Zoom out, to see boundaries that do not pass through the data",
    });
    this.extra.append(this.wideButton);
    this.legend = h("div", { class: "legend", role: "list" });
    this.info = h("p", { class: "info" });
    this.caption = h("p", { class: "caption" });
    this.element.append(this.legend, this.info, this.caption);
    this.canvas.addEventListener("pointermove", (event) => light(this.nearest(event)));
    this.canvas.addEventListener("pointerdown", (event) => light(this.nearest(event)));
    // A finger that is lifted leaves the highlight on, since a phone has no hovering.
    this.canvas.addEventListener("pointerleave", (event) => event.pointerType !== "touch" && light(-1));
  }

  // Lay out axes and legend, and forget what was drawn, for new data, another size or another theme.
  layout(view) {
    const { task, colours } = view;
    this.view = view;
    this.box = this.wideButton.ariaPressed === "true" ? wideBox(task) : task.box;
    const [left, right, bottom, top] = this.box;
    this.x = this.scaleX(left, right);
    this.y = this.scaleY(bottom, top);
    const count = (pixels, each) => Math.max(2, Math.floor(pixels / (each * this.em)));
    const named = (ticks) => ticks.map((v) => [v, axisNumber(v)]);
    this.axes({
      x: this.x, y: this.y,
      xs: named(niceTicks(left, right, count(this.x1 - this.x0, 6))),
      ys: task.axes[1] ? named(niceTicks(bottom, top, count(this.y0 - this.y1, 4.5))) : [],
      xName: task.axes[0], yName: task.axes[1],
    });
    this.radius = this.em * (task.n > 400 ? 0.24 : task.n > 150 ? 0.3 : 0.36);
    this.region.forget();
    this.marked = 0;
    this.markedFor = null;
    this.caption.textContent = task.caption;
    this.caption.hidden = !task.caption;
    this.drawLegend(task, colours);
  }

  drawLegend(task, colours) {
    const line = (colour, width, dash = "") => svg("0 0 22 12", ["line", {
      x1: 1, x2: 21, y1: 6, y2: 6, stroke: colour, "stroke-width": width, "stroke-dasharray": dash,
    }]);
    const groups = task.groups ? [...new Set(task.groups)].sort((a, b) => a - b) : [];
    const few = groups.length <= 3;
    const entries = [
      [svg("0 0 12 12", ["circle", { cx: 6, cy: 6, r: 4.2, fill: colours.plus }]), "+1"],
      [svg("0 0 12 12", ["path", { d: "M6 1 11 6 6 11 1 6z", fill: colours.minus }]), "−1"],
      [svg("0 0 12 12", ["circle", { cx: 6, cy: 6, r: 4.6, fill: "none", stroke: colours.ink, "stroke-width": 1.4 }]), "newest"],
      [svg("0 0 12 12", ["path", { d: "M2 2 10 10M10 2 2 10", stroke: colours.wrong, "stroke-width": 2 }]), "mistake"],
      [line(colours.learner, 3.2), "learner"],
    ];
    if (task.T && few && groups.length) {
      for (const g of groups) entries.push([line(groupColour(colours, g), 2), `experts, ${groupName(task, g)}`]);
    } else if (task.T) {
      entries.push([line(groups.length ? groupColour(colours, groups[0]) : groupColour(colours, null), 2),
        groups.length ? "experts, one colour a group" : "experts"]);
    }
    entries.push([svg("0 0 22 12",
      ["rect", { width: 11, height: 12, fill: colours.plus, opacity: 0.3 }],
      ["rect", { x: 11, width: 11, height: 12, fill: colours.minus, opacity: 0.3 }]), "predicts +1, −1"]);
    this.legend.replaceChildren(...entries.map(([mark, text]) => h("span", { role: "listitem" }, mark, text)));
  }

  draw(view) {
    if (!this.visible) return;
    this.view = view;
    const { task, colours, v } = view;
    const g = this.begin();
    this.within(g, () => {
      this.drawRegion(g, view);
      this.grid(g, colours);
      this.drawExperts(g, view);
    });
    this.keepPoints(view);
    g.drawImage(this.layer, 0, 0, this.width, this.height);
    this.within(g, () => this.drawLearner(g, view));
    this.drawNewest(g, view);
    g.strokeStyle = colours.grid;
    g.strokeRect(this.x0 + 0.5, this.y1 + 0.5, this.x1 - this.x0 - 1, this.y0 - this.y1 - 1);
    this.tellLit(task, view.lit, v);
  }

  drawRegion(g, { task, v, method, colours, dark }) {
    const field = this.region.at(task, this.box, v, method);
    const pen = this.tint.getContext("2d");
    const image = this.image ??= pen.createImageData(this.tint.width, this.tint.height);
    const [plus, minus] = [rgb(colours.plus), rgb(colours.minus)];
    const depth = dark ? 84 : 62;
    const pixels = image.data;
    for (let k = 0, at = 0; k < field.length; k++, at += 4) {
      const c = field[k];
      const tone = c >= 0 ? plus : minus;
      pixels[at] = tone[0];
      pixels[at + 1] = tone[1];
      pixels[at + 2] = tone[2];
      pixels[at + 3] = depth * Math.abs(c);
    }
    pen.putImageData(image, 0, 0);
    g.imageSmoothingEnabled = true;
    g.drawImage(this.tint, this.x0, this.y1, this.x1 - this.x0, this.y0 - this.y1);
  }

  drawExperts(g, { task, v, t, method, colours, lit }) {
    const asked = drawnAt(task, method, t);
    for (let i = 0; i < task.T; i++) {
      const p = weightAt(task, i, v);
      if (p < FAINT || i === lit || i === asked) continue;
      const strength = p ** 0.6;
      g.globalAlpha = 0.1 + 0.85 * strength;
      this.stroke(g, task.experts, i, groupColour(colours, groupOf(task, i)), 0.9 + 3 * strength);
    }
    g.globalAlpha = 1;
    if (asked >= 0) this.stroke(g, task.experts, asked, groupColour(colours, groupOf(task, asked)), 2.6);
    if (lit >= 0 && lit < task.T) {
      this.stroke(g, task.experts, lit, colours.ground, 7);
      this.stroke(g, task.experts, lit, groupColour(colours, groupOf(task, lit)), 4);
    }
    this.tag(this.askedLabel, asked < 0 ? null : this.segment(rowOf(task.experts, asked)), 0.12);
  }

  drawLearner(g, { task, v, colours, morph }) {
    // While the finished learner becomes an expert it takes its last step, to w after example N.
    const c = directionAt(task.learner, Math.min(v + morph, task.n + 1));
    const ends = c && this.segment(c);
    if (ends) {
      const becoming = morph > 0 ? groupColour(colours, task.group) : null;
      g.lineCap = "butt";
      this.strokeEnds(g, ends, colours.ground, 6.5 - 3 * morph);
      this.strokeEnds(g, ends, becoming ? blendColours(colours.learner, becoming, morph) : colours.learner, 3.6 - 1.8 * morph);
    }
    setText(this.learnerLabel, morph > 0 ? "becomes an expert" : !c ? "learner: w = 0, no boundary yet"
      : ends ? "learner" : "learner: outside this view");
    if (ends) this.tag(this.learnerLabel, ends, 0.9);
    else this.tag(this.learnerLabel, [[this.x1 - 2, this.y1 + 1.1 * this.em], [this.x1 - 2, this.y1 + 1.1 * this.em]], 1);
  }

  // Place a label on a segment, at a fraction of its length, inside the plot.
  tag(label, ends, share) {
    label.hidden = !ends;
    if (!ends) return;
    const [a, b] = ends[0][0] <= ends[1][0] ? ends : [ends[1], ends[0]];
    const x = a[0] + share * (b[0] - a[0]);
    const y = a[1] + share * (b[1] - a[1]);
    const wide = (label.textContent.length * 0.56 + 1) * this.em;
    place(label, Math.min(Math.max(x - wide / 2, this.x0 + 3), this.x1 - wide - 3),
      Math.min(Math.max(y - 0.75 * this.em, this.y1 + 3), this.y0 - 1.7 * this.em));
  }

  // Draw all points but the newest on the layer: a step forward adds one, a step back draws all again.
  keepPoints({ task, t, method, colours, version }) {
    const told = t - 1;
    const now = `${version} ${method}`;
    const fresh = this.markedFor !== now || told < this.marked;
    const g = fresh ? this.begin(this.layer) : this.layer.getContext("2d");
    if (fresh) this.marked = 0;
    this.markedFor = now;
    for (; this.marked < told; this.marked++) this.drawPoint(g, task, this.marked, method, colours);
  }

  drawPoint(g, task, k, method, colours, size = 1) {
    const [x, y, r] = [this.x(task.points[2 * k]), this.y(task.points[2 * k + 1]), this.radius * size];
    if (!this.holds(x, y)) return;
    // The cross is larger than the mark and behind it, so that both the mistake and the label can be seen.
    if (task.errors[task.methods.indexOf(method) * task.n + k]) this.drawCross(g, x, y, 2.05 * r, colours);
    g.beginPath();
    if (task.labels[k] > 0) g.arc(x, y, r, 0, 7);
    else { g.moveTo(x, y - 1.25 * r); g.lineTo(x + 1.25 * r, y); g.lineTo(x, y + 1.25 * r); g.lineTo(x - 1.25 * r, y); g.closePath(); }
    g.fillStyle = task.labels[k] > 0 ? colours.plus : colours.minus;
    g.strokeStyle = colours.ground;
    g.lineWidth = 1;
    g.fill();
    g.stroke();
  }

  drawCross(g, x, y, a, colours) {
    g.beginPath();
    g.moveTo(x - a, y - a); g.lineTo(x + a, y + a); g.moveTo(x + a, y - a); g.lineTo(x - a, y + a);
    for (const [colour, width] of [[colours.ground, 4.4], [colours.wrong, 2.2]]) {
      g.strokeStyle = colour;
      g.lineWidth = width * this.unit;
      g.stroke();
    }
  }

  drawNewest(g, { task, t, phase, method, colours }) {
    const [x, y, r] = [this.x(task.points[2 * t - 2]), this.y(task.points[2 * t - 1]), this.radius];
    if (!this.holds(x, y)) return;
    if (phase === "ask") {
      g.beginPath();
      g.arc(x, y, 2.9 * r, 0, 7);
      g.fillStyle = colours.ground;
      g.fill();
      g.fillStyle = colours.ink;
      g.font = `700 ${3.3 * r}px system-ui, sans-serif`;
      g.textAlign = "center";
      g.textBaseline = "middle";
      g.fillText("?", x, y + 0.2 * r);
    } else this.drawPoint(g, task, t - 1, method, colours, 1.25);
    g.beginPath();
    g.arc(x, y, 2.9 * r, 0, 7);
    for (const [colour, width] of [[colours.ground, 4], [colours.ink, 1.8]]) {
      g.strokeStyle = colour;
      g.lineWidth = width * this.unit;
      g.stroke();
    }
  }

  // The picture as text for screen readers: the examples, the mistakes, the newest example, and the share of +1 in the plane.
  summary({ task, t, told, phase, v, method }) {
    const plus = task.labels.subarray(0, told).reduce((sum, y) => sum + (y > 0), 0);
    const at = (k) => `at ${decimal(task.points[2 * k], 2)}, ${decimal(task.points[2 * k + 1], 2)}`;
    const newest = phase === "ask" ? ` The open question is ${at(t - 1)}.`
      : told ? ` The newest is ${at(told - 1)}: ${sign(task.labels[told - 1])}.` : "";
    const wrong = told ? `; ${method} was wrong about ${task.counts[task.methods.indexOf(method)][told]} of them` : "";
    const examples = `${told} examples told: ${plus} of +1, ${told - plus} of ${MINUS}1${wrong}.${newest}`;
    if (task.rule && !task.rule.field) return `${examples} Where ${method} predicts +1 is not drawn.`;
    const field = this.region.at(task, this.box, v, method);
    const share = field.reduce((sum, c) => sum + (c >= 0), 0) / field.length;
    return `${examples} ${method} now predicts +1 in ${percent(share)} of the plane shown.`;
  }

  tellLit(task, lit, v) {
    if (lit < 0 || lit >= task.T) {
      setText(this.info, task.T ? `${TOUCH.matches ? "Tap" : "Point at"} a line or a band to see which task it came from.` : "No experts yet: the learner is alone.");
      return;
    }
    const group = groupName(task, groupOf(task, lit));
    const where = this.segment(rowOf(task.experts, lit)) ? "" : "; its line lies outside this view";
    setText(this.info, `Expert from ${task.names[lit]}${group && !task.names[lit].includes(group) ? `, ${group}` : ""}: `
      + `p = ${decimal(weightAt(task, lit, Math.floor(v)))}${where}`);
  }

  // The strongest of the experts whose lines pass near the pointer, or -1.
  nearest(event) {
    if (!this.view?.task.T) return -1;
    const [px, py] = this.at(event);
    if (!this.holds(px, py)) return -1;
    const { task, t } = this.view;
    let best = -1;
    let score = Infinity;
    for (let i = 0; i < task.T; i++) {
      const ends = this.segment(rowOf(task.experts, i));
      if (!ends) continue;
      const [[ax, ay], [bx, by]] = ends;
      const distance = Math.abs((bx - ax) * (ay - py) - (ax - px) * (by - ay)) / Math.hypot(bx - ax, by - ay);
      const p = weightAt(task, i, t);
      if (distance < NEAR && distance - 12 * p < score) [best, score] = [i, distance - 12 * p];
    }
    return best;
  }

  stroke(g, rows, i, colour, width) {
    const ends = this.segment(rowOf(rows, i));
    if (ends) this.strokeEnds(g, ends, colour, width);
  }

  strokeEnds(g, [[ax, ay], [bx, by]], colour, width) {
    g.strokeStyle = colour;
    g.lineWidth = width * this.unit;
    g.beginPath();
    g.moveTo(ax, ay);
    g.lineTo(bx, by);
    g.stroke();
  }

  // Where c0 + c1 u1 + c2 u2 = 0 crosses the box, in pixels; null where it does not.
  segment([c0, c1, c2]) {
    const [left, right, bottom, top] = this.box;
    const ends = [];
    const add = (u1, u2) => {
      if (ends.length < 2 && (!ends.length || Math.hypot(this.x(u1) - ends[0][0], this.y(u2) - ends[0][1]) > 0.5)) {
        ends.push([this.x(u1), this.y(u2)]);
      }
    };
    if (c2 !== 0) for (const u1 of [left, right]) { const u2 = -(c0 + c1 * u1) / c2; if (u2 >= bottom && u2 <= top) add(u1, u2); }
    if (c1 !== 0) for (const u2 of [bottom, top]) { const u1 = -(c0 + c2 * u2) / c1; if (u1 >= left && u1 <= right) add(u1, u2); }
    return ends.length === 2 ? ends : null;
  }
}
