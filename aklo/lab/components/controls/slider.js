// A slider: the browser's own range input, and a box for the exact value. Where Python has given words, they are shown
// instead of numbers. If many visitors share the server, it reports on release only, otherwise while it is dragged, too.

import { h, setText } from "../shared/dom.js";
import { undoSwipes } from "../shared/swipe.js";
import { Control } from "./control.js";

export class Slider extends Control {
  build() {
    this.range = h("input", { type: "range", id: this.id });
    this.box = h("input", { type: "number", class: "box" });
    this.word = h("output", { class: "word", for: this.id });
    this.line.append(this.box, this.word);
    this.root.append(this.range);
    this.range.addEventListener("input", () => this.follow(Number(this.range.value)));
    this.range.addEventListener("change", () => this.held || this.finish());
    this.range.addEventListener("pointerdown", () => { this.gesture = this.moves.begin(); });
    this.range.addEventListener("keydown", (event) => this.press(event));
    for (const end of ["keyup", "blur"]) this.range.addEventListener(end, () => this.release());
    undoSwipes(this.range, () => this.value, (before) => { this.follow(before); this.finish(); });
    this.box.addEventListener("change", () => this.type());
    this.box.addEventListener("keydown", (event) => event.key === "Enter" && this.type());
  }

  fit({ low, high, step, decimals, label, words }) {
    for (const input of [this.range, this.box]) Object.assign(input, { min: low, max: high, step });
    this.box.setAttribute("aria-label", `${label}, exact value`);
    this.box.hidden = Boolean(words);
    this.word.hidden = !words;
    this.box.style.width = `${Math.max(...[low, high].map((x) => x.toFixed(decimals).length)) + 2.2}ch`;
  }

  show(value) {
    const { low, high, decimals, words } = this.told;
    if (this.range.value !== String(value)) this.range.value = value;
    const text = value.toFixed(decimals);
    if (this.box.value !== text) this.box.value = text;
    if (words) {
      setText(this.word, words[value]);
      this.range.setAttribute("aria-valuetext", words[value]);
    }
    this.range.style.setProperty("--filled", `${high > low ? (100 * (value - low)) / (high - low) : 100}%`);
    this.say(value, words ? words[value] : text);
  }

  // A key that is pressed is a gesture of its own. While it is held down, all its moves are one, as those of a drag are.
  press({ repeat }) {
    if (this.held) return;
    this.held = repeat;
    this.gesture = repeat ? this.moves.begin() : undefined;
  }

  release() {
    if (!this.held) return;
    this.held = false;
    this.finish();
  }

  // The gesture is over.
  finish() {
    this.report(this.value, this.gesture, true);
    this.gesture = undefined;
  }

  // The visitor moves it.
  follow(value) {
    if (value === undefined || value === this.value) return;
    this.show(value);
    if (this.live && this.gesture) this.report(value, this.gesture, false); // a key is over at once: "change" reports it
  }

  type() {
    const { low, high } = this.told;
    const wanted = Number(this.box.value);
    if (this.box.value.trim() === "" || Number.isNaN(wanted)) this.show(this.value);
    else {
      this.range.value = Math.min(Math.max(wanted, low), high); // the browser rounds it to a step
      const value = Number(this.range.value);
      if (value === this.value) this.show(value);
      else this.choose(value);
    }
  }
}
