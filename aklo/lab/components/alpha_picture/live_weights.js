// The weights' bands over the whole task. While something is dragged, the bands keep their order, so that none jumps.

import { WeightsPanel } from "../player/weights.js";

export class LiveWeights extends WeightsPanel {
  // Draw other weights of the same size and theme. Names and axes are made anew only where they differ.
  refresh(view) {
    const { task } = view;
    const named = `${task.task} ${task.order.slice(0, task.named)}`;
    if (named !== this.laidOutFor) {
      this.laidOutFor = named;
      this.layout(view);
      return;
    }
    this.view = view;
    this.bounds = new Map();
    this.told = null;
    this.keepBands(view);
  }
}
