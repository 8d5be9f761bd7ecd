// The alpha panel: the curve, the current step on it, and how the vote is split between knowledge and learner.

import { alphaAt, asksExperts } from "./task.js";
import { shareAxes } from "./time_axis.js";
import { h, setText } from "../shared/dom.js";
import { Grips } from "../shared/grips.js";
import { decimal, percent } from "../shared/numbers.js";
import { Panel } from "../shared/panel.js";

export class AlphaPanel extends Panel {
  // reshape: what the curve's grips move.
  constructor(reshape) {
    super(
      "trust", "Experts' share of the vote: α",
      "The curve is α, the knowledge base's share of the vote; it may only fall, so the learner's share 1 − α grows as "
      + "it learns. Drag a point or a diamond to change it: everything follows at once. A rule that learns "
      + "α gives the learner a weight among the experts: its α is what the others have, cannot be dragged, and may rise. The bar splits the vote at this step between "
      + "the experts' knowledge and the task's own learner.",
      { left: 2.2, right: 2.3, top: 0.6, bottom: 1.45 },
    );
    this.filled = h("div");
    this.bar = h("div", { class: "split", role: "img" }, this.filled);
    this.knowledge = h("p", { class: "knowledge" }, h("span", { text: "knowledge" }), h("b"));
    this.own = h("p", { class: "own" }, h("span", { text: "learner" }), h("b"));
    this.alone = h("p", { class: "alone" });
    this.side = h("div", { class: "side" }, h("p", { class: "now", text: "The vote now" }), this.knowledge, this.bar, this.own, this.alone);
    this.body.append(this.side);
    this.reshape = reshape;
    this.grips = new Grips(this, reshape);
  }

  layout(view) {
    const { task } = view;
    shareAxes(this, task.n);
    this.keepCurve(view);
  }

  keepCurve({ task, colours }) {
    const g = this.begin(this.layer);
    if (!this.visible) return;
    g.beginPath();
    g.moveTo(this.x(1), this.y(0));
    for (let t = 1; t <= task.n; t++) g.lineTo(this.x(t), this.y(task.alpha[t - 1]));
    g.lineTo(this.x(task.n), this.y(0));
    g.fillStyle = colours.accent;
    g.globalAlpha = 0.14;
    g.fill();
    g.globalAlpha = 1;
    this.trace(g, task);
    g.strokeStyle = colours.accent;
    g.lineWidth = 2.4 * this.unit;
    g.lineJoin = "round";
    g.stroke();
  }

  trace(g, task) {
    g.beginPath();
    for (let t = 1; t <= task.n; t++) g.lineTo(this.x(t), this.y(task.alpha[t - 1]));
  }

  draw({ task, colours, v, t, method }) {
    const asks = asksExperts(task, method);
    const draggable = this.reshape.possible && !task.rule;
    const share = asks ? task.alpha[t - 1] : 0;
    this.split(share, asks, task, method);
    this.grips.element.hidden = !draggable;
    if (!this.visible) return;
    if (draggable) this.grips.draw();
    const g = this.begin();
    this.grid(g, colours);
    // The schedule is known before the task starts, so the rest of the curve is shown, too; not so an alpha that is learnt.
    if (!task.rule?.setsAlpha) {
      g.globalAlpha = 0.28;
      g.drawImage(this.layer, 0, 0, this.width, this.height);
      g.globalAlpha = 1;
    }
    const x = this.x(Math.min(v, task.n));
    this.reveal(g, x);
    this.cursor(g, x, colours);
    g.beginPath();
    g.arc(x, this.y(alphaAt(task, v)), 0.4 * this.em, 0, 7);
    g.fillStyle = colours.accent;
    g.strokeStyle = colours.ground;
    g.lineWidth = 2;
    g.fill();
    g.stroke();
  }

  summary({ task, t, method }) {
    return `${task.rule?.setsAlpha ? `Alpha, which ${method} learns, goes` : "Alpha falls"} from ${decimal(task.alpha[0], 2)} at step 1 to ${decimal(task.alpha[task.n - 1], 2)} at step ${task.n}; `
      + `at step ${t} it is ${decimal(task.alpha[t - 1], 2)}.`;
  }

  split(share, asks, task, method) {
    const width = `${(100 * share).toFixed(1)}%`;
    if (this.filled.style.width !== width) this.filled.style.width = width;
    const alone = !task.T ? "The learner is alone." : !asks ? `${method} asks no expert.`
      : task.rule?.setsAlpha ? `${method} learns α.`
      : task.rule ? `${method}: set α by its control.` : "";
    // The two rounded shares must add up to 100.
    const rest = share > 0.01 && share < 0.99 ? `${100 - Math.round(100 * share)} %` : percent(1 - share);
    setText(this.knowledge.lastChild, percent(share));
    setText(this.own.lastChild, rest);
    setText(this.alone, alone);
    const words = `${alone} The vote now: knowledge ${percent(share)}, learner ${rest}`.trim();
    if (this.said !== words) {
      this.said = words;
      this.bar.setAttribute("aria-label", words);
      this.bar.title = words;
    }
  }
}
