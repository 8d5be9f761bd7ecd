// The lines above and below the picture: the schedule's title and formula, the share of votes, the preset, and what is waited for.

import { h, setText } from "../shared/dom.js";
import { scheduleFormula } from "../shared/schedule_text.js";
import { scheduleSpec } from "../shared/schedules.js";

const OWN = "Your own mix";

export class Head {
  constructor(choose) {
    this.title = h("h2");
    this.formula = h("span", { class: "subtitle formula-text" });
    this.votes = h("span", { class: "subtitle votes" });
    this.preset = h("select", { "aria-label": "Preset", title: "A known starting point. Everything can be changed afterwards." });
    this.preset.addEventListener("change", () => choose(this.preset.value));
    this.field = h("label", { class: "shown" }, "Preset", this.preset);
    this.element = h("div", { class: "head" }, h("div", { class: "titles" }, this.title, this.formula, this.votes), this.field);
    this.note = h("p", { class: "note", hidden: true });
  }

  tell({ presets, hidden }) {
    this.field.hidden = hidden.includes("preset");
    if (this.preset.options.length === presets.length + 1) return;
    this.preset.replaceChildren(h("option", { value: "", text: OWN, disabled: true }), ...presets.map(({ name }) => h("option", { value: name, text: name })));
  }

  draw(view, { presets, waiting, tooLarge }) {
    const { schedule, alpha, clip, horizon, number, n, waitingFor } = view;
    setText(this.title, view.title);
    setText(this.formula, scheduleFormula(schedule, n));
    const share = (100 * alpha.reduce((sum, a) => sum + a, 0)) / n;
    setText(this.votes, `In task ${number} knowledge has ${share.toFixed(1)} % of all votes.`);
    // A preset is complete: `alpha` is there only if all else of it is in force already.
    const spec = scheduleSpec(view.chosen);
    const same = presets.find((one) => one.alpha === spec && one.clip === clip && one.horizon === horizon);
    const value = same?.name ?? "";
    if (this.preset.value !== value) this.preset.value = value;
    const notes = [waitingFor && `${waitingFor.chosen} ${waiting}`, tooLarge].filter(Boolean);
    this.note.hidden = notes.length === 0;
    setText(this.note, notes.join(" "));
  }
}
