// The race over a task: the mistakes of all methods so far, or their regrets against a competitor that is known in hindsight only.

import { timeTicks } from "./time_axis.js";
import { h, place, setText } from "../shared/dom.js";
import { methodButtons, methodColour, methodSample } from "../shared/legend.js";
import { countLabels, drawMethodLines, placeCounts } from "../shared/method_lines.js";
import { axisNumber, MINUS, niceTicks, wholeTicks } from "../shared/numbers.js";
import { Panel } from "../shared/panel.js";

const MANY = 7; // methods; more of them have a tighter legend

export class TaskRacePanel extends Panel {
  constructor({ toggle, setRegret }) {
    super(
      "race", "The race: mistakes so far",
      "Each line counts a method's mistakes on this task up to now, lower is better; the number at its end is the count. "
      + "Click a name to hide or show a method. Regret is the number of mistakes beyond those of the expert that makes the fewest in "
      + "this task, or of the classifier that fits it best, known only when it is over: below 0 a method does better than any one of them.",
      { left: 2.2, right: 2.3, top: 0.6, bottom: 1.45 },
    );
    this.toggle = toggle;
    this.labels = h("div");
    this.promise = h("span", { class: "promise", hidden: true });
    this.level = h("span", { class: "level", hidden: true });
    this.guess = h("span", { class: "guess", hidden: true });
    this.overlay.append(this.level, this.labels, this.promise, this.guess);
    this.legend = h("div", { class: "side methods", role: "group", "aria-label": "Methods shown" });
    this.body.append(this.legend);
    this.regretButton = h("button", {
      type: "button", class: "chip", "aria-pressed": "false", text: "Regret", hidden: true,
    });
    this.regretButton.addEventListener("click", () => setRegret(this.regretButton.ariaPressed !== "true"));
    if (setRegret) this.extra.append(this.regretButton);
  }

  // The names to click, and the labels at the ends of the lines, for the task's methods.
  takeMethods({ methods, lines }) {
    if (this.methods?.join() === methods.join()) return;
    this.methods = methods;
    this.names = methodButtons(methods, this.toggle);
    methods.forEach((name, m) => { this.names[m].hidden = Boolean(lines && !lines.includes(name)); });
    this.legend.replaceChildren(...this.names);
    this.legend.hidden = lines?.length === 1;
    this.tallies = methods.map(() => h("b", { class: "tally" }));
    this.legend.classList.toggle("many", methods.length > MANY);
    this.ends = countLabels(methods);
    this.labels.replaceChildren(...this.ends);
  }

  // What the lines show, one array (0..n) for each method.
  lines({ task, regret }) {
    return regret && task.regrets ? task.regrets : task.counts;
  }

  // The number of mistakes that the axis reaches up to.
  axisEnd({ task }) {
    return Math.max(task.promise == null ? 4 : Math.ceil(task.promise), task.guess ?? 1, 1, ...task.counts.map((counts) => counts[task.n]));
  }

  // The ends of the axis, and its ticks. Regrets may be below 0.
  valueAxis(view) {
    const room = Math.max(3, (this.y0 - this.y1) / (2.4 * this.em)); // one tick alone is no axis
    if (this.lines(view) === view.task.counts) {
      const most = this.axisEnd(view);
      return [0, most, wholeTicks(most, room)];
    }
    const all = view.task.regrets;
    const [least, most] = [Math.min(0, ...all.map((one) => Math.min(...one))), Math.max(4, ...all.map((one) => Math.max(...one)))];
    return [least, most, niceTicks(least, most, Math.floor(room)).filter(Number.isInteger)];
  }

  layout(view) {
    const { task, dark } = view;
    this.takeMethods(task);
    const regret = this.lines(view) !== task.counts;
    setText(this.heading, regret ? "The race: regret so far" : "The race: mistakes so far");
    this.regretButton.hidden = !task.regrets || task.promise != null;
    this.regretButton.ariaPressed = String(regret);
    this.regretButton.title = `Count the mistakes beyond those of the ${task.competitor} of this task`;
    setText(this.level, task.competitor ?? "");
    const [least, most, ticks] = this.valueAxis(view);
    this.most = most;
    this.x = this.scaleX(0, task.n);
    this.y = this.scaleY(least - 0.04 * (most - least) * (least < 0), most + 0.04 * (most - least));
    this.axes({
      x: this.x, y: this.y,
      xs: timeTicks(0, task.n, (this.x1 - this.x0) / (4 * this.em)),
      ys: ticks.map((v) => [v, axisNumber(v)]),
    });
    this.level.hidden = !regret;
    place(this.level, this.x1 - 7 * this.em, this.y(0) - 1.25 * this.em);
    this.nameLevel(this.promise, task.promise, (value) => `bound: at most ${Number(value.toFixed(2))}`, this.x0 + 0.3 * this.em);
    this.nameLevel(this.guess, task.guess, (value) => `your guess: ${value}`, this.x0 + 9.5 * this.em);
    this.methods.forEach((name, m) => {
      this.ends[m].style.color = methodColour(name, dark);
      this.names[m].replaceChildren(...methodSample(name, dark), this.tallies[m]);
    });
    // Where numbers would lie on one another they stand beside the names.
    const named = this.names.filter((name) => !name.hidden).length;
    this.crowded = named > 1 && (this.y0 - this.y1) / named < (named > MANY ? 1 : 0.8) * this.em;
    this.labels.hidden = this.crowded;
    this.keepLines(view);
  }

  // Write what a horizontal line means; below it if there is no space above.
  nameLevel(label, value, words, x) {
    label.hidden = value == null;
    if (value == null) return;
    setText(label, words(value));
    const y = this.y(value);
    place(label, x, y - this.y1 > 1.3 * this.em ? y - 1.3 * this.em : y + 0.1 * this.em);
  }

  // Draw all lines over all time once, the chosen method's on top; each frame reveals them up to the current step.
  keepLines(view) {
    const { task, hidden, dark, method } = view;
    const { methods } = this;
    this.keptFor = `${[...hidden]} ${method}`;
    const order = this.shown(view).sort((a, b) => (methods[a] === method) - (methods[b] === method));
    const lines = this.lines(view);
    drawMethodLines(this, methods, order, dark, (g, m) => {
      for (let t = 0; t <= task.n; t++) g.lineTo(this.x(t), this.y(lines[m][t]));
    });
    methods.forEach((name, m) => {
      this.names[m].setAttribute("aria-pressed", String(!hidden.has(name)));
      this.ends[m].hidden = !order.includes(m);
    });
  }

  // The indices of the methods that are neither hidden nor wait for the server.
  shown({ task, hidden }) {
    return this.methods.map((_, m) => m).filter((m) => !hidden.has(this.methods[m]) && !task.waiting?.includes(this.methods[m]));
  }

  draw(view) {
    const { task, colours, hidden, method, told, toldNow } = view;
    const lines = this.lines(view);
    if (this.keptFor !== `${[...hidden]} ${method}`) this.keepLines(view);
    if (!this.visible) return;
    const g = this.begin();
    this.grid(g, colours);
    if (task.promise != null) this.drawLevel(g, this.y(task.promise), colours.wrong);
    if (task.guess != null) this.drawLevel(g, this.y(task.guess), colours.accent);
    if (lines !== task.counts) this.drawLevel(g, this.y(0), colours.soft);
    const now = Math.min(Math.max(toldNow, 0), task.n);
    const x = this.x(now);
    this.reveal(g, x);
    this.cursor(g, x, colours);
    const shown = this.shown(view);
    const t = Math.floor(now);
    const heights = shown.map((m) => {
      const counts = lines[m];
      return this.y(counts[t] + (now - t) * (counts[Math.min(t + 1, task.n)] - counts[t]));
    });
    shown.forEach((m, k) => this.drawEnd(g, x, heights[k], this.methods[m], view));
    const numbers = shown.map((m) => String(lines[m][told]).replace("-", MINUS));
    this.tallies.forEach((tally, m) => setText(tally, (this.crowded && numbers[shown.indexOf(m)]) || ""));
    if (!this.crowded) placeCounts(this, this.ends, shown, x, heights, numbers);
  }

  summary(view) {
    const { task, told } = view;
    const lines = this.lines(view);
    const counts = this.shown(view).map((m) => `${this.methods[m]} ${lines[m][told]}`).join(", ");
    const promised = task.promise == null ? "" : ` Bound: at most ${Number(task.promise.toFixed(2))} at the end.`;
    const guessed = task.guess == null ? "" : ` Your guess: ${task.guess}.`;
    return `${lines === task.counts ? "Mistakes" : `Regret against the ${task.competitor}`} after ${told} of ${task.n} steps: ${counts || "all methods are hidden"}.${promised}${guessed}`;
  }

  drawLevel(g, y, colour) {
    g.strokeStyle = colour;
    g.lineWidth = 2 * this.unit;
    this.dash(g, [7, 5]);
    g.beginPath();
    g.moveTo(this.x0, y);
    g.lineTo(this.x1, y);
    g.stroke();
    this.dash(g);
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
