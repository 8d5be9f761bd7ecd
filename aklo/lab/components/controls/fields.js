// A switch, and a field for a whole number.

import { h, setDisabled } from "../shared/dom.js";
import { Control } from "./control.js";

export class Switch extends Control {
  build() {
    this.input = h("input", { type: "checkbox", role: "switch", id: this.id });
    this.line.prepend(this.input);
    this.input.addEventListener("change", () => this.choose(this.input.checked));
  }

  fit() {}

  show(value) {
    this.input.checked = value;
    this.say(value, String(value));
  }
}

export class WholeNumber extends Control {
  build() {
    this.input = h("input", { type: "number", class: "field", id: this.id, step: 1 });
    const step = (name, sign, by) => {
      const made = h("button", { type: "button", class: "step", "aria-label": name, title: name, text: sign });
      made.addEventListener("click", () => this.set(this.value + by));
      return made;
    };
    this.fewer = step("One less", "−", -1);
    this.more = step("One more", "+", 1);
    this.root.append(h("div", { class: "whole" }, this.input, this.fewer, this.more));
    this.input.addEventListener("change", () => this.set(this.input.value.trim() === "" ? NaN : Math.round(Number(this.input.value))));
  }

  fit({ low, high }) {
    Object.assign(this.input, { min: low, max: high });
  }

  show(value) {
    if (this.input.value !== String(value)) this.input.value = value;
    setDisabled(this.fewer, value <= this.told.low);
    setDisabled(this.more, value >= this.told.high);
    this.say(value, String(value));
  }

  set(wanted) {
    const value = Math.min(Math.max(wanted, this.told.low), this.told.high);
    if (Number.isNaN(value) || value === this.value) this.show(this.value);
    else this.choose(value);
  }
}
