// Plays the answer to a question once it is mounted, and reports when its end is reached. Afterwards it can be played again.

import { ValuePanel } from "./value_panel.js";
import { button, h, icon, setData, setText } from "../shared/dom.js";
import { mountOnce, readJson } from "../shared/lifecycle.js";
import { CALM } from "../shared/media.js";
import { Moves } from "../shared/moves.js";
import { undoSwipes } from "../shared/swipe.js";
import { applyTheme } from "../shared/theme.js";

const SECONDS = 6; // to play it, however many steps it has
const FASTEST = 60; // steps a second at most

class Reveal {
  constructor(place) {
    this.root = h("div", { class: "aklo reveal", "data-aklo": "reveal", "data-state": "paused", role: "group", "aria-label": "The answer" });
    this.panels = [];
    this.moves = new Moves();
    this.board = h("div", { class: "panels" });
    this.playButton = button("Play", "play", "Play it again from the beginning, or pause");
    this.playButton.classList.add("primary");
    this.slider = h("input", { type: "range", min: 0, max: 1, step: 1, "aria-label": "Time", title: "Drag through time" });
    this.count = h("span", { class: "count" });
    this.controls = h("div", { class: "controls", role: "group", "aria-label": "Time controls" },
      h("div", { class: "transport" }, this.playButton), h("div", { class: "timeline" }, this.slider, this.count));
    this.live = h("p", { class: "spoken", "aria-live": "polite" });
    this.root.append(h("div", { class: "frame" }, this.board, this.controls, this.live));
    place.append(this.root);
    this.playButton.addEventListener("click", () => (this.playing ? this.pause() : this.play()));
    this.slider.addEventListener("input", () => { this.playing = false; this.go(Number(this.slider.value)); });
    undoSwipes(this.slider, () => this.v, (v) => this.go(v));
    this.sizes = new ResizeObserver(() => this.wake());
    this.sizes.observe(this.root);
  }

  // What Python has sent. Another picture is played from its beginning. `played` brings it to its end, unless it has been there:
  // then that is the answer to the report, and the visitor may be playing it again.
  receive(told, send) {
    const { played, heard, ...picture } = told;
    this.moves.receive(heard, send);
    const content = JSON.stringify(picture);
    const skipped = played && !this.told?.played && !this.ended;
    this.told = told;
    if (content !== this.content) this.build();
    else if (skipped) this.v = told.n;
    this.content = content;
    this.draw();
  }

  build() {
    const { told } = this;
    this.panels = told.panels.map((panel) => new ValuePanel(panel));
    this.board.replaceChildren(...this.panels.map((panel) => panel.element));
    this.root.classList.toggle("still", told.still);
    this.controls.hidden = told.still;
    this.slider.max = told.n;
    this.laidOut = false;
    this.ended = this.playing = false;
    const whole = told.still || told.played || CALM.matches;
    this.v = whole ? told.n : 0;
    if (whole) this.end();
    else this.play();
  }

  play() {
    if (this.v >= this.told.n) this.v = 0;
    this.playing = true;
    this.last = 0;
    this.wake();
  }

  pause() {
    this.playing = false;
    this.draw();
  }

  go(v) {
    this.v = Math.min(Math.max(v, 0), this.told.n);
    if (this.v >= this.told.n) this.end();
    this.draw();
  }

  // The end is reached. Python hears of it the first time.
  end() {
    this.playing = false;
    if (this.told.reports && !this.told.played && !this.ended) this.moves.report({ ended: true });
    this.ended = true;
  }

  wake() {
    if (this.frame || !this.told) return;
    this.frame = requestAnimationFrame((now) => {
      this.frame = 0;
      if (this.playing) {
        const { n } = this.told;
        if (this.last) this.v = Math.min(n, this.v + ((now - this.last) / 1000) * Math.min(n / SECONDS, FASTEST));
        this.last = now;
        if (this.v >= n) this.end();
      }
      this.draw();
      if (this.playing) this.wake();
    });
  }

  get view() {
    return { colours: this.colours, dark: this.theme === "dark", now: this.v, done: this.v >= this.told.n && !this.told.still };
  }

  draw() {
    const { told } = this;
    const anew = applyTheme(this) || !this.laidOut;
    const { view } = this;
    for (const panel of this.panels) if (panel.measure() || anew) panel.layout(view);
    this.laidOut = true;
    for (const panel of this.panels) panel.draw(view);
    const seen = Math.floor(this.v);
    setData(this.root, "state", this.playing ? "playing" : "paused");
    setData(this.root, "seen", seen);
    setData(this.root, "done", String(view.done));
    this.slider.value = seen;
    this.slider.style.setProperty("--filled", `${(100 * this.v) / told.n}%`);
    setText(this.count, `${told.unit} ${seen} of ${told.n}`);
    this.slider.setAttribute("aria-valuetext", this.count.textContent);
    const name = this.playing ? "Pause" : "Play";
    if (this.playButton.getAttribute("aria-label") !== name) {
      this.playButton.setAttribute("aria-label", name);
      this.playButton.replaceChildren(icon(this.playing ? "pause" : "play"));
    }
    if (this.playing) return;
    for (const panel of this.panels) panel.describe(panel.summary(view));
    if (view.done) setText(this.live, told.alt);
  }

  redraw() {
    if (this.told) this.draw();
  }

  remove() {
    cancelAnimationFrame(this.frame);
    this.moves.stop();
    this.sizes.disconnect();
    this.root.remove();
  }
}

export default mountOnce(Reveal, (one, { data, setTriggerValue }) => {
  if (!data) return;
  one.receive(readJson(data), (moves) => setTriggerValue("move", moves));
});
