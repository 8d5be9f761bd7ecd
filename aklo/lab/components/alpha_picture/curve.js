// The curve: alpha over the steps of the task, to be dragged, and the kept schedules as ghosts behind it.

import { shareAxes } from "../player/time_axis.js";
import { SLOTS } from "../shared/constants.js";
import { h } from "../shared/dom.js";
import { Grips } from "../shared/grips.js";
import { decimal } from "../shared/numbers.js";
import { Panel } from "../shared/panel.js";

export class CurvePanel extends Panel {
  constructor(owner) {
    super(
      "curve", "Alpha: who has the vote",
      "The blue area is the share of the vote that the knowledge base has at step t, what is above it the learner's. Drag the "
      + "diamond to change the schedule, or a point to draw a curve of your own; its neighbours come along, since alpha may only "
      + "fall. Thin lines are the kept schedules. With an unknown horizon the weights start anew at the red dotted lines.",
      { left: 2.2, right: 2.6, top: 0.9, bottom: 1.45 },
    );
    this.tools = {
      again: this.tool("Start over", "Back to the schedule that you started from", owner.startOver),
      fewer: this.tool("Fewer points", "Half as many points to drag", () => owner.refine(-1)),
      more: this.tool("More points", "Twice as many points to drag", () => owner.refine(1)),
    };
    this.extra.append(h("div", { class: "tools" }, ...Object.values(this.tools)));
    this.grips = new Grips(this, owner);
    this.kept = h("div", { class: "kept", role: "group", "aria-label": "Kept schedules" });
    this.element.append(this.kept);
  }

  tool(name, title, act) {
    const made = h("button", { type: "button", class: "chip", title, text: name });
    made.addEventListener("click", act);
    return made;
  }

  layout({ n }) {
    shareAxes(this, n, [[0, "0"], [0.25, "¼"], [0.5, "½"], [0.75, "¾"], [1, "1"]]);
  }

  draw(view) {
    this.grips.draw();
    if (!this.visible) return;
    const { alpha, colours, dark, ghosts, start, resets } = view;
    const g = this.begin();
    g.lineJoin = "round";
    this.fillArea(g, alpha, colours.accent, 0.16);
    this.grid(g, colours);
    for (const t of resets) this.stroke(g, [[t, 0], [t, 1]], colours.wrong, 1.4, [2, 4]);
    for (const { mark, alpha: other } of ghosts) {
      const slot = SLOTS[mark];
      this.stroke(g, this.steps(other), dark ? slot.dark : slot.light, 1.4, slot.pattern);
    }
    if (start) this.stroke(g, this.steps(start), colours.soft, 1.5, [5, 4]);
    this.stroke(g, this.steps(alpha), colours.accent, 3, []);
  }

  // The points (t, alpha) of a curve; that of one step is a level line.
  steps(alpha) {
    return alpha.length === 1 ? [[1, alpha[0]], [2, alpha[0]]] : Array.from(alpha, (a, t) => [t + 1, a]);
  }

  trace(g, points) {
    g.beginPath();
    for (const [t, a] of points) g.lineTo(this.x(t), this.y(a));
  }

  stroke(g, points, colour, width, pattern) {
    this.trace(g, points);
    g.strokeStyle = colour;
    g.lineWidth = width * this.unit;
    this.dash(g, pattern);
    g.stroke();
    this.dash(g);
  }

  fillArea(g, alpha, colour, opacity) {
    const points = this.steps(alpha);
    this.trace(g, [[1, 0], ...points, [points.at(-1)[0], 0]]);
    g.globalAlpha = opacity;
    g.fillStyle = colour;
    g.fill();
    g.globalAlpha = 1;
  }

  summary({ title, alpha, n, resets }) {
    return `Alpha of ${title} over ${n} steps, from ${decimal(alpha[0], 2)} to ${decimal(alpha[n - 1], 2)}.`
      + (resets.length ? " The weights start anew at steps 1, 2, 4, 8 and so on." : "");
  }
}
