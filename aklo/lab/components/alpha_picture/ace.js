// The ACE of each method over the whole stream, one row for each schedule: the current one, and the kept ones below it.

import { KNOWING, METHODS, SAMPLING, SLOTS, STROKES } from "../shared/constants.js";
import { h, place, setText, shape } from "../shared/dom.js";
import { methodColour, methodSample } from "../shared/legend.js";
import { Panel } from "../shared/panel.js";

const ROUND = 5; // percent: the axis ends at a multiple of this
const share = (x) => `${(100 * x).toFixed(1)} %`;

// A method's mark: that of a Unif method is open, of an AKLO method filled; samplers have triangles, sums circles.
const isOpen = (name) => name.startsWith("Unif");

function markShape(name, { dark, colours }) {
  const paint = { fill: isOpen(name) ? colours.ground : methodColour(name, dark), stroke: methodColour(name, dark), "stroke-width": 1.6 };
  return SAMPLING.includes(name) ? shape("path", { d: "M13 0.8L17 7.2H9Z", ...paint }) : shape("circle", { cx: 13, cy: 4, r: 3.2, ...paint });
}

export class AcePanel extends Panel {
  constructor() {
    super(
      "ace", "ACE: mistakes in the whole stream",
      "ACE, the average cumulative error, is the mean over all tasks of the share of wrong predictions; further left is better. The upper "
      + "row is the schedule of now, the others are the kept ones. ITOL and TOL do not depend on alpha: they are upright lines. Of Unif "
      + "Sample and AKLO Sample, which draw an expert by chance, it is the error to be expected. The number at a row is that of the method shown.",
      { left: 3.7, right: 3.9, top: 0.5, bottom: 1.45 },
    );
    this.rows = ["Now", ...Object.keys(SLOTS)].map((mark) => h("span", { class: "row", text: mark }));
    this.numbers = this.rows.map(() => h("span", { class: "number" }));
    this.overlay.append(...this.rows, ...this.numbers);
    this.empty = h("p", { class: "empty", hidden: true });
    this.overlay.append(this.empty);
    this.values = METHODS.map((name) => {
      const expected = SAMPLING.includes(name) ? " (expected)" : "";
      const value = h("b");
      return { name, value, sample: h("span", { class: "sample" }), element: h("li", { title: `${name}${expected}` }) };
    });
    this.list = h("ul", { class: "side values", "aria-label": "ACE now" }, ...this.values.map((one) => one.element));
    this.body.append(this.list);
  }

  // The end of the axis in percent, of all ACEs that are shown.
  axisEnd({ rows }) {
    const most = Math.max(0.01, ...rows.flatMap(({ ace }) => (ace ? Array.from(ace) : [])));
    return Math.min(100, Math.ceil((100 * most * 1.02) / ROUND) * ROUND);
  }

  layout(view) {
    this.end = this.axisEnd(view);
    this.laid = `${this.end} ${view.rows.length} ${view.dark}`;
    this.x = this.scaleX(0, this.end / 100);
    this.y = (k) => this.y1 + ((k + 0.5) / view.rows.length) * (this.y0 - this.y1);
    const apart = [1, 2, 5, 10, 20].find((d) => this.end / d <= (this.x1 - this.x0) / (3.2 * this.em)) ?? 50;
    const ticks = Array.from({ length: Math.floor(this.end / apart) + 1 }, (_, k) => k * apart);
    this.axes({ x: this.x, y: this.y, xs: ticks.map((v) => [v / 100, v === ticks.at(-1) ? `${v} %` : String(v)]), ys: [] });
    for (const { name, sample, element, value } of this.values) {
      const [line, text] = methodSample(name, view.dark);
      if (KNOWING.includes(name)) line.replaceChildren(markShape(name, view));
      sample.replaceChildren(line, text);
      element.replaceChildren(sample, value);
    }
  }

  draw(view) {
    const { rows, colours, dark, method } = view;
    if (`${this.axisEnd(view)} ${rows.length} ${dark}` !== this.laid) this.layout(view);
    const now = rows[0].ace;
    this.values.forEach(({ value, name, element }, m) => {
      setText(value, now ? share(now[m]) : "…");
      element.classList.toggle("chosen", name === method);
    });
    this.empty.hidden = Boolean(now) || !view.waiting;
    setText(this.empty, view.waiting ?? "");
    if (!this.visible) return;
    const g = this.begin();
    this.grid(g, colours);
    for (const name of METHODS) if (!KNOWING.includes(name) && now) this.upright(g, now[METHODS.indexOf(name)], name, dark);
    this.rows.forEach((label, k) => {
      const number = this.numbers[k];
      label.hidden = number.hidden = k >= rows.length || !rows[k].ace;
      if (label.hidden) return;
      const { mark, ace } = rows[k];
      const slot = SLOTS[mark];
      const ink = slot ? (dark ? slot.dark : slot.light) : colours.ink;
      setText(label, mark);
      label.style.color = number.style.color = ink;
      place(label, 2, this.y(k) - 0.65 * this.em);
      setText(number, share(ace[METHODS.indexOf(method)]));
      place(number, this.x1 + 0.7 * this.em, this.y(k) - 0.65 * this.em);
      for (const name of KNOWING) this.mark(g, this.x(ace[METHODS.indexOf(name)]), this.y(k), name, k ? 0.3 : 0.42, name === method, view);
    });
  }

  upright(g, ace, name, dark) {
    const { width, pattern } = STROKES[name];
    g.strokeStyle = methodColour(name, dark);
    g.lineWidth = width * this.unit;
    this.dash(g, pattern);
    g.beginPath();
    g.moveTo(this.x(ace), this.y1);
    g.lineTo(this.x(ace), this.y0);
    g.stroke();
    this.dash(g);
  }

  mark(g, x, y, name, size, shown, { dark, colours }) {
    const r = size * this.em;
    g.beginPath();
    if (SAMPLING.includes(name)) {
      g.moveTo(x, y - 1.15 * r);
      g.lineTo(x + r, y + 0.7 * r);
      g.lineTo(x - r, y + 0.7 * r);
      g.closePath();
    } else g.arc(x, y, r, 0, 7);
    g.fillStyle = isOpen(name) ? colours.ground : methodColour(name, dark);
    g.fill();
    g.strokeStyle = shown ? colours.ink : methodColour(name, dark);
    g.lineWidth = (shown ? 2 : 1.6) * this.unit;
    g.stroke();
  }

  summary({ rows, method, waiting }) {
    if (!rows[0].ace) return waiting ?? "";
    const m = METHODS.indexOf(method);
    const all = METHODS.map((name, k) => `${name} ${share(rows[0].ace[k])}`).join(", ");
    const others = rows.slice(1).filter(({ ace }) => ace).map(({ mark, ace }) => `${mark} ${share(ace[m])}`).join(", ");
    return `ACE over the whole stream: ${all}.${others ? ` ${method} under the kept schedules: ${others}.` : ""}`;
  }
}
