// Another task of the stream, chosen within the player: in full screen the page's own control is out of reach.

import { button, h } from "../shared/dom.js";

export class TaskBox {
  // ask(task): asks the server for that task.
  constructor(ask) {
    this.back = button("Previous task", "back", "The task before this one");
    this.forward = button("Next task", "forward", "The task after this one");
    this.number = h("input", { type: "number", min: 0, step: 1, "aria-label": "Task", title: "Which task of the stream to look at" });
    this.total = h("span");
    this.element = h("span", { class: "task-box" }, "Task", this.back, this.number, this.forward, this.total);
    this.back.addEventListener("click", () => this.go(this.task - 1, ask));
    this.forward.addEventListener("click", () => this.go(this.task + 1, ask));
    this.number.addEventListener("change", () => this.go(Math.round(Number(this.number.value)), ask));
  }

  go(wanted, ask) {
    const task = Math.min(Math.max(wanted || 0, 0), this.last);
    this.number.value = task;
    if (task !== this.task) ask(task);
  }

  show({ task, nTasks }) {
    this.task = task;
    this.last = nTasks - 1;
    this.number.max = this.last;
    this.number.value = task;
    this.total.textContent = `of 0 to ${this.last}`;
    this.back.disabled = task === 0;
    this.forward.disabled = task === this.last;
    this.element.hidden = nTasks === 1;
  }
}
