// Controls that choose among options: a list, a row of segments, and pills, of which several can be chosen. Their values are
// the numbers of the options, counted from 0.

import { h } from "../shared/dom.js";
import { Control } from "./control.js";

// The browser's own list. Its value is null where no option is in force; then the placeholder is shown.
export class List extends Control {
  build() {
    this.select = h("select", { id: this.id });
    this.root.append(this.select);
    this.select.addEventListener("change", () => this.choose(Number(this.select.value)));
  }

  fit({ options, placeholder }) {
    const nothing = placeholder ? [h("option", { value: "", text: placeholder, disabled: true, hidden: true })] : [];
    this.select.replaceChildren(...nothing, ...options.map((text, number) => h("option", { value: number, text })));
  }

  show(value) {
    this.select.value = value ?? "";
    this.say(value, value === null ? "" : this.told.options[value]);
  }
}

// A group of options side by side. role: of the group; type: of its inputs.
class Row extends Control {
  build() {
    this.label.removeAttribute("for");
    this.group = h("div", { class: "options", role: this.role, "aria-labelledby": `${this.id}-label` });
    this.root.append(this.group);
  }

  fit({ options }) {
    this.inputs = options.map((_, number) => h("input", { type: this.type, name: this.id, value: number }));
    this.inputs.forEach((input, number) => input.addEventListener("change", () => this.press(number)));
    this.group.replaceChildren(...options.map((text, number) => h("label", { class: "option" }, this.inputs[number], h("span", { text }))));
  }

  isChosen(number, value) {
    return number === value;
  }

  show(value) {
    this.inputs.forEach((input, number) => { input.checked = this.isChosen(number, value); });
    this.say(value, this.told.options.filter((_, number) => this.isChosen(number, value)).join(", "));
  }

  press(number) {
    this.choose(number);
  }
}

export class Segments extends Row {
  get role() {
    return "radiogroup";
  }

  get type() {
    return "radio";
  }
}

export class Pills extends Row {
  get role() {
    return "group";
  }

  get type() {
    return "checkbox";
  }

  isChosen(number, value) {
    return value.includes(number);
  }

  press() {
    this.choose(this.inputs.flatMap((input, number) => (input.checked ? [number] : [])));
  }
}
