// The row of buttons: undo and clear, play on with a group or an adversary, finish the task.

import { h, setDisabled, setText } from "../shared/dom.js";

export const PLAYS = 10;

export class Actions {
  constructor({ undo, clear, startOver, play, finish }) {
    const press = (text, help, act, kind = "") => {
      const element = h("button", { type: "button", class: `act ${kind}`, title: help, text });
      element.addEventListener("click", act);
      return element;
    };
    this.undo = press("Undo", "One step back: the open question, the last label, or the end of the last task (Backspace)", undo);
    this.clear = press("Clear task", "Take all examples of this task away; Undo brings them back", clear);
    this.startOver = press("Start over", "Forget everything you told, finished tasks too; Undo brings it back", startOver);
    this.finish = press("Finish the task", "The learner is frozen and joins the knowledge base as a new expert; the next task begins", finish, "primary");
    this.others = [0, 1, 2].map((k) => press("", "", () => play(k), "other"));
    const back = h("div", { class: "acts" }, this.undo, this.clear, this.startOver);
    this.on = h("div", { class: "acts", role: "group", "aria-label": "Play on with" }, h("span", { class: "on", text: "Play on with" }), ...this.others);
    this.element = h("div", { class: "controls", role: "group", "aria-label": "What to do" }, back, this.on, this.finish);
  }

  draw({ task, method, playing, telling, pending }, story, full) {
    setDisabled(this.undo, !story.canUndo);
    setDisabled(this.clear, !(story.now.length || story.ask));
    setDisabled(this.startOver, !(story.now.length || story.ask || story.tasks.length));
    setDisabled(this.finish, Boolean(pending || !story.now.length || playing || story.tasks.length >= task.limits.tasks));
    const names = [...task.players, "an adversary"];
    const helps = [
      ...task.players.map((name) => `The next ${PLAYS} examples, and their labels, come from ${name}`),
      `The next ${PLAYS} examples come from ${task.players.join(" and ")} in turn, and the label is always the opposite of what ${method} predicts`,
    ];
    this.others.forEach((element, k) => {
      element.style.display = k < names.length ? "" : "none"; // a stream of one group has one player and the adversary
      if (k >= names.length) return;
      const on = playing?.who === k;
      setText(element, on ? "Pause" : names[k]);
      element.setAttribute("aria-label", on ? `Pause ${names[k]}` : `Play on with ${names[k]}`);
      element.setAttribute("aria-pressed", String(on));
      element.title = helps[k];
      setDisabled(element, !on && (full || Boolean(playing) || (pending && !telling)));
    });
  }
}
