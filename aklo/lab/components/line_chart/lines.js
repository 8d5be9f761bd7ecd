// A chart of lines, bands, marks and words over two axes, told as a Plotly figure. It changes in place.

import { h, icon, svg, SVG } from "../shared/dom.js";
import { mountOnce, readJson } from "../shared/lifecycle.js";
import { axisNumber, MINUS, niceTicks } from "../shared/numbers.js";

const DASHES = { dot: [1, 1], dash: [3, 3], longdash: [5, 5], dashdot: [3, 1, 1, 1], longdashdot: [5, 1, 1, 1] }; // as Plotly has them
const KINDS = { u1: Uint8Array, i1: Int8Array, u2: Uint16Array, i2: Int16Array, u4: Uint32Array, i4: Int32Array, f4: Float32Array, f8: Float64Array };

// A list of numbers, or of rows of numbers, as Plotly's figures carry them.
function numbers(told) {
  if (!told?.bdata) return told ?? [];
  const bytes = Uint8Array.from(atob(told.bdata), (c) => c.charCodeAt(0));
  const flat = new KINDS[told.dtype](bytes.buffer);
  const wide = told.shape ? Number(told.shape.split(",")[1]) : 0;
  return wide ? Array.from({ length: flat.length / wide }, (_, k) => flat.subarray(k * wide, (k + 1) * wide)) : flat;
}

// "+.1f", ".0%" or "d": the few of d3's formats that the lab writes.
function formatted(value, format = "") {
  const [, plus, digits, kind] = format.match(/^(\+?)(?:\.(\d+))?([fd%]?)$/) ?? [];
  if (kind === undefined || typeof value !== "number") return String(value);
  const size = Math.abs(kind === "%" ? 100 * value : value);
  const text = kind ? size.toFixed(kind === "d" ? 0 : digits ?? 6) : axisNumber(size);
  return (value < 0 && Number(text) ? MINUS : plus) + text + (kind === "%" ? "%" : "");
}

function worded(template, point) {
  return template.replace(/<extra>.*/, "").replace(/%\{(\w+)(?:\[(\d+)\])?(?::([^}]*))?\}/g, (_, name, at, format) =>
    formatted(at === undefined ? point[name] : point[name][at], format));
}

function dashed({ dash = "solid", width = 2 }) {
  return (DASHES[dash] ?? []).map((part) => part * Math.max(width, 3)).join(" ");
}

// A mark around the origin, r to its edge. Plotly's names, and about its sizes.
const MARKS = {
  circle: (r) => `M${r},0A${r},${r} 0 1,1 0,${-r}A${r},${r} 0 0,1 ${r},0Z`,
  square: (r) => `M${r},${r}H${-r}V${-r}H${r}Z`,
  diamond: (r) => `M${1.3 * r},0L0,${1.3 * r}L${-1.3 * r},0L0,${-1.3 * r}Z`,
  "triangle-up": (r) => `M${-1.15 * r},${r / 2}H${1.15 * r}L0,${-r}Z`,
};

function mark({ color, symbol = "circle", size = 7, line: edge = {} }, x, y, unit) {
  const [kind, open] = [symbol.replace("-open", ""), symbol.endsWith("-open")];
  const stroke = edge.width ? { stroke: edge.color, "stroke-width": edge.width * unit } : {};
  return shape("path", { d: MARKS[kind]((size / 2) * unit), transform: `translate(${x.toFixed(1)},${y.toFixed(1)})`, fill: open ? "none" : color, ...stroke });
}

function sample({ line, marker }) {
  if (marker) {
    const drawn = svg("0 0 16 16");
    drawn.append(mark(marker, 8, 8, 1));
    drawn.classList.add("mark");
    return drawn;
  }
  return svg("0 0 34 8", ["line", { x1: 0, x2: 34, y1: 4, y2: 4, stroke: line.color, "stroke-width": line.width, "stroke-dasharray": dashed(line) }]);
}

function shape(tag, attributes, text) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  if (text !== undefined) element.textContent = text;
  return element;
}

class Lines {
  constructor(place) {
    this.hidden = new Set();
    this.pointed = null;
    this.names = h("div", { class: "names", role: "group", "aria-label": "Lines shown" });
    this.save = h("button", { type: "button", "aria-label": "Save picture", title: "Save this chart as an SVG picture" }, icon("camera"));
    this.full = h("button", { type: "button", "aria-label": "Full screen", title: "Full screen, and back" }, icon("full"));
    this.drawing = h("div", { class: "drawing" });
    this.readout = h("div", { class: "readout", hidden: true });
    this.root = h("div", { class: "lines", "data-aklo": "lines" },
      h("div", { class: "above" }, this.names, h("div", { class: "tools" }, this.save, this.full)), this.drawing, this.readout);
    this.root.chart = this; // for whoever wants to know what is drawn
    place.append(this.root);
    this.save.addEventListener("click", () => this.download());
    this.full.addEventListener("click", () => (document.fullscreenElement ? document.exitFullscreen() : this.root.requestFullscreen()));
    for (const kind of ["pointermove", "pointerdown"]) this.drawing.addEventListener(kind, (event) => this.point(event));
    this.drawing.addEventListener("pointerleave", () => this.point(null));
    this.sizes = new ResizeObserver(() => this.data && this.draw());
    this.sizes.observe(this.drawing);
  }

  receive({ data, layout, alt, name }) {
    this.data = data.map((trace) => ({
      ...trace, group: trace.legendgroup ?? trace.name, x: numbers(trace.x), y: numbers(trace.y), customdata: numbers(trace.customdata),
    }));
    Object.assign(this, { layout, alt });
    this.root.dataset.name = name;
    const { font, xaxis, paper_bgcolor: ground, hoverlabel } = layout;
    const colours = { ink: font.color, soft: xaxis.tickfont.color, grid: xaxis.gridcolor, ground, panel: hoverlabel.bgcolor };
    for (const [colour, value] of Object.entries(colours)) this.root.style.setProperty(`--${colour}`, value);
    this.root.style.setProperty("--accent", "var(--st-primary-color)");
    this.legend();
    this.draw(); // at once: the next frame shows it
  }

  // The names, where the figure has them; their buttons stay as long as the names do, and so does the focus.
  legend() {
    const named = this.layout.showlegend ? this.data.filter((trace) => trace.showlegend !== false) : [];
    const looks = JSON.stringify(named.map(({ name, line, marker }) => [name, line, marker]));
    if (looks !== this.looks) {
      this.looks = looks;
      this.names.replaceChildren(...named.map((trace) => {
        const { name, group } = trace;
        const chip = h("button", { type: "button", title: `Hide or show ${name}`, "aria-pressed": String(!this.hidden.has(group)) }, sample(trace), h("span", { text: name }));
        chip.addEventListener("click", () => {
          if (!this.hidden.delete(group)) this.hidden.add(group);
          chip.setAttribute("aria-pressed", String(!this.hidden.has(group)));
          this.draw();
        });
        return chip;
      }));
    }
    this.names.hidden = !named.length;
    this.names.parentElement.style.minHeight = named.length ? "" : "0";
  }

  ticks({ range: [low, high], tickvals, ticktext, dtick, tick0 = 0, tickformat, ticksuffix = "" }, count) {
    if (tickvals) return Array.from(numbers(tickvals), (value, k) => [value, ticktext[k]]);
    let found = niceTicks(low, high, count);
    if (dtick) {
      const every = dtick * Math.max(1, Math.ceil((high - low) / dtick / count));
      found = Array.from({ length: Math.floor((high - tick0) / every + 1e-9) + 1 }, (_, k) => tick0 + k * every);
      for (let below = tick0 - every; below >= low; below -= every) found.unshift(below);
    }
    const format = (value) => (tickformat ? formatted(value, tickformat) : axisNumber(value));
    return found.filter((value) => value >= low - 1e-9 && value <= high + 1e-9).map((value) => [value, format(value) + ticksuffix]);
  }

  draw() {
    const box = this.drawing.getBoundingClientRect();
    if (box.width < 40 || box.height < 40) return;
    const em = parseFloat(getComputedStyle(this.root).fontSize);
    const unit = em / 13; // strokes and margins grow with the type, so that a projector shows both
    const { margin, xaxis, yaxis } = this.layout;
    const [width, height] = [box.width, box.height];
    const area = { x0: margin.l * unit, x1: width - margin.r * unit, y0: height - margin.b * unit, y1: 0.7 * em };
    const x = (v) => area.x0 + ((v - xaxis.range[0]) / (xaxis.range[1] - xaxis.range[0])) * (area.x1 - area.x0);
    const y = (v) => area.y0 - ((v - yaxis.range[0]) / (yaxis.range[1] - yaxis.range[0])) * (area.y0 - area.y1);
    Object.assign(this, { area, x, y, unit, em });
    const clip = `aklo-${++Lines.clips}`;
    const drawn = shape("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": this.alt, "font-family": getComputedStyle(this.root).fontFamily });
    const frame = { x: area.x0, y: area.y1, width: Math.max(0, area.x1 - area.x0), height: Math.max(0, area.y0 - area.y1) };
    const room = shape("clipPath", { id: clip });
    const wide = 2 * unit; // a line on the frame's edge is drawn whole
    room.append(shape("rect", { ...frame, x: frame.x - wide, y: frame.y - wide, width: frame.width + 2 * wide, height: frame.height + 2 * wide }));
    const inside = shape("g", { "clip-path": `url(#${clip})`, fill: "none", "stroke-linejoin": "round" });
    const over = shape("g", {});
    drawn.append(room, this.axes(), inside, over);
    for (const trace of this.data) if (!this.hidden.has(trace.group)) this.trace(trace, inside, over);
    this.cursor = shape("line", { y1: area.y1, y2: area.y0, stroke: xaxis.tickfont.color, "stroke-dasharray": "3 3", visibility: "hidden" });
    drawn.append(this.cursor);
    this.drawing.replaceChildren(drawn);
    this.drawn = drawn;
    this.read();
  }

  axes() {
    const { area, x, y, em, unit } = this;
    const { xaxis, yaxis } = this.layout;
    const group = shape("g", { "font-size": em });
    const grid = { stroke: xaxis.gridcolor, "stroke-width": 1 };
    for (const [v, text] of this.ticks(xaxis, (area.x1 - area.x0) / (4.2 * em))) {
      const at = Math.round(x(v)) + 0.5;
      group.append(shape("line", { x1: at, x2: at, y1: area.y1, y2: area.y0, ...grid }));
      group.append(shape("text", { x: at, y: area.y0 + 1.25 * em, "text-anchor": "middle", fill: xaxis.tickfont.color }, text));
    }
    for (const [v, text] of this.ticks(yaxis, (area.y0 - area.y1) / (3 * em))) {
      const at = Math.round(y(v)) + 0.5;
      group.append(shape("line", { x1: area.x0, x2: area.x1, y1: at, y2: at, ...grid }));
      group.append(shape("text", { x: area.x0 - 0.5 * em, y: at + 0.36 * em, "text-anchor": "end", "font-size": (em * yaxis.tickfont.size) / xaxis.tickfont.size, fill: yaxis.tickfont.color }, text));
    }
    const [middle, centre] = [(area.x0 + area.x1) / 2, (area.y0 + area.y1) / 2];
    const title = { "text-anchor": "middle", "font-size": 1.08 * em };
    group.append(shape("text", { ...title, x: middle, y: area.y0 + 3.1 * em, fill: xaxis.title.font.color }, xaxis.title.text));
    group.append(shape("text", { ...title, transform: `translate(${10 * unit + 0.3 * em},${centre}) rotate(-90)`, fill: yaxis.title.font.color }, yaxis.title.text));
    return group;
  }

  trace({ x: xs, y: ys, mode = "lines", line = {}, marker = { color: line.color }, fill, fillcolor, text, textfont, group }, inside, over) {
    const { x, y, unit } = this;
    if (mode.includes("lines")) {
      let path = "";
      for (let k = 0; k < xs.length; k++) path += `${k ? "L" : "M"}${x(xs[k]).toFixed(1)},${y(ys[k]).toFixed(1)}`;
      if (fill) inside.append(shape("path", { d: `${path}Z`, fill: fillcolor }));
      else inside.append(shape("path", { d: path, stroke: line.color, "stroke-width": line.width * unit, "stroke-dasharray": dashed(line), "data-line": group }));
    }
    if (mode.includes("markers")) {
      for (let k = 0; k < xs.length; k++) over.append(mark(marker, x(xs[k]), y(ys[k]), unit));
    }
    if (mode === "text") {
      xs.forEach((at, k) => over.append(shape("text", { x: x(at) + 0.4 * this.em, y: y(ys[k]) + 0.36 * this.em, "font-size": this.em, fill: textfont.color }, text[k])));
    }
  }

  point(event) {
    const box = this.drawing.getBoundingClientRect();
    this.pointed = event && [event.clientX - box.left, event.clientY - box.top];
    this.read();
  }

  read() {
    const told = this.data.filter((trace) => !this.hidden.has(trace.group) && trace.hoverinfo !== "skip" && trace.x.length);
    const { area } = this;
    const inside = this.pointed && this.pointed[0] >= area.x0 - 4 && this.pointed[0] <= area.x1 + 4 && told.length;
    const unified = this.layout.hovermode === "x unified";
    const found = inside && (unified ? this.across(told) : this.closest(told));
    this.readout.hidden = !found;
    this.cursor.setAttribute("visibility", found && unified ? "visible" : "hidden");
    if (!found) return;
    const [heading, at, rows] = found;
    this.readout.replaceChildren(
      h("p", { text: heading }),
      ...rows.map(([trace, k]) => h("p", { style: `color:${(trace.marker ?? trace.line).color}` }, h("span", { text: trace.name }),
        h("b", { text: worded(trace.hovertemplate ?? "%{y}", { x: trace.x[k], y: trace.y[k], customdata: trace.customdata[k] }) }))),
    );
    this.cursor.setAttribute("x1", this.x(at));
    this.cursor.setAttribute("x2", this.x(at));
    const [here, root] = [this.drawing.getBoundingClientRect(), this.root.getBoundingClientRect()];
    const left = here.left - root.left + this.x(at) + this.em;
    const fits = left + this.readout.offsetWidth <= root.width;
    const high = unified ? area.y1 : this.pointed[1] - this.em;
    const top = Math.max(0, Math.min(here.top - root.top + high, root.height - this.readout.offsetHeight));
    this.readout.style.transform = `translate(${Math.max(0, fits ? left : left - this.readout.offsetWidth - 2 * this.em)}px,${top}px)`;
  }

  // All lines where the pointer is: at the nearest place that most of them have. [heading, x, [trace, index] of each]
  across(told) {
    const { x: xs } = told.reduce((a, b) => (b.x.length > a.x.length ? b : a));
    let nearest = 0;
    for (let k = 1; k < xs.length; k++) if (Math.abs(this.x(xs[k]) - this.pointed[0]) < Math.abs(this.x(xs[nearest]) - this.pointed[0])) nearest = k;
    const at = xs[nearest];
    const { title, ticksuffix = "" } = this.layout.xaxis;
    const rows = told.map((trace) => [trace, trace.x.indexOf(at)]).filter(([, k]) => k >= 0);
    return [`${title.text}: ${axisNumber(at)}${ticksuffix}`, at, rows];
  }

  // The marks at the one that is nearest to the pointer, if any is near; an upright line is near where its x is.
  closest(told) {
    const [px, py] = this.pointed;
    const points = told.flatMap((trace) => Array.from(trace.x, (at, k) => [trace, k, this.x(at), trace.marker ? this.y(trace.y[k]) : py]));
    const away = ([, , x, y]) => Math.hypot(x - px, y - py);
    const nearest = points.reduce((a, b) => (away(b) < away(a) ? b : a));
    if (away(nearest) > 2 * this.em) return null;
    const [trace, k, x, y] = nearest;
    const same = points.filter(([other, , u, v]) => Math.hypot(u - x, v - y) < 1 && Boolean(other.marker) === Boolean(trace.marker));
    const row = trace.marker && this.ticks(this.layout.yaxis, 0).find(([value]) => value === trace.y[k]);
    return [row ? row[1] : this.layout.xaxis.title.text, trace.x[k], [...new Map(same.map(([other, at]) => [other, at]))]];
  }

  // An SVG file of its own: the drawing, and the names above it.
  download() {
    const [from, width, height] = [this.drawn.viewBox.baseVal, this.drawn.viewBox.baseVal.width, this.drawn.viewBox.baseVal.height];
    const top = this.names.hidden ? 0 : 2 * this.em;
    const copy = this.drawn.cloneNode(true);
    copy.setAttribute("xmlns", SVG);
    copy.setAttribute("viewBox", `0 ${-top} ${from.width} ${height + top}`);
    copy.setAttribute("width", width);
    copy.setAttribute("height", height + top);
    copy.prepend(shape("title", {}, this.alt), shape("rect", { x: 0, y: -top, width, height: height + top, fill: this.layout.paper_bgcolor }));
    let left = this.em;
    for (const { name, line, marker, group } of this.data.filter((trace) => trace.showlegend !== false)) {
      if (this.names.hidden || this.hidden.has(group)) continue;
      if (marker) copy.append(mark(marker, left + 15, -this.em, 1));
      else copy.append(shape("line", { x1: left, x2: left + 30, y1: -this.em, y2: -this.em, stroke: line.color, "stroke-width": line.width, "stroke-dasharray": dashed(line) }));
      copy.append(shape("text", { x: left + 36, y: -0.65 * this.em, "font-size": this.em, fill: this.layout.font.color }, name));
      left += 36 + 0.62 * this.em * name.length + 1.5 * this.em;
    }
    const link = h("a", { download: `${this.root.dataset.name}.svg`, href: URL.createObjectURL(new Blob([new XMLSerializer().serializeToString(copy)], { type: "image/svg+xml" })) });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  remove() {
    this.sizes.disconnect();
    this.root.remove();
  }
}
Lines.clips = 0;

export default mountOnce(Lines, (lines, { data }) => data && lines.receive(readJson(data)));
