// A panel: a heading, a help button, and a plot. Its marks are drawn on a canvas; its axes and labels are elements.

import { h } from "./dom.js";

let ids = 0;

// An id that no other element of this component has.
export function freshId(name) {
  return `aklo-${name}-${++ids}`;
}

// A help button ("?") and the note that it opens; a second click or Escape closes the note.
export function explained(id, title, help) {
  const note = h("p", { class: "help", id: `${id}-help`, hidden: true, text: help });
  const ask = h("button", {
    type: "button", class: "ask", text: "?", "aria-expanded": "false", "aria-controls": `${id}-help`,
    "aria-label": `What is shown: ${title}`, title: "What this shows",
  });
  const explain = (open) => {
    note.hidden = !open;
    ask.setAttribute("aria-expanded", String(open));
  };
  ask.addEventListener("click", () => explain(note.hidden));
  ask.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || note.hidden) return;
    explain(false);
    event.stopPropagation(); // closes the note only, not the full screen
  });
  return { note, ask };
}

export class Panel {
  constructor(name, title, help, margins) {
    const id = freshId(name);
    this.margins = margins;
    this.canvas = h("canvas", { "aria-hidden": "true" });
    this.ticks = h("div", { class: "ticks" });
    this.overlay = h("div", { class: "overlay" });
    this.plot = h("div", { class: "plot" }, this.canvas, this.ticks, this.overlay);
    Object.assign(this, explained(id, title, help));
    this.heading = h("h3", { id, text: title });
    this.extra = h("div", { class: "extra" });
    this.head = h("header", {}, this.heading, this.extra, this.ask);
    this.body = h("div", { class: "body" }, this.plot);
    this.element = h("section", { class: `panel ${name}`, "aria-labelledby": id }, this.head, this.note, this.body);
    this.width = this.height = 0;
    this.layer = document.createElement("canvas");
  }

  // Measure the plot. True if its size has changed, so that all must be drawn again.
  measure() {
    const box = this.plot.getBoundingClientRect();
    const [width, height] = [Math.round(box.width), Math.round(box.height)];
    const dpr = this.fine ?? Math.min(window.devicePixelRatio || 1, 2);
    const em = parseFloat(getComputedStyle(this.plot).fontSize) || 12;
    if (width === this.width && height === this.height && dpr === this.dpr && em === this.em) return false;
    Object.assign(this, { width, height, dpr, em });
    // Line widths grow with the font size, for full screen on a projector.
    this.unit = Math.max(1, em / 13);
    const { left, right, top, bottom } = this.margins;
    this.x0 = Math.round(left * em);
    this.x1 = Math.round(width - right * em);
    this.y0 = Math.round(height - bottom * em);
    this.y1 = Math.round(top * em);
    for (const canvas of [this.canvas, this.layer]) {
      canvas.width = Math.max(1, width * dpr);
      canvas.height = Math.max(1, height * dpr);
    }
    return true;
  }

  get visible() {
    return this.x1 - this.x0 > 20 && this.y0 - this.y1 > 20;
  }

  scaleX(low, high) {
    return (x) => this.x0 + ((x - low) / (high - low)) * (this.x1 - this.x0);
  }

  scaleY(low, high) {
    return (y) => this.y0 - ((y - low) / (high - low)) * (this.y0 - this.y1);
  }

  // Where a pointer is, in pixels of the plot.
  at(event) {
    const box = this.plot.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  // Whether a point lies between the axes.
  holds(x, y) {
    return x >= this.x0 && x <= this.x1 && y >= this.y1 && y <= this.y0;
  }

  begin(canvas = this.canvas) {
    const g = canvas.getContext("2d");
    g.setTransform(this.dpr, 0, 0, this.dpr, 0, 0);
    g.clearRect(0, 0, this.width, this.height);
    return g;
  }

  // Draw the layer from the left up to x.
  reveal(g, x) {
    const width = Math.min(Math.max(0, x), this.width);
    if (width * this.dpr < 1) return;
    g.drawImage(this.layer, 0, 0, width * this.dpr, this.height * this.dpr, 0, 0, width, this.height);
  }

  within(g, draw) {
    g.save();
    g.beginPath();
    g.rect(this.x0, this.y1, this.x1 - this.x0, this.y0 - this.y1);
    g.clip();
    draw();
    g.restore();
  }

  // Create ticks and axis names as elements, and set this.grid, which draws the grid lines. xs, ys: [value, text].
  axes({ x, y, xs, ys, xName, yName }) {
    this.ticks.replaceChildren(
      ...xs.map(([v, text, side = ""]) => this.label(text, x(v), this.y0, `tick below ${side}`)),
      ...ys.map(([v, text]) => this.label(text, this.x0, y(v), "tick beside")),
    );
    if (xName) this.ticks.append(h("span", { class: "axis-x", text: xName, style: `right:${this.width - this.x1}px` }));
    if (yName) this.ticks.append(h("span", { class: "axis-y", text: yName, style: `left:${this.x0}px;top:${this.y1}px` }));
    this.grid = (g, colours) => {
      g.strokeStyle = colours.grid;
      g.lineWidth = 1;
      g.beginPath();
      for (const [v] of xs) { g.moveTo(Math.round(x(v)) + 0.5, this.y1); g.lineTo(Math.round(x(v)) + 0.5, this.y0); }
      for (const [v] of ys) { g.moveTo(this.x0, Math.round(y(v)) + 0.5); g.lineTo(this.x1, Math.round(y(v)) + 0.5); }
      g.stroke();
    };
  }

  label(text, x, y, kind) {
    return h("span", { class: kind, text, style: `left:${x}px;top:${y}px` });
  }

  // Describe what the marks show for screen readers.
  describe(words) {
    if (!words || this.described === words) return;
    this.described = words;
    this.canvas.removeAttribute("aria-hidden");
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", words);
  }

  // Draw dashed lines from now on. pattern: lengths that grow with the lines; without them the lines are solid again.
  dash(g, pattern = []) {
    g.setLineDash(pattern.map((length) => length * this.unit));
  }

  cursor(g, x, colours) {
    g.strokeStyle = colours.soft;
    g.lineWidth = 1;
    g.setLineDash([3, 3]);
    g.beginPath();
    g.moveTo(Math.round(x) + 0.5, this.y1);
    g.lineTo(Math.round(x) + 0.5, this.y0);
    g.stroke();
    g.setLineDash([]);
  }
}
