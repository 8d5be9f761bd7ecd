// Time: which step is shown, in which beat, and where between two steps the picture is.
//
// t is the step (1..N) and `beat` what is known of it: "ask", the prediction only, or "tell", the label too. v is where
// the picture stands, from 1 to N + 1: in two beats, telling a step moves the picture on to what the step has changed.

export const SPEEDS = [0.25, 0.5, 1, 2, 4, 8];
const STEPS_A_SECOND = 10;
const TWO_BEAT_STEPS_A_SECOND = 1;
const SETTLE = 0.07;

export class Clock {
  constructor(changed) {
    this.changed = changed;
    Object.assign(this, { n: 1, t: 1, v: 1, beat: "tell", twoBeats: false, playing: false, speed: 1, held: 0 });
    this.stillness = window.matchMedia("(prefers-reduced-motion: reduce)");
  }

  get calm() {
    return this.stillness.matches;
  }

  get target() {
    return this.twoBeats && this.beat === "tell" ? this.t + 1 : this.t;
  }

  // Steps whose labels have been told, as a number that moves with the picture.
  get toldNow() {
    return this.twoBeats ? this.v - 1 : this.v;
  }

  get told() {
    return this.beat === "ask" ? this.t - 1 : this.t;
  }

  get atEnd() {
    return this.t === this.n && this.beat === "tell";
  }

  get moving() {
    return this.playing || this.v !== this.target;
  }

  get viewed() {
    return this.calm ? (this.playing && !this.twoBeats ? this.t : this.target) : this.v;
  }

  // Another task, or the same one changed: time is kept as far as there is time.
  resize(n) {
    this.n = n;
    if (this.t > n) this.go(n);
    this.v = Math.min(this.v, n + 1);
  }

  go(t, { beat = this.twoBeats ? "ask" : "tell", jump = true } = {}) {
    this.t = Math.min(Math.max(1, Math.round(t)), this.n);
    this.beat = beat;
    this.held = 0;
    if (jump || this.calm || Math.abs(this.v - this.target) > 1.5) this.v = this.target;
    this.changed();
  }

  play() {
    if (this.atEnd) this.go(1);
    this.playing = true;
    this.held = 0;
    this.v = this.twoBeats ? this.v : Math.max(this.t, Math.min(this.v, this.t + 0.999));
    this.changed();
  }

  pause() {
    this.playing = false;
    this.changed();
  }

  forward() {
    this.pause();
    if (this.twoBeats && this.beat === "ask") this.go(this.t, { beat: "tell", jump: false });
    else if (this.t < this.n) this.go(this.t + 1, { jump: false });
  }

  back() {
    this.pause();
    if (this.twoBeats && this.beat === "tell") this.go(this.t, { beat: "ask", jump: false });
    else if (this.t > 1) this.go(this.t - 1, { beat: "tell", jump: false });
  }

  setTwoBeats(on) {
    this.twoBeats = on;
    this.go(this.t, { jump: false });
  }

  // One frame of dt seconds. True when playing has just come to the end.
  tick(dt) {
    if (this.playing) {
      const ended = this.twoBeats ? this.tickBeats(dt) : this.tickSteps(dt);
      if (ended) return true;
    }
    if (!this.playing || this.twoBeats) {
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

  tickBeats(dt) {
    this.held += dt * 2 * TWO_BEAT_STEPS_A_SECOND * this.speed;
    if (this.held < 1) return false;
    this.held = 0;
    if (this.beat === "ask") this.beat = "tell";
    else if (this.t < this.n) Object.assign(this, { t: this.t + 1, beat: "ask" });
    return this.atEnd;
  }
}
