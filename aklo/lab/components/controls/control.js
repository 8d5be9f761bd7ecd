// What every control has: a name, a label, an explanation, and the moves that it reports. A kind of control makes its fields
// in `build`, adapts them to what it is told in `fit`, and shows a value in `show`.

import { h } from "../shared/dom.js";
import { explained, freshId } from "../shared/panel.js";

export class Control {
  // moves: of all the controls that stand together.
  constructor(name, moves) {
    Object.assign(this, { name, moves });
    this.id = freshId("control");
    this.label = h("label", { for: this.id, id: `${this.id}-label` });
    this.help = h("span", { class: "help-place" });
    this.line = h("div", { class: "line" }, this.label, this.help);
    this.note = h("p", { class: "note", hidden: true });
    this.root = h("div", { "data-aklo": "control", "data-name": name }, this.line);
    this.build();
    this.root.append(this.note);
  }

  // told: what Python says about the control; live: whether it reports while it is dragged; answered: whether Python has
  // heard all moves, so that its value is the newest.
  receive(told, live, answered) {
    this.live = live;
    this.describe(told);
    if (told.revision === this.revision || !answered) return;
    this.revision = told.revision;
    this.show(told.value);
  }

  describe(told) {
    const text = JSON.stringify({ ...told, value: null, revision: null });
    this.told = told;
    if (text === this.described) return;
    this.described = text;
    this.root.className = `control ${told.kind}`;
    this.label.textContent = told.label;
    this.line.hidden = told.unlabelled === true; // the label still names the control
    const { ask, note } = explained(this.id, told.label, told.help);
    ask.title = told.help;
    this.help.replaceChildren(ask, note);
    this.note.textContent = told.note;
    this.note.hidden = !told.note;
    this.fit(told);
    if (this.value !== undefined) this.show(this.value);
  }

  // Show a value, and say it for tests and style sheets. text: the value as a visitor reads it.
  say(value, text) {
    this.value = value;
    this.root.dataset.value = text;
  }

  // The visitor has chosen a value.
  choose(value) {
    this.show(value);
    this.report(value);
  }

  // gesture, done: as in Moves.
  report(value, gesture, done) {
    this.moves.report({ control: this.name, value }, gesture, done);
  }
}
