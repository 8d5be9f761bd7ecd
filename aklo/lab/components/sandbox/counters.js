// The counters: the prediction of each method for the open question, and its mistakes so far.

import { h, setText } from "../shared/dom.js";
import { inWords, methodColour, methodSample } from "../shared/legend.js";
import { sign } from "../shared/numbers.js";
import { Panel } from "../shared/panel.js";

export class Counters extends Panel {
  constructor({ choose }) {
    super(
      "counters", "The counters",
      "“Says” is each method's prediction for the open question, or with a tick or a cross what it said about the last example. The "
      + "numbers count mistakes: in this task, and in all tasks that you have told. Click a name to see that method's region and vote.",
      { left: 0, right: 0, top: 0, bottom: 0 },
    );
    this.choose = choose;
    const head = ["Method", "Says", "Mistakes here", "In all"].map((text) => h("th", { scope: "col", text }));
    this.list = h("tbody");
    this.table = h("table", {}, h("thead", {}, h("tr", {}, ...head)), this.list);
    this.body.replaceChildren(this.table);
  }

  // A row for each of the task's methods.
  takeMethods({ methods }) {
    if (this.methods?.join() === methods.join()) return;
    this.methods = methods;
    this.rows = methods.map((name) => {
      const press = h("button", { type: "button", class: "method", title: `${inWords(name)} Click to show its regions in the plane.` });
      press.addEventListener("click", () => this.choose(name));
      const cells = ["says", "here", "all"].map((kind) => h("td", { class: kind }));
      const bar = h("span", { class: "share" });
      const count = h("b");
      cells[1].append(count, h("span", { class: "track", "aria-hidden": "true" }, bar));
      return { name, press, says: cells[0], count, bar, all: cells[2], element: h("tr", {}, h("th", { scope: "row" }, press), ...cells) };
    });
    this.list.replaceChildren(...this.rows.map((row) => row.element));
    this.element.classList.toggle("many", methods.length > 7);
  }

  layout({ task, dark }) {
    this.takeMethods(task);
    for (const { name, press, bar } of this.rows) {
      bar.style.background = methodColour(name, dark);
      press.replaceChildren(...methodSample(name, dark));
    }
  }

  draw({ task, told, pending, answered, method }) {
    this.rows.forEach((row, m) => {
      const last = told - 1;
      const wrong = last >= 0 && task.errors[m * task.n + last] === 1;
      const before = last >= 0 ? (wrong ? -task.labels[last] : task.labels[last]) : 0;
      const said = pending ? (answered ? task.says[m] : 0) : before;
      const mark = pending || !said ? "" : wrong ? " ✕" : " ✓";
      setText(row.says, said ? sign(said) + mark : pending ? "…" : "");
      row.says.className = `says ${said > 0 ? "plus" : said < 0 ? "minus" : ""} ${mark ? (wrong ? "wrong" : "right") : ""}`;
      const here = task.counts[m][told];
      setText(row.count, String(here));
      row.bar.style.width = `${told ? (100 * here) / told : 0}%`;
      setText(row.all, `${task.mistakes[m] + here} of ${task.toldBefore + told}`);
      row.press.setAttribute("aria-pressed", String(row.name === method));
    });
  }
}
