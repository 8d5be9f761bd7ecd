// The weights panel: p_t stacked over time, the strongest experts by name, the others together in grey.

import { asksExperts, drawnAt, groupName, groupOf } from "./task.js";
import { shareAxes } from "./time_axis.js";
import { h, place, setText, svg } from "../shared/dom.js";
import { percent } from "../shared/numbers.js";
import { Panel } from "../shared/panel.js";
import { blendColours, groupColour } from "../shared/theme.js";

const ROW = 1.12; // em: the least height of a row of the list

export class WeightsPanel extends Panel {
  constructor({ light, pin }) {
    super(
      "weights", "Weights: p",
      "Each band is an expert, its height its weight p, by which AKLO, or the rule shown, averages the experts' advice before step t; all start equal, and "
      + "those whose advice was wrong lose weight. The effective number of experts is 1 divided by the sum of p²: it is the number of "
      + "experts if all weigh the same, and 1 if one has all the weight. Point at a band to see its boundary in the plane.",
      { left: 2.2, right: 2.3, top: 0.6, bottom: 1.45 },
    );
    this.light = light;
    this.pin = pin;
    this.list = h("ul", { class: "side experts", "aria-label": "The strongest experts" });
    this.body.append(this.list);
    this.empty = h("p", { class: "empty", hidden: true, text:
      "No experts yet: this is the first task, and the learner is alone. When it ends, its boundary becomes the first expert." });
    this.overlay.append(this.empty);
    this.joining = h("span", { class: "tag joining", hidden: true });
    this.overlay.append(this.joining);
    this.asked = h("span", { class: "asked-now", title: "The effective number of experts, 1 divided by the sum of p², and how many experts together hold 90 % of the weight" });
    this.extra.append(this.asked);
    const point = (event) => light(this.bandAt(event));
    this.canvas.addEventListener("pointermove", point);
    this.canvas.addEventListener("pointerdown", point);
    this.canvas.addEventListener("pointerleave", (event) => event.pointerType !== "touch" && light(-1));
  }

  layout(view) {
    const { task } = view;
    this.view = view;
    this.empty.hidden = task.T > 0;
    shareAxes(this, task.n);
    this.bounds = new Map();
    this.colour = bandColours(task, view.colours);
    this.keepBands(view);
    this.fillList(view);
  }

  // Draw all bands over all time once; each frame reveals them up to the current step.
  keepBands({ task, colours }) {
    const g = this.begin(this.layer);
    if (!task.T || !this.visible) return;
    const base = new Float64Array(task.n);
    const whole = Float64Array.from({ length: task.n }, (_, t) => weightOfAll(task, t + 1));
    task.order.slice(0, task.named).forEach((i) => {
      const top = base.map((b, t) => b + task.weights[t * task.T + i]);
      this.fillBand(g, base, top, this.colour.get(i), colours.ground);
      base.set(top);
    });
    if (task.named < task.T) {
      g.globalAlpha = 0.55;
      this.fillBand(g, base, whole, colours.others, colours.ground);
      g.globalAlpha = 1;
    }
  }

  fillBand(g, low, high, colour, edge) {
    this.traceBand(g, low, high, low.length);
    g.fillStyle = colour;
    g.fill();
    g.strokeStyle = edge;
    g.lineWidth = 1;
    g.stroke();
  }

  traceBand(g, low, high, end) {
    g.beginPath();
    // The band of a task with one step is drawn to the right edge.
    const n = Math.max(end, 1);
    for (let t = 0; t < n; t++) g.lineTo(this.x(t + 1), this.y(high[t]));
    if (low.length === 1) {
      g.lineTo(this.x1, this.y(high[0]));
      g.lineTo(this.x1, this.y(low[0]));
    }
    for (let t = n - 1; t >= 0; t--) g.lineTo(this.x(t + 1), this.y(low[t]));
    g.closePath();
  }

  // The lower and upper edge of an expert's band, also of one among the "others".
  edges(i) {
    if (!this.bounds.has(i)) {
      const { task } = this.view;
      const low = new Float64Array(task.n);
      for (const j of task.order) {
        if (j === i) break;
        for (let t = 0; t < task.n; t++) low[t] += task.weights[t * task.T + j];
      }
      this.bounds.set(i, [low, low.map((b, t) => b + task.weights[t * task.T + i])]);
    }
    return this.bounds.get(i);
  }

  // A row for each expert with a name of its own, and one for the others. Where the panel is low, fewer are named.
  fillList({ task, colours }) {
    this.rows = task.order.slice(0, task.named).map((i) => this.listRow(task, i));
    this.others = h("li", { class: "others" }, swatch(colours.others, 0.55), h("span", { class: "name" }), h("span", { class: "p" }));
    this.others.style.order = task.named;
    this.list.replaceChildren(...this.rows, this.others);
    const below = getComputedStyle(this.list).display === "grid"; // on a phone the list is below the plot, as long as it is
    const fit = below ? task.named + 1 : Math.floor(this.list.clientHeight / (ROW * this.em));
    this.listed = Math.max(1, task.T <= fit && task.T === task.named ? task.named : Math.min(task.named, fit - 1));
    this.others.hidden = this.listed >= task.T;
    setText(this.others.children[1], `others (${task.T - this.listed})`);
    this.told = null;
  }

  listRow(task, i) {
    const name = named(task, i);
    const p = h("span", { class: "p" });
    const row = h("button", {
      type: "button", "data-expert": i, title: `Expert from ${name}: show its boundary`,
      "aria-pressed": "false",
    }, swatch(this.colour.get(i)), h("span", { class: "name", text: task.names[i] }), p);
    row.addEventListener("pointerenter", () => this.light(i));
    row.addEventListener("pointerleave", () => this.light(-1));
    row.addEventListener("focus", () => this.light(i));
    row.addEventListener("blur", () => this.light(-1));
    row.addEventListener("click", () => this.pin(i));
    return h("li", {}, row);
  }

  draw(view) {
    this.view = view;
    if (!this.visible) return;
    const { task, colours, v, lit, method, t, morph } = view;
    const g = this.begin();
    this.grid(g, colours);
    const now = this.x(Math.min(v, Math.max(task.n, 2)));
    if (task.T) {
      this.reveal(g, task.n === 1 ? this.x1 : now);
      if (lit >= 0 && lit < task.T) this.drawLit(g, task, lit, v, colours);
      const asked = drawnAt(task, method, t);
      setText(this.asked, asked >= 0 ? `asked: ${task.names[asked]}` : method === "Unif Sum" ? "all have the same weight"
        : asksExperts(task, method) ? concentration(task, t) : `${method} asks nobody`);
      if (asked >= 0) this.drawAsked(g, asked, t, colours);
      this.cursor(g, now, colours);
    } else setText(this.asked, "");
    this.drawJoining(g, task, morph, colours);
    this.tellWeights(task, t, lit, view.pinned);
  }

  drawLit(g, task, lit, v, colours) {
    const [low, high] = this.edges(lit);
    this.within(g, () => {
      this.traceBand(g, low, high, Math.min(Math.floor(v), task.n));
      g.fillStyle = groupColour(colours, groupOf(task, lit));
      g.fill();
      g.strokeStyle = colours.ink;
      g.lineWidth = 1.6;
      g.stroke();
    });
  }

  drawAsked(g, asked, t, colours) {
    const [low, high] = this.edges(asked);
    g.beginPath();
    g.arc(this.x(t), this.y((low[t - 1] + high[t - 1]) / 2), 0.34 * this.em, 0, 7);
    g.fillStyle = colours.ground;
    g.strokeStyle = colours.ink;
    g.lineWidth = 2;
    g.fill();
    g.stroke();
  }

  // The finished learner joins as one more expert, whose first weight will be 1 / (T + 1).
  drawJoining(g, task, morph, colours) {
    this.joining.hidden = !(morph > 0);
    if (!(morph > 0)) return;
    const height = (this.y0 - this.y1) * (morph / (task.T + 1));
    const width = Math.max(6, 0.9 * this.em);
    g.fillStyle = groupColour(colours, task.group);
    g.fillRect(this.x1 - width, this.y1, width, height);
    setText(this.joining, `+ ${task.title || `task ${task.task}`}`);
    place(this.joining, this.x1 - width - (this.joining.textContent.length * 0.56 + 1.4) * this.em, this.y1 + 2);
  }

  // The weights as text for screen readers: the three strongest, and all others together.
  summary({ task, t }) {
    if (!task.T) return this.empty.textContent;
    const now = task.weights.subarray((t - 1) * task.T, t * task.T);
    const first = Array.from(now.keys()).sort((a, b) => now[b] - now[a] || a - b).slice(0, 3);
    const rest = Math.max(0, weightOfAll(task, t) - first.reduce((sum, i) => sum + now[i], 0));
    const named = first.map((i) => `${task.names[i]} ${percent(now[i])}`);
    if (task.T > first.length) named.push(`the other ${task.T - first.length} together ${percent(rest)}`);
    return `Weights of the experts at step ${t}: ${named.join(", ")}; ${concentration(task, t)}.`;
  }

  tellWeights(task, t, lit, pinned) {
    if (this.told === `${t} ${lit} ${pinned}` && this.toldFor === task) return;
    this.told = `${t} ${lit} ${pinned}`;
    this.toldFor = task;
    let rest = weightOfAll(task, t);
    const ranks = ranksNow(task, t);
    this.rows.forEach((row, k) => {
      const i = task.order[k];
      const rank = ranks.get(i);
      row.style.order = rank; // the strongest now stands first; the elements stay, and so does the focus
      row.hidden = rank >= this.listed;
      if (row.hidden) return;
      const p = task.weights[(t - 1) * task.T + i];
      rest -= p;
      row.firstChild.setAttribute("aria-pressed", String(i === pinned));
      row.classList.toggle("lit", i === lit);
      setText(row.querySelector(".p"), percent(p));
    });
    this.others.classList.toggle("lit", lit >= 0 && !(ranks.get(lit) < this.listed));
    setText(this.others.querySelector(".p"), percent(Math.max(0, rest)));
  }

  bandAt(event) {
    const { task, v } = this.view;
    if (!task.T) return -1;
    const [px, py] = this.at(event);
    const t = Math.round(1 + ((px - this.x0) / (this.x1 - this.x0)) * (task.n - 1));
    const share = (this.y0 - py) / (this.y0 - this.y1);
    if (t < 1 || t > Math.ceil(v) || t > task.n || share < 0 || share > 1) return -1;
    let sum = 0;
    for (const i of task.order) {
      sum += task.weights[(t - 1) * task.T + i];
      if (share <= sum) return i;
    }
    return -1;
  }
}

// The name of an expert's task, with its group if the name does not tell it already.
function named(task, i) {
  const group = groupName(task, groupOf(task, i));
  const name = task.names[i];
  return !group || name.endsWith(`(${group})`) ? name : `${name} (${group})`;
}

const weightsAt = (task, t) => task.weights.subarray((t - 1) * task.T, t * task.T);

// The sum of the experts' weights at step t: 1, but for a rule that trusts TOL's learner, too, or the learner alone.
function weightOfAll(task, t) {
  return task.rule ? weightsAt(task, t).reduce((sum, p) => sum + p, 0) : 1;
}

// Expert -> its place among those with a name of their own, the strongest at step t first.
function ranksNow(task, t) {
  const now = weightsAt(task, t);
  const sorted = task.order.slice(0, task.named).sort((a, b) => now[b] - now[a]);
  return new Map(sorted.map((i, place) => [i, place]));
}

// How many experts count at step t: the effective number 1 / sum of p², which is T if all have the same weight and 1 if one has
// it all, and how many of the strongest hold 90 % of the weight.
function concentration(task, t) {
  const all = weightOfAll(task, t);
  if (all < 1e-9) return "no expert has weight";
  const now = Array.from(weightsAt(task, t)).map((p) => p / all).sort((a, b) => b - a);
  const effective = 1 / now.reduce((sum, p) => sum + p * p, 0);
  let [held, most] = [0, 0];
  while (held < 0.9 - 1e-6 && most < now.length) held += now[most++];
  const tol = task.rule?.joint ? `TOL ${percent(1 - all)}, ` : "";
  return `${tol}${effective.toFixed(1)} effective experts, ${most} hold${most === 1 ? "s" : ""} 90 %`;
}

// Experts of a group have its colour, the weaker ones a paler shade.
function bandColours(task, colours) {
  const seen = new Map();
  const result = new Map();
  for (const i of task.order.slice(0, task.named)) {
    const group = groupOf(task, i) ?? 0;
    const k = seen.get(group) ?? 0;
    seen.set(group, k + 1);
    result.set(i, blendColours(groupColour(colours, group), colours.ground, Math.min(0.6, 0.14 * k)));
  }
  return result;
}

function swatch(colour, opacity = 1) {
  return svg("0 0 10 10", ["rect", { width: 10, height: 10, rx: 2, fill: colour, opacity }]);
}
