// The clock: which step is shown, what is known of it, and where between two steps the picture is.
//
// t is the step (1..N). `phase` is "ask" while only the prediction is known, and "tell" when the label is known too; "ask"
// occurs only in the mode "Guess before the label" (`guess`). v is the position of the picture, from 1 to N + 1: in that mode,
// telling a label moves the picture on to what the step has changed.

import { CALM } from "../shared/media.js";

export const SPEEDS = [0.25, 0.5, 1, 2, 4, 8];
const STEPS_A_SECOND = 10;
const GUESS_STEPS_A_SECOND = 1;
const SETTLE = 0.07;

export class Clock {
  constructor(changed) {
    this.changed = changed;
    Object.assign(this, { n: 1, t: 1, v: 1, phase: "tell", guess: false, playing: false, speed: 1, held: 0 });
  }

  get target() {
    return this.guess && this.phase === "tell" ? this.t + 1 : this.t;
  }

  // The number of steps whose labels have been told, as a number that moves with the picture.
  get toldNow() {
    return this.guess ? this.v - 1 : this.v;
  }

  get told() {
    return this.phase === "ask" ? this.t - 1 : this.t;
  }

  get atEnd() {
    return this.t === this.n && this.phase === "tell";
  }

  get moving() {
    return this.playing || this.v !== this.target;
  }

  get viewed() {
    return CALM.matches ? (this.playing && !this.guess ? this.t : this.target) : this.v;
  }

  // Set the number of steps. The current step is kept, or is the last one if there are fewer.
  resize(n) {
    this.n = n;
    if (this.t > n) this.go(n);
    this.v = Math.min(this.v, n + 1);
  }

  go(t, { phase = this.guess ? "ask" : "tell", jump = true } = {}) {
    this.t = Math.min(Math.max(1, Math.round(t)), this.n);
    this.phase = phase;
    this.held = 0;
    if (jump || CALM.matches || Math.abs(this.v - this.target) > 1.5) this.v = this.target;
    this.changed();
  }

  play() {
    if (this.atEnd) this.go(1);
    this.playing = true;
    this.held = 0;
    this.v = this.guess ? this.v : Math.max(this.t, Math.min(this.v, this.t + 0.999));
    this.changed();
  }

  pause() {
    this.playing = false;
    this.changed();
  }

  forward() {
    this.pause();
    if (this.guess && this.phase === "ask") this.go(this.t, { phase: "tell", jump: false });
    else if (this.t < this.n) this.go(this.t + 1, { jump: false });
  }

  back() {
    this.pause();
    if (this.guess && this.phase === "tell") this.go(this.t, { phase: "ask", jump: false });
    else if (this.t > 1) this.go(this.t - 1, { phase: "tell", jump: false });
  }

  setGuess(on) {
    this.guess = on;
    this.go(this.t, { jump: false });
  }

  // Advance by one frame of dt seconds. True if playing has just reached the end.
  tick(dt) {
    if (this.playing) {
      const ended = this.guess ? this.tickPhases(dt) : this.tickSteps(dt);
      if (ended) return true;
    }
    if (!this.playing || this.guess) {
      const way = this.target - this.v;
      this.v = Math.abs(way) < 0.01 ? this.target : this.v + way * (1 - Math.exp(-dt / SETTLE));
    }
    return false;
  }

  tickSteps(dt) {
    this.v = Math.min(this.v + dt * STEPS_A_SECOND * this.speed, this.n);
    this.t = Math.floor(this.v);
    return this.v >= this.n;
  }

  tickPhases(dt) {
    this.held += dt * 2 * GUESS_STEPS_A_SECOND * this.speed;
    if (this.held < 1) return false;
    this.held = 0;
    if (this.phase === "ask") this.phase = "tell";
    else if (this.t < this.n) Object.assign(this, { t: this.t + 1, phase: "ask" });
    return this.atEnd;
  }
}
