// Another task of the stream, chosen within the player: in full screen the page's own control is out of reach.

import { button, h, setDisabled } from "../shared/dom.js";

export class TaskBox {
  // ask(task): asks the server for that task.
  constructor(ask) {
    this.back = button("Previous task", "back", "The task before this one");
    this.forward = button("Next task", "forward", "The task after this one");
    this.number = h("input", { type: "number", min: 0, step: 1, "aria-label": "Task", title: "Which task of the stream to look at" });
    this.total = h("span");
    this.element = h("span", { class: "task-box" }, "Task", this.back, this.number, this.forward, this.total);
    this.back.addEventListener("click", () => this.go(this.wanted - 1, ask));
    this.forward.addEventListener("click", () => this.go(this.wanted + 1, ask));
    this.number.addEventListener("input", () => { this.typing = true; });
    this.number.addEventListener("change", () => (this.number.value === "" ? this.write() : this.go(Math.round(Number(this.number.value)), ask)));
    this.number.addEventListener("blur", () => this.write());
    this.asked = []; // the tasks that the server has not sent yet, the last of them the one that is wanted
  }

  go(number, ask) {
    const task = Math.min(Math.max(number, 0), this.last);
    const other = task !== this.wanted;
    if (other) this.asked.push(task);
    this.wanted = task;
    this.write();
    if (other) ask(task);
  }

  // What the server sends may be the answer to an earlier click, while the visitor clicks on or types.
  show({ task, nTasks }) {
    const answered = this.asked.indexOf(task);
    this.asked = answered < 0 ? [] : this.asked.slice(answered + 1);
    this.wanted = this.asked.at(-1) ?? task;
    this.last = nTasks - 1;
    this.number.max = this.last;
    if (!this.typing) this.write();
    this.total.textContent = `of 0 to ${this.last}`;
    this.element.hidden = nTasks === 1;
  }

  write() {
    this.typing = false;
    this.number.value = this.wanted;
    setDisabled(this.back, this.wanted === 0);
    setDisabled(this.forward, this.wanted === this.last);
  }
}
