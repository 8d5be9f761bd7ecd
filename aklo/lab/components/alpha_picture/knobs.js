// The controls above the picture: schedule, its parameters, task, clip, horizon, and the method shown. Every control is followed
// while it is moved (`move`), and reported when it is let go (`finish`).

import { METHODS, SCHEDULES } from "../shared/constants.js";
import { h, setText } from "../shared/dom.js";
import { fit, withParameters } from "../shared/handles.js";
import { startSchedule } from "../shared/schedules.js";
import { undoSwipes } from "../shared/swipe.js";

const CLIPS = { sum: "after the sum", advice: "each expert" };
const HORIZONS = { known: "known", unknown: "unknown" };

export class Knobs {
  constructor(owner) {
    this.owner = owner;
    const set = (name) => (value) => { owner.move({ [name]: value }); owner.finish(); };
    this.kind = this.select("Alpha schedule", (kind) => owner.begin(startSchedule(kind)));
    this.clip = this.select("Clip", set("clip"), CLIPS);
    this.horizon = this.select("Horizon", set("horizon"), HORIZONS);
    this.method = this.select("Method", set("method"), Object.fromEntries(METHODS.map((name) => [name, name])));
    this.parameters = h("span", { class: "parameters" });
    this.task = h("input", { type: "range", min: 0, step: 1, "aria-label": "Task" });
    this.taskNumber = h("output", { class: "task-number" });
    this.task.addEventListener("input", () => owner.move({ task: Number(this.task.value) }));
    this.task.addEventListener("change", () => owner.finish());
    undoSwipes(this.task, () => Number(this.task.value), (task) => { owner.move({ task }); owner.finish(); });
    this.fields = {
      alpha: h("div", { class: "setting" }, this.labelled("Schedule", this.kind), this.parameters),
      task: h("label", { class: "setting task" }, h("span", { text: "Task" }), this.task, this.taskNumber),
      clip: h("div", { class: "setting" }, this.labelled("Clip", this.clip)),
      horizon: h("div", { class: "setting" }, this.labelled("Horizon", this.horizon)),
      method: h("div", { class: "setting" }, this.labelled("Method", this.method)),
    };
    this.element = h("div", { class: "controls knobs", role: "group", "aria-label": "Settings of the picture" }, ...Object.values(this.fields));
  }

  labelled(text, control) {
    return h("label", {}, h("span", { text }), control);
  }

  select(name, change, choices = {}) {
    const made = h("select", { "aria-label": name }, ...Object.entries(choices).map(([value, text]) => h("option", { value, text })));
    made.addEventListener("change", () => change(made.value));
    return made;
  }

  // What Python says: the help texts of the controls, those that a link hides, and the number of tasks.
  tell({ help, hidden, nTasks }) {
    for (const [name, field] of Object.entries(this.fields)) {
      field.hidden = hidden.includes(name) || (name === "task" && nTasks < 2);
      field.title = help[name];
    }
    this.task.max = nTasks - 1;
  }

  draw({ schedule, clip, horizon, method, task, nTasks }) {
    const kinds = Object.keys(SCHEDULES).filter((kind) => horizon === "known" || !SCHEDULES[kind].needsHorizon);
    if (this.offered !== kinds.join()) {
      this.offered = kinds.join();
      this.kind.replaceChildren(...kinds.map((kind) => h("option", { value: kind, text: SCHEDULES[kind].title })));
    }
    for (const [control, value] of [[this.kind, schedule.kind], [this.clip, clip], [this.horizon, horizon], [this.method, method], [this.task, String(task)]]) {
      if (control.value !== value) control.value = value;
    }
    this.task.style.setProperty("--filled", `${(100 * task) / Math.max(nTasks - 1, 1)}%`);
    setText(this.taskNumber, String(task));
    this.drawParameters(schedule);
  }

  // One number field for each parameter that is a number.
  drawParameters({ kind, parameters }) {
    if (this.drawn !== kind) {
      this.drawn = kind;
      this.numbers = {};
      const own = Object.entries(SCHEDULES[kind].parameters).filter(([, { value }]) => !Array.isArray(value));
      this.parameters.replaceChildren(...own.map(([name, about]) => this.number(kind, name, about)));
    }
    for (const [name, field] of Object.entries(this.numbers)) {
      const text = String(parameters[name]);
      // A number that is being typed is left alone: "0." is on the way to "0.5".
      if (field.value !== text && !field.matches(":focus")) field.value = text;
    }
  }

  number(kind, name, { label, low, high, whole, help }) {
    const step = whole ? 1 : high <= 5 ? 0.01 : 0.1;
    const field = h("input", { type: "number", min: low, max: high, step, title: help, "aria-label": label });
    field.addEventListener("input", () => {
      if (field.value === "" || !Number.isFinite(Number(field.value))) return;
      const { schedule } = this.owner.curve();
      this.owner.move({ schedule: withParameters(schedule, { [name]: fit(kind, name, Number(field.value)) }) });
    });
    field.addEventListener("change", () => {
      field.value = String(this.owner.curve().schedule.parameters[name]);
      this.owner.finish();
    });
    this.numbers[name] = field;
    return h("label", {}, h("span", { text: label }), field);
  }
}
