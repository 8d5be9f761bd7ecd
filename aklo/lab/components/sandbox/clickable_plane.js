// The player's plane, in which a click, or Enter at a cursor moved by the arrow keys, places an example. Two buttons beside
// the open question tell its label.

import { PlanePanel } from "../player/plane.js";
import { h, place } from "../shared/dom.js";
import { sign } from "../shared/numbers.js";

const STRIDE = 1 / 40;
const LEAP = 5;

export class ClickablePlane extends PlanePanel {
  constructor({ light, place, tell }) {
    super({ light });
    this.place = place;
    this.note.textContent = "Click anywhere to place an example: the question mark. The tint shows where the chosen method would "
      + "say +1 or −1, the deeper the surer; the heavy line is the learner's boundary, the others are the experts', the stronger "
      + "the more they are trusted. Circles are +1, diamonds −1, a cross is a mistake of the chosen method.";
    Object.entries({
      tabindex: "0", role: "application", "aria-label": "The plane: arrow keys move a cursor, Enter places an example, plus and minus tell its label",
    }).forEach(([name, value]) => this.plot.setAttribute(name, value));
    const side = (y, text) => {
      const press = h("button", { type: "button", class: `here ${y > 0 ? "plus" : "minus"}`, tabindex: "-1",
        "aria-label": `Here it is ${sign(y)}`, title: `Tell that this one is ${sign(y)} (key ${text})`, text: sign(y) });
      press.addEventListener("click", () => { tell(y); this.focus(); });
      return press;
    };
    this.sides = h("div", { class: "sides", hidden: true }, side(-1, "−"), side(1, "+"));
    this.plot.append(this.sides);
    this.canvas.addEventListener("click", (event) => {
      const [px, py] = this.at(event);
      this.focus();
      this.cursor2d = null;
      if (this.holds(px, py)) place(...this.pointAt(px, py));
    });
    this.plot.addEventListener("blur", () => { this.cursor2d = null; light(-1); });
  }

  focus() {
    this.plot.focus({ preventScroll: true });
  }

  pointAt(px, py) {
    const [left, right, bottom, top] = this.box;
    return [left + ((px - this.x0) / (this.x1 - this.x0)) * (right - left), bottom + ((this.y0 - py) / (this.y0 - this.y1)) * (top - bottom)];
  }

  // Move the cursor, and return its place. The first arrow key shows it at the open question, or in the middle.
  move(right, up, far) {
    const [left, edge, bottom, top] = this.box;
    const { task, pending } = this.view;
    const [x, y] = this.cursor2d ?? (pending ? [task.points[2 * task.n - 2], task.points[2 * task.n - 1]] : [(left + edge) / 2, (bottom + top) / 2]);
    const by = STRIDE * (far ? LEAP : 1);
    this.cursor2d = [
      Math.min(Math.max(x + right * by * (edge - left), left), edge),
      Math.min(Math.max(y + up * by * (top - bottom), bottom), top),
    ];
    return this.cursor2d;
  }

  // Place an example at the cursor.
  drop() {
    if (!this.cursor2d) this.move(0, 0, false);
    const at = this.cursor2d;
    this.cursor2d = null;
    this.place(...at);
  }

  draw(view) {
    super.draw(view);
    const { task, pending, telling } = view;
    const [x, y] = [this.x(task.points[2 * task.n - 2]), this.y(task.points[2 * task.n - 1])];
    this.sides.hidden = !(pending && telling && this.holds(x, y));
    if (this.sides.hidden) return;
    const reach = 4.6 * this.em;
    place(this.sides, Math.min(Math.max(x, this.x0 + reach), this.x1 - reach), y);
  }

  drawNewest(g, view) {
    if (view.pending) super.drawNewest(g, { ...view, phase: "ask" });
    else if (view.t > 1) super.drawNewest(g, { ...view, t: view.t - 1, phase: "tell" });
    if (this.cursor2d) this.drawCursor(g, view.colours);
  }

  drawCursor(g, colours) {
    const [x, y] = [this.x(this.cursor2d[0]), this.y(this.cursor2d[1])];
    const arm = 1.1 * this.em;
    for (const [colour, width] of [[colours.ground, 5], [colours.accent, 2.2]]) {
      g.strokeStyle = colour;
      g.lineWidth = width * this.unit;
      g.beginPath();
      g.moveTo(x - arm, y); g.lineTo(x + arm, y); g.moveTo(x, y - arm); g.lineTo(x, y + arm);
      g.stroke();
    }
  }
}
