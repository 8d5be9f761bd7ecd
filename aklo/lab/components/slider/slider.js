// A slider: the browser's own range input, a box for the exact value, and a note that explains it. If many visitors share
// the server, it reports on release only, otherwise while it is dragged, too.

import { h, setText } from "../shared/dom.js";
import { mountOnce, readJson } from "../shared/lifecycle.js";
import { Moves } from "../shared/moves.js";
import { explained, freshId } from "../shared/panel.js";

class Slider {
  constructor(place) {
    const id = freshId("slider");
    this.range = h("input", { type: "range", id });
    this.box = h("input", { type: "number", class: "box" });
    this.word = h("output", { class: "word", for: id });
    this.label = h("label", { for: id });
    this.help = h("span", { class: "help-place" });
    this.root = h("div", { class: "slider", "data-aklo": "slider" },
      h("div", { class: "line" }, this.label, this.help, this.box, this.word), this.range);
    place.append(this.root);
    this.id = id;
    this.moves = new Moves();
    this.range.addEventListener("input", () => this.follow(Number(this.range.value)));
    this.range.addEventListener("change", () => this.report(true));
    this.range.addEventListener("pointerdown", () => { this.before = this.value; this.moves.begin(); });
    // The browser has taken the gesture for a swipe that scrolls the page.
    this.range.addEventListener("pointercancel", () => { this.follow(this.before); this.report(true); });
    this.box.addEventListener("change", () => this.type());
    this.box.addEventListener("keydown", (event) => event.key === "Enter" && this.type());
  }

  receive(told, send) {
    this.describe(told);
    const answered = this.moves.receive(told.heard, send);
    if (told.revision !== this.revision && answered) this.show(told.value);
    this.revision = told.revision;
  }

  // Set the label, the limits and the explanation.
  describe(told) {
    const text = JSON.stringify([told.label, told.help, told.low, told.high, told.step, told.words]);
    this.told = told;
    if (text === this.described) return;
    this.described = text;
    const { low, high, step, label } = told;
    for (const input of [this.range, this.box]) Object.assign(input, { min: low, max: high, step });
    this.label.textContent = label;
    this.box.setAttribute("aria-label", `${label}, exact value`);
    this.box.hidden = Boolean(told.words);
    this.word.hidden = !told.words;
    const { ask, note } = explained(this.id, label, told.help);
    ask.title = told.help;
    this.help.replaceChildren(ask, note);
    this.box.style.width = `${Math.max(...[low, high].map((x) => x.toFixed(told.decimals).length)) + 2.2}ch`;
    if (this.value !== undefined) this.show(this.value);
  }

  show(value) {
    this.value = value;
    const { low, high, decimals, words } = this.told;
    if (this.range.value !== String(value)) this.range.value = value;
    const text = value.toFixed(decimals);
    if (this.box.value !== text) this.box.value = text;
    if (words) {
      setText(this.word, words[value]);
      this.range.setAttribute("aria-valuetext", words[value]);
    }
    this.range.style.setProperty("--filled", `${high > low ? (100 * (value - low)) / (high - low) : 100}%`);
    this.root.dataset.value = words ? words[value] : text;
  }

  // The visitor moves it.
  follow(value) {
    if (value === undefined || value === this.value) return;
    this.show(value);
    if (this.told.live) this.report(false);
  }

  type() {
    const { low, high } = this.told;
    const wanted = Number(this.box.value);
    if (this.box.value.trim() === "" || Number.isNaN(wanted)) this.show(this.value);
    else {
      this.range.value = Math.min(Math.max(wanted, low), high); // the browser rounds it to a step
      const value = Number(this.range.value);
      if (value === this.value) this.show(value);
      else {
        this.show(value);
        this.report(true);
      }
    }
  }

  report(done) {
    this.moves.report(this.value, done);
  }

  remove() {
    this.moves.stop();
    this.root.remove();
  }
}

export default mountOnce(Slider, (slider, { data, setTriggerValue }) => {
  slider.receive(readJson(data), (move) => setTriggerValue("move", move));
});
