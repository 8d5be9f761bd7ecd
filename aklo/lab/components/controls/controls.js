// All controls that stand together: in the sidebar by sections, or in a row above a picture.

import { h } from "../shared/dom.js";
import { mountOnce, readJson } from "../shared/lifecycle.js";
import { Moves } from "../shared/moves.js";
import { List, Pills, Segments } from "./choices.js";
import { Switch, WholeNumber } from "./fields.js";
import { Slider } from "./slider.js";

const KINDS = { slider: Slider, list: List, segments: Segments, pills: Pills, switch: Switch, number: WholeNumber };

class Controls {
  constructor(place) {
    this.root = h("div", { class: "controls", "data-aklo": "controls" });
    this.moves = new Moves();
    this.known = new Map(); // name -> control
    this.sections = new Map(); // title -> the element of a section
    place.append(this.root);
  }

  receive({ groups, live, row, heard }, send) {
    const answered = this.moves.receive(heard, send);
    this.root.classList.toggle("row", row);
    this.arrange(groups);
    for (const { controls } of groups) {
      for (const told of controls) this.known.get(told.name).receive(told, live, answered);
    }
  }

  // Put the controls in their places. What is there already stays, so that it keeps the focus.
  arrange(groups) {
    const text = JSON.stringify(groups.map(({ title, controls }) => [title, controls.map(({ name, kind }) => [name, kind])]));
    if (text === this.arranged) return;
    this.arranged = text;
    const wanted = new Map(groups.flatMap(({ controls }) => controls.map(({ name, kind }) => [name, kind])));
    for (const [name, control] of this.known) {
      const Kind = KINDS[wanted.get(name)];
      if (Kind && control instanceof Kind) continue;
      control.root.remove();
      this.known.delete(name);
    }
    for (const [name, kind] of wanted) if (!this.known.has(name)) this.known.set(name, new KINDS[kind](name, this.moves));
    put(this.root, groups.map(({ title, controls }) => this.section(title, controls.map(({ name }) => this.known.get(name).root))));
  }

  section(title, members) {
    if (!this.sections.has(title)) {
      const body = h("div", { class: "members" });
      const element = title ? h("details", { open: true, class: "section" }, h("summary", { text: title }), body) : body;
      this.sections.set(title, { element, body });
    }
    const { element, body } = this.sections.get(title);
    put(body, members);
    return element;
  }

  remove() {
    this.moves.stop();
    this.root.remove();
  }
}

// Make these the children of an element, and move only those that are not in their place.
function put(parent, children) {
  for (const gone of [...parent.children].filter((child) => !children.includes(child))) gone.remove();
  children.forEach((child, number) => {
    if (parent.children[number] !== child) parent.insertBefore(child, parent.children[number] ?? null);
  });
}

export default mountOnce(Controls, (controls, { data, setTriggerValue }) => {
  controls.receive(readJson(data), (moves) => setTriggerValue("move", moves));
});
