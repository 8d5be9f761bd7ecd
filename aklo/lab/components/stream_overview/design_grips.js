// Grips by which a stream is designed in the plane: a group's mean, the arrow of its labelling vector, and the spread. They
// are sliders for mouse, finger and keyboard.
//
// owner: values(), the settings shown now; begin(), when a grip is taken; change(values), while it is moved; finish(), when it is
// let go. A key that is held down is one such gesture.

import { placesOf, rotate } from "./generator.js";
import { h, place, setText } from "../shared/dom.js";
import { decimal } from "../shared/numbers.js";

const SHARED_MEAN = "Mean"; // of both groups
const RING = 2; // the grip of the spread stands this many spreads away from the mean
const KEYS = { ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
const rounded = (x, digits) => Number(x.toFixed(digits));
const degrees = ([a, b]) => (Math.atan2(b, a) * 180) / Math.PI;

// A grip: where it stands in the plane, or nothing if its group has no tasks; the settings when it is moved there, those after an arrow key, its value as a text
// and as one number; the ends of that number; always: whether the text is shown all the time, and not only while one points at the grip.
function meanGrip(name, index, label) {
  return {
    label,
    at: ({ places, tip }) => (tip(index) || label === SHARED_MEAN) && places.means[index],
    to: ([x, y]) => ({ [`${name}_x`]: rounded(x, 1), [`${name}_y`]: rounded(y, 1) }),
    key: (values, [dx, dy], by) => ({
      [`${name}_x`]: rounded(values[`${name}_x`] + 0.1 * by * dx, 1), [`${name}_y`]: rounded(values[`${name}_y`] + 0.1 * by * dy, 1),
    }),
    text: (values) => `(${decimal(values[`${name}_x`], 1)}, ${decimal(values[`${name}_y`], 1)})`,
    now: (values) => values[`${name}_x`],
    ends: (ranges) => ranges[`${name}_x`],
  };
}

function vectorGrip(name, index, label) {
  // The arrow turns; its length, which labels alike, stays.
  const turned = (values, direction) => {
    const length = Math.hypot(values[`${name}_x`], values[`${name}_y`]) || 1;
    const norm = Math.hypot(...direction) || 1;
    return { [`${name}_x`]: rounded((length * direction[0]) / norm, 2), [`${name}_y`]: rounded((length * direction[1]) / norm, 2) };
  };
  return {
    label,
    at: (view) => view.tip(index),
    to: ([x, y], { values, places }) => turned(values, [x - places.means[index][0], y - places.means[index][1]]),
    key: (values, [dx, dy], by) => turned(values, rotate([values[`${name}_x`], values[`${name}_y`]], (dx + dy) * by)),
    text: (values) => `a = (${decimal(values[`${name}_x`], 2)}, ${decimal(values[`${name}_y`], 2)})`,
    now: (values) => Math.round(degrees([values[`${name}_x`], values[`${name}_y`]])),
    ends: () => [-180, 180],
  };
}

const angleGrip = {
  label: "Angle between D1 and D2",
  at: (view) => view.tip(1),
  to: ([x, y], { places }) => {
    const turn = degrees([x - places.means[1][0], y - places.means[1][1]]) - degrees(places.vectors[0]);
    const angle = ((turn % 360) + 360) % 360; // the setting ends at 180, so what is beyond goes to the nearer end
    return { angle: Math.round(angle <= 180 ? angle : angle < 270 ? 180 : 0) };
  },
  key: (values, [dx, dy], by) => ({ angle: values.angle + (dx + dy) * by }),
  text: (values) => `${values.angle}°`,
  now: (values) => values.angle,
  ends: (ranges) => ranges.angle,
};

// The mean of the first group that has tasks.
const firstMean = ({ places, tip }) => places.means[tip(0) ? 0 : 1];

const spreadGrip = {
  always: true, // nothing else tells what this ring is
  label: "Spread of the examples",
  at: (view) => {
    const [x, y] = firstMean(view);
    return [x + (RING * view.values.spread) / Math.SQRT2, y - (RING * view.values.spread) / Math.SQRT2];
  },
  to: ([x, y], view) => ({ spread: rounded(Math.hypot(x - firstMean(view)[0], y - firstMean(view)[1]) / RING, 1) }),
  key: (values, [dx, dy], by) => ({ spread: rounded(values.spread + 0.1 * (dx + dy) * by, 1) }),
  text: (values) => `spread ${decimal(values.spread, 1)}`,
  now: (values) => values.spread,
  ends: (ranges) => ranges.spread,
};

function gripsOf(dataset) {
  if (dataset === "syn1") {
    return [meanGrip("mean1", 0, "Mean of D1"), meanGrip("mean2", 1, "Mean of D2"), vectorGrip("vector1", 0, "Labelling vector of D1"),
      vectorGrip("vector2", 1, "Labelling vector of D2"), spreadGrip];
  }
  const shared = [meanGrip("mean1", 0, SHARED_MEAN), vectorGrip("vector1", 0, "Labelling vector of D1")];
  return [...shared, ...(dataset === "conflict" ? [angleGrip] : []), spreadGrip];
}

export class DesignGrips {
  constructor(panel, owner) {
    Object.assign(this, { panel, owner, elements: [] });
    this.element = h("div", { class: "design-grips" });
    panel.plot.append(this.element);
    this.element.addEventListener("pointerdown", (event) => this.grab(event));
    this.element.addEventListener("pointermove", (event) => this.held && this.drag(event));
    this.element.addEventListener("pointerup", () => this.drop());
    this.element.addEventListener("pointercancel", () => this.cancel());
    this.element.addEventListener("keydown", (event) => this.onKey(event));
    for (const end of ["keyup", "focusout"]) this.element.addEventListener(end, () => this.release());
  }

  get busy() {
    return Boolean(this.held || this.pressed);
  }

  grab(event) {
    const index = this.elements.indexOf(event.target.closest("[role=slider]"));
    if (index < 0 || event.button !== 0) return;
    event.preventDefault();
    const [x, y] = this.panel.at(event);
    const [gx, gy] = this.elements[index].akloAt;
    this.held = { index, before: this.owner.values(), dx: gx - x, dy: gy - y };
    this.elements[index].setPointerCapture(event.pointerId);
    this.elements[index].focus({ preventScroll: true });
    this.owner.begin();
  }

  drag(event) {
    const { index, dx, dy } = this.held;
    const [x, y] = this.panel.at(event);
    const at = this.view.plane(x + dx, y + dy);
    this.owner.change(this.grips[index].to(at, this.view));
  }

  drop() {
    if (!this.held) return;
    this.held = null;
    this.owner.finish();
  }

  cancel() {
    if (!this.held) return;
    this.owner.change(this.held.before);
    this.drop();
  }

  onKey(event) {
    if (event.key === "Escape") this.cancel();
    const way = KEYS[event.key];
    const index = this.elements.indexOf(event.target.closest("[role=slider]"));
    if (!way || index < 0 || this.held || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    if (!this.pressed) this.owner.begin();
    this.pressed = true;
    this.owner.change(this.grips[index].key(this.owner.values(), way, event.shiftKey ? 10 : 1));
  }

  // The key is let go.
  release() {
    if (!this.pressed) return;
    this.pressed = false;
    this.owner.finish();
  }

  // The first: what Python says of the design. onlyAngle: whether nothing but the angle can be moved. view: x and y, from the plane to pixels; plane, the way back; tip(group), the end of its arrow in the plane, if it has tasks.
  draw({ dataset, ranges }, onlyAngle, view) {
    const values = this.owner.values();
    this.view = { ...view, values, places: placesOf(dataset, values) };
    const kind = `${dataset} ${onlyAngle}`;
    if (kind !== this.kind) {
      this.kind = kind;
      this.grips = onlyAngle ? [angleGrip] : gripsOf(dataset);
      this.elements = this.grips.map(({ label, always }) => h("div", { class: `design-grip${always ? " always" : ""}`, role: "slider", tabindex: 0, "aria-label": label },
        h("span", { class: "dot" }), h("span", { class: "name" })));
      this.element.replaceChildren(...this.elements);
    }
    const { panel } = this;
    this.grips.forEach((grip, k) => {
      const element = this.elements[k];
      const stands = grip.at(this.view);
      element.hidden = !stands;
      if (!stands) return;
      const [px, py] = stands;
      // A grip outside the window waits at its edge.
      const at = [Math.min(Math.max(view.x(px), panel.x0), panel.x1), Math.min(Math.max(view.y(py), panel.y1), panel.y0)];
      element.akloAt = at;
      place(element, ...at);
      const text = grip.text(values);
      if (element.getAttribute("aria-valuetext") !== text) {
        element.setAttribute("aria-valuetext", text);
        element.setAttribute("aria-valuenow", grip.now(values));
        const [low, high] = grip.ends(ranges);
        element.setAttribute("aria-valuemin", low);
        element.setAttribute("aria-valuemax", high);
        setText(element.lastChild, text);
      }
    });
  }
}
