// The race over a task: the mistakes of all six methods so far.

import { timeTicks } from "./time_axis.js";
import { METHODS } from "../shared/constants.js";
import { h, place, setText } from "../shared/dom.js";
import { methodButtons, methodColour, methodSample } from "../shared/legend.js";
import { countLabels, drawMethodLines, placeCounts } from "../shared/method_lines.js";
import { axisNumber, wholeTicks } from "../shared/numbers.js";
import { Panel } from "../shared/panel.js";

export class TaskRacePanel extends Panel {
  constructor({ toggle }) {
    super(
      "race", "The race: mistakes so far",
      "Each line counts a method's mistakes on this task up to now, lower is better; the number at its end is the count. "
      + "Click a name to hide or show a method.",
      { left: 2.2, right: 2.3, top: 0.6, bottom: 1.45 },
    );
    this.ends = countLabels();
    this.promise = h("span", { class: "promise", hidden: true });
    this.overlay.append(...this.ends, this.promise);
    this.names = methodButtons(toggle);
    this.legend = h("div", { class: "side methods", role: "group", "aria-label": "Methods shown" }, ...this.names);
    this.body.append(this.legend);
  }

  layout(view) {
    const { task, dark } = view;
    this.most = Math.max(task.promise == null ? 4 : Math.ceil(task.promise), 1, ...task.counts.map((counts) => counts[task.n]));
    this.x = this.scaleX(0, task.n);
    this.y = this.scaleY(0, this.most * 1.04);
    this.axes({
      x: this.x, y: this.y,
      xs: timeTicks(0, task.n, (this.x1 - this.x0) / (4 * this.em)),
      ys: wholeTicks(this.most, (this.y0 - this.y1) / (2.4 * this.em)).map((v) => [v, axisNumber(v)]),
    });
    this.promise.hidden = task.promise == null;
    if (task.promise != null) {
      setText(this.promise, `promised: at most ${Number(task.promise.toFixed(2))}`);
      // The label is below the line if there is no space above it.
      const y = this.y(task.promise);
      place(this.promise, this.x0 + 0.3 * this.em, y - this.y1 > 1.3 * this.em ? y - 1.3 * this.em : y + 0.1 * this.em);
    }
    METHODS.forEach((name, m) => {
      this.ends[m].style.color = methodColour(name, dark);
      this.names[m].replaceChildren(...methodSample(name, dark));
    });
    this.keepLines(view);
  }

  // Draw all lines over all time once, the chosen method's on top; each frame reveals them up to the current step.
  keepLines({ task, hidden, dark, method }) {
    this.keptFor = `${[...hidden]} ${method}`;
    const order = METHODS.map((_, m) => m).filter((m) => !hidden.has(METHODS[m]))
      .sort((a, b) => (METHODS[a] === method) - (METHODS[b] === method));
    drawMethodLines(this, order, dark, (g, m) => {
      for (let t = 0; t <= task.n; t++) g.lineTo(this.x(t), this.y(task.counts[m][t]));
    });
    METHODS.forEach((name, m) => {
      this.names[m].setAttribute("aria-pressed", String(!hidden.has(name)));
      this.ends[m].hidden = hidden.has(name);
    });
  }

  draw(view) {
    const { task, colours, hidden, method, told, toldNow } = view;
    if (this.keptFor !== `${[...hidden]} ${method}`) this.keepLines(view);
    if (!this.visible) return;
    const g = this.begin();
    this.grid(g, colours);
    if (task.promise != null) this.drawPromise(g, this.y(task.promise), colours);
    const now = Math.min(Math.max(toldNow, 0), task.n);
    const x = this.x(now);
    this.reveal(g, x);
    this.cursor(g, x, colours);
    const shown = METHODS.map((_, m) => m).filter((m) => !hidden.has(METHODS[m]));
    const t = Math.floor(now);
    const heights = shown.map((m) => {
      const counts = task.counts[m];
      return this.y(counts[t] + (now - t) * (counts[Math.min(t + 1, task.n)] - counts[t]));
    });
    shown.forEach((m, k) => this.drawEnd(g, x, heights[k], METHODS[m], view));
    placeCounts(this, this.ends, shown, x, heights, shown.map((m) => task.counts[m][told]));
  }

  summary({ task, told, hidden }) {
    const shown = METHODS.filter((name) => !hidden.has(name));
    const counts = shown.map((name) => `${name} ${task.counts[METHODS.indexOf(name)][told]}`).join(", ");
    const promised = task.promise == null ? "" : ` Promised: at most ${Number(task.promise.toFixed(2))} at the end.`;
    return `Mistakes after ${told} of ${task.n} steps: ${counts || "all methods are hidden"}.${promised}`;
  }

  drawPromise(g, y, colours) {
    g.strokeStyle = colours.wrong;
    g.lineWidth = 2 * this.unit;
    g.setLineDash([7 * this.unit, 5 * this.unit]);
    g.beginPath();
    g.moveTo(this.x0, y);
    g.lineTo(this.x1, y);
    g.stroke();
    g.setLineDash([]);
  }

  drawEnd(g, x, y, name, { dark, colours }) {
    g.beginPath();
    g.arc(x, y, 0.24 * this.em, 0, 7);
    g.fillStyle = methodColour(name, dark);
    g.fill();
    g.strokeStyle = colours.ground;
    g.lineWidth = 1;
    g.stroke();
  }
}
