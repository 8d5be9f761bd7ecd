// The player's controls: the buttons, the time slider, speed, mode, picture and full screen.

import { SPEEDS } from "./clock.js";
import { button, h, icon, setDisabled, setText } from "../shared/dom.js";
import { inWords } from "../shared/legend.js";
import { undoSwipes } from "../shared/swipe.js";

export class Controls {
  constructor(clock, { restart, choose, save }) {
    this.clock = clock;
    this.playButton = button("Play", "play", "Play or pause (space)");
    this.playButton.classList.add("primary");
    this.backButton = button("Step back", "back", "One step back (left arrow)");
    this.forwardButton = button("Step forward", "forward", "One step forward (right arrow)");
    this.restartButton = button("Restart", "restart", "Back to the first step (Home)");
    this.time = h("input", {
      type: "range", min: 1, max: 1, step: 1, value: 1, "aria-label": "Time", title: "Drag through time (Home, End: first, last step)",
    });
    this.count = h("span", { class: "count" });
    this.speed = h("select", { "aria-label": "Speed", title: "How fast it plays: 1× is about 10 steps a second, 1 step when you guess before the label" },
      ...["¼×", "½×", "1×", "2×", "4×", "8×"].map((text, k) => h("option", { value: SPEEDS[k], text })));
    this.speed.value = "1";
    this.guess = h("input", { type: "checkbox", role: "switch" });
    this.guessLabel = h("label", {
      class: "switch", title: "Stop twice at each step: first with the question and the prediction, then with the label and what it changes",
    }, this.guess, h("span", { class: "knob" }), "Guess before the label");
    this.saveButton = button("Save picture", "camera", "Save what is shown now as a picture (PNG)");
    this.fullButton = button("Full screen", "full", "The whole player with large type, for the projector (Esc to leave)");
    this.method = h("select", { "aria-label": "Method", title: "Whose region, mistakes and sentence are shown" });
    this.buttons = h("div", { class: "transport" }, this.restartButton, this.backButton, this.playButton, this.forwardButton);
    this.timeline = h("div", { class: "timeline" }, this.time, this.count);
    this.choices = h("div", { class: "choices" }, this.speed, this.guessLabel, this.saveButton, this.fullButton);
    this.element = h("div", { class: "controls", role: "group", "aria-label": "Time controls" }, this.buttons, this.timeline, this.choices);

    this.playButton.addEventListener("click", () => (clock.playing ? clock.pause() : restart(false)));
    this.restartButton.addEventListener("click", () => restart(true));
    this.backButton.addEventListener("click", () => clock.back());
    this.forwardButton.addEventListener("click", () => clock.forward());
    this.time.addEventListener("input", () => {
      // A player that is playing continues from there.
      this.scrubbing = true;
      clock.go(Number(this.time.value), { phase: "tell" });
    });
    this.time.addEventListener("change", () => {
      this.scrubbing = false;
      clock.changed();
    });
    undoSwipes(this.time, () => ({ t: clock.t, phase: clock.phase }), ({ t, phase }) => {
      this.scrubbing = false;
      clock.go(t, { phase });
    });
    this.element.addEventListener("click", () => { this.scrubbing = false; }, true);
    this.speed.addEventListener("change", () => { clock.speed = Number(this.speed.value); });
    this.guess.addEventListener("change", () => clock.setGuess(this.guess.checked));
    this.saveButton.addEventListener("click", save);
    this.method.addEventListener("change", () => choose(this.method.value));
  }

  // Handle a key, unless the focused element uses that key itself.
  onKey(event, restart) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.composedPath()[0];
    const pressed = target.matches("button, [type=checkbox]") && event.key === " ";
    const moved = target.matches("select, [type=number]") || (target === this.time && event.key !== " ");
    if (pressed || moved) return;
    const actions = {
      " ": () => (this.clock.playing ? this.clock.pause() : restart(false)),
      ArrowLeft: () => this.clock.back(),
      ArrowRight: () => this.clock.forward(),
      Home: () => { this.clock.pause(); this.clock.go(1); },
      End: () => { this.clock.pause(); this.clock.go(this.clock.n, { phase: "tell" }); },
    };
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    event.stopPropagation();
    this.scrubbing = false;
    action();
  }

  // Offer these methods to choose from.
  offer(methods) {
    if (this.offered === methods.join()) return;
    this.offered = methods.join();
    this.method.replaceChildren(...methods.map((text) => h("option", { value: text, text, title: inWords(text) })));
  }

  // Reserve space for the longest count, so that the slider keeps its length.
  fit(n) {
    this.time.max = n;
    this.count.style.minWidth = `${`t = ${n} of ${n}`.length * 0.58}em`;
  }

  draw({ task, t, phase, method }) {
    const { clock } = this;
    const name = clock.playing ? "Pause" : "Play";
    if (this.playButton.getAttribute("aria-label") !== name) {
      this.playButton.setAttribute("aria-label", name);
      this.playButton.replaceChildren(icon(clock.playing ? "pause" : "play"));
    }
    if (this.time.value !== String(t)) this.time.value = t;
    const filled = `${task.n > 1 ? (100 * (t - 1)) / (task.n - 1) : 100}%`;
    if (this.filled !== filled) {
      this.filled = filled;
      this.time.style.setProperty("--filled", filled);
    }
    setText(this.count, `t = ${t} of ${task.n}`);
    if (this.method.value !== method) this.method.value = method;
    if (this.guess.checked !== clock.guess) this.guess.checked = clock.guess;
    setDisabled(this.backButton, t === 1 && (!clock.guess || phase === "ask"));
    setDisabled(this.forwardButton, clock.atEnd);
  }
}
