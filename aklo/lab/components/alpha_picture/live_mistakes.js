// The mistakes of all six methods in this task, and those of the method shown under each kept schedule.

import { TaskRacePanel } from "../player/task_race.js";
import { METHODS, SLOTS } from "../shared/constants.js";

const ROUND = 5; // the axis ends at a multiple of this, so that it seldom changes while something is dragged

export class LiveMistakes extends TaskRacePanel {
  axisEnd({ task, ghosts, method }) {
    const m = METHODS.indexOf(method);
    const most = Math.max(1, ...task.counts.map((counts) => counts[task.n]), ...ghosts.map(({ counts }) => counts[m][task.n]));
    return Math.ceil(most / ROUND) * ROUND;
  }

  refresh(view) {
    if (this.axisEnd(view) !== this.most || view.task.n !== this.shownN) {
      this.shownN = view.task.n;
      this.layout(view);
    } else this.keepLines(view);
  }

  keepLines(view) {
    super.keepLines(view);
    const { ghosts, dark, method, task } = view;
    if (!this.visible) return;
    const m = METHODS.indexOf(method);
    const g = this.layer.getContext("2d");
    for (const { mark, counts } of ghosts) {
      const slot = SLOTS[mark];
      g.strokeStyle = dark ? slot.dark : slot.light;
      g.lineWidth = 1.2 * this.unit;
      this.dash(g, slot.pattern);
      g.beginPath();
      for (let t = 0; t <= task.n; t++) g.lineTo(this.x(t), this.y(counts[m][t]));
      g.stroke();
    }
    this.dash(g);
  }
}
