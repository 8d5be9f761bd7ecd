// A chart: plotly.js draws it, and redraws the same one when its figure changes. What a visitor has hidden or zoomed is
// kept here and put into every figure that comes, until the axes mean something else.

import { IN_WORDS } from "../shared/constants.js";
import { h, svg } from "../shared/dom.js";
import { FullScreen } from "../shared/full_screen.js";
import { inWords } from "../shared/legend.js";
import { mountOnce, readJson } from "../shared/lifecycle.js";
import { saveFile } from "../shared/save_file.js";
import { plotlyLibrary } from "./library.js";
import { toolbar } from "./toolbar.js";
import { valueRange } from "./value_axis.js";

const CONFIG = { displayModeBar: false, doubleClick: false, responsive: false };
const LARGER = 1.5; // type and strokes in full screen

// A trace's name is written for plotly.js, with three characters as entities (escape_plotly); here it is plain text.
const ENTITIES = { "&lt;": "<", "&gt;": ">", "&amp;": "&" };
const plain = (name) => name.replace(/&(lt|gt|amp);/g, (entity) => ENTITIES[entity]);
const groupOf = (trace) => trace.legendgroup || trace.name;
const isAxis = (name) => /^[xy]axis\d*$/.test(name);

// A layout, or a part of a trace, with larger type, marks and margins.
function enlarged(value, name = "") {
  if (typeof value === "number") return ["size", "l", "r", "t", "b", "standoff", "thickness"].includes(name) ? value * LARGER : value;
  if (Array.isArray(value)) return name === "size" ? value.map((one) => one * LARGER) : value;
  if (!value || typeof value !== "object" || value.bdata) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, enlarged(one, key)]));
}

function enlargedTrace(trace) {
  const larger = { ...trace };
  for (const part of ["marker", "textfont", "colorbar"]) if (trace[part]) larger[part] = enlarged(trace[part]);
  if (trace.line) larger.line = { ...trace.line, width: LARGER * (trace.line.width ?? 2) };
  return larger;
}

// Each x of some traces, from the left to the right, with a point that is there: [x, { curveNumber, pointNumber }].
function placesOf(traces) {
  const found = new Map();
  for (const { index, x } of traces) x.forEach((at, k) => found.has(at) || found.set(at, { curveNumber: index, pointNumber: k }));
  return [...found].sort(([a], [b]) => a - b);
}

class Chart {
  constructor(place) {
    this.hidden = new Set();
    this.zoomed = {};
    this.dragmode = matchMedia("(hover: none)").matches ? false : "zoom"; // a swipe scrolls the page
    this.tools = toolbar((name) => this.use(name));
    this.legend = h("div", { class: "aklo-legend", role: "group", "aria-label": "Legend" });
    this.plot = h("div", { class: "aklo-plot", role: "img", tabindex: "0" });
    this.root = h("div", { class: "aklo-chart", "data-aklo": "chart" },
      h("div", { class: "aklo-above" }, h("div", { class: "aklo-tools", role: "group", "aria-label": "Chart tools" }, ...Object.values(this.tools)), this.legend), this.plot);
    place.append(this.root);
    this.gone = new AbortController();
    const { signal } = this.gone;
    this.plot.addEventListener("keydown", (event) => this.step(event));
    this.full = new FullScreen(this.root, this.tools.full, () => this.draw(), signal);
    this.plot.addEventListener("pointerdown", ({ pointerType }) => { this.press = pointerType; }, { capture: true });
    this.plot.addEventListener("pointerup", (event) => event.pointerType === "touch" && this.tap(event));
    this.plot.addEventListener("pointermove", ({ pointerType }) => { if (pointerType !== "touch") this.label = null; }, { capture: true });
    document.addEventListener("pointerdown", (event) => this.plot.contains(event.target) || this.unhover(), { signal });
    this.sizes = new ResizeObserver(() => this.drawn && this.size() !== this.drawn && this.draw());
    this.sizes.observe(this.plot);
  }

  // choose(x): tells Python which bar or point a visitor has chosen, where that is possible.
  async receive({ data, layout, alt, name, library, clickable }, choose) {
    Object.assign(this, { data, layout, alt, choose: clickable ? choose : null });
    this.root.dataset.name = name;
    this.root.style.height = `${layout.height}px`;
    this.plot.setAttribute("aria-label", alt);
    const { font, xaxis, paper_bgcolor: ground } = layout;
    const colours = { ink: font.color, soft: xaxis.tickfont.color, grid: xaxis.gridcolor, ground };
    for (const [colour, value] of Object.entries(colours)) this.root.style.setProperty(`--aklo-${colour}`, value);
    const meaning = JSON.stringify(["xaxis", "yaxis"].map((axis) => [layout[axis].title?.text, layout[axis].type]));
    if (this.meaning !== undefined && meaning !== this.meaning) this.forget();
    this.meaning = meaning;
    const fixed = layout.dragmode === false;
    for (const tool of ["zoom", "pan", "reset"]) this.tools[tool].hidden = fixed;
    if (this.Plotly) return this.isOnScreen() ? this.draw() : this.drawAfterFrame();
    try {
      this.Plotly = await plotlyLibrary(library);
    } catch {
      this.plot.textContent = `The chart could not be loaded. ${this.alt}`;
      return undefined;
    }
    return this.root.isConnected && this.draw();
  }

  isOnScreen() {
    const { top, bottom } = this.root.getBoundingClientRect();
    return bottom > 0 && top < window.innerHeight;
  }

  // Draw when the next frame has been painted. plotly.js takes tens of milliseconds, and what a visitor sees need not wait for
  // a chart that is further down the page. Figures that come meanwhile are drawn once, the last.
  drawAfterFrame() {
    if (this.waits) return;
    this.waits = true;
    requestAnimationFrame(() => setTimeout(() => {
      this.waits = false;
      if (this.root.isConnected) this.draw();
    }));
  }

  forget() {
    this.hidden.clear();
    this.zoomed = {};
  }

  size() {
    return `${this.plot.clientWidth} ${this.plot.clientHeight}`;
  }

  // The figure with what the visitor has hidden and zoomed.
  figure() {
    const layout = structuredClone(this.layout);
    const data = this.data.map((trace) => ({ ...trace, visible: this.hidden.has(groupOf(trace)) ? "legendonly" : true }));
    const range = this.hidden.size && valueRange(data.filter((trace) => trace.visible === true), layout);
    if (range) Object.assign(layout[`${layout.meta.value_axis}axis`], { range });
    for (const [axis, zoomed] of Object.entries(this.zoomed)) Object.assign(layout[axis], { range: [...zoomed], autorange: false });
    return { data, layout };
  }

  draw() {
    const [width, height] = [this.plot.clientWidth, this.plot.clientHeight];
    if (!this.Plotly || width < 40 || height < 40) return;
    let { data, layout } = this.figure();
    if (this.full.on) {
      layout = enlarged(layout);
      data = data.map(enlargedTrace);
    }
    layout.margin.t = 8;
    // plotly.js draws the legend where it takes no room; it is not seen, and copied into buttons.
    Object.assign(layout.legend, { x: 0, y: 1, xanchor: "left", yanchor: "top" });
    if (layout.dragmode !== false) layout.dragmode = this.dragmode;
    this.drawn = this.size();
    const first = !this.plot.on;
    this.Plotly.react(this.plot, data, { ...layout, width, height }, CONFIG);
    if (first) {
      this.plot.on("plotly_relayout", (change) => this.keepZoom(change));
      this.plot.on("plotly_doubleclick", () => this.resetAxes());
      this.plot.on("plotly_unhover", () => this.label && this.Plotly.Fx.hover(this.plot, ...this.label));
      this.plot.on("plotly_click", ({ points: [point] }) => this.click(Number.isInteger(point.customdata) ? point.customdata : point.x));
    }
    for (const mode of ["zoom", "pan"]) this.tools[mode].setAttribute("aria-pressed", String(this.dragmode === mode));
    this.drawLegend();
  }

  redraw() {
    if (this.drawn) this.draw();
  }

  keepZoom(change) {
    for (const axis of Object.keys(this.layout).filter(isAxis)) {
      if (`${axis}.range[0]` in change || `${axis}.range` in change) this.zoomed[axis] = [...this.plot.layout[axis].range];
    }
  }

  resetAxes() {
    this.zoomed = {};
    this.draw();
  }

  // Buttons with plotly.js's own samples; they stay as long as the entries do, and so does the focus.
  drawLegend() {
    const entries = [...this.plot.querySelectorAll(".infolayer .legend .traces")].map((node) => ({ trace: node.__data__[0].trace, sample: node.querySelector(".layers") }));
    const looks = entries.map(({ trace, sample }) => trace.name + new XMLSerializer().serializeToString(sample)).join("");
    if (looks !== this.looks) {
      this.looks = looks;
      this.legend.replaceChildren(...entries.map(({ trace, sample }) => this.entry(trace, sample)));
    }
    for (const entry of this.legend.querySelectorAll("button")) entry.setAttribute("aria-pressed", String(!this.hidden.has(entry.dataset.group)));
  }

  entry({ name, legendgroup, meta }, sample) {
    const drawing = svg(`0 -10 ${10 + (this.layout.legend.itemwidth ?? 30)} 20`); // as plotly.js lays it out
    drawing.append(sample.cloneNode(true));
    drawing.firstChild.removeAttribute("transform");
    const label = h("span", { text: plain(name) });
    if (meta === "key") return h("span", { class: "aklo-entry" }, drawing, label); // it explains, and can hide nothing
    const group = legendgroup || name;
    const entry = h("button", { type: "button", class: "aklo-entry", "data-group": group,
      title: `${name in IN_WORDS ? `${inWords(name)} ` : ""}Click to hide or show ${plain(name)}; double-click (or Shift and Enter) to show it alone` }, drawing, label);
    entry.addEventListener("click", (event) => {
      if (event.shiftKey) return this.isolate(group);
      if (event.detail > 1) return undefined; // the second click of two
      this.before = new Set(this.hidden);
      return this.toggle(group);
    });
    entry.addEventListener("dblclick", () => {
      this.hidden = this.before;
      this.isolate(group);
    });
    return entry;
  }

  toggle(group) {
    if (!this.hidden.delete(group)) this.hidden.add(group);
    this.followValues();
  }

  // Show one entry alone, or all again if it is alone already.
  isolate(group) {
    const others = [...this.legend.querySelectorAll("button")].map((entry) => entry.dataset.group).filter((other) => other !== group);
    const alone = !this.hidden.has(group) && others.every((other) => this.hidden.has(other));
    this.hidden = new Set(alone ? [] : others);
    this.followValues();
  }

  followValues() {
    delete this.zoomed[`${this.layout.meta?.value_axis}axis`];
    this.draw();
  }

  use(tool) {
    if (tool === "full") return undefined; // FullScreen listens to its button
    if (tool === "camera") return this.save();
    if (tool === "reset") this.forget();
    else this.dragmode = this.dragmode === tool ? false : tool;
    return this.draw();
  }

  // An SVG file: the figure as Python laid it out, with its legend.
  async save() {
    const { data, layout } = this.figure();
    const size = { width: this.plot.clientWidth, height: this.layout.height };
    const text = await this.Plotly.toImage({ data, layout: { ...layout, ...size }, config: CONFIG }, { format: "svg", imageDataOnly: true, ...size });
    saveFile(new Blob([text], { type: "image/svg+xml" }), `${this.root.dataset.name}.svg`);
  }

  // A finger has nothing to hover with: its first tap shows the label of a bar, a second one on the same bar chooses it.
  // plotly.js reports a tap twice.
  click(x) {
    if (!this.press) return;
    const first = this.press === "touch" && this.tapped !== x;
    this.press = null;
    this.tapped = x;
    if (!first) this.choose?.(x);
  }

  // Arrow keys read the chart point by point; Enter chooses the point, unless newer data have none there.
  step(event) {
    const traces = this.plot._fullData ?? [];
    const places = placesOf(traces.filter((trace) => trace.visible === true && trace.hoverinfo !== "skip" && trace.type !== "heatmap"));
    const at = places.findIndex(([x]) => x === this.read);
    if (event.key === "Enter" && at >= 0) this.choose?.(this.read);
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!by || !places.length) return;
    event.preventDefault();
    const to = at >= 0 ? at + by : by > 0 ? 0 : places.length - 1;
    const [x, point] = places[Math.min(Math.max(to, 0), places.length - 1)];
    this.read = x;
    this.Plotly.Fx.hover(this.plot, [point]);
  }

  // A finger leaves nothing to hover with: the label of what was tapped stays until the next tap elsewhere. plotly.js takes it
  // away at the end of a tap, when the mouse that the browser makes of the finger seems to leave the plot.
  tap({ clientX, clientY }) {
    const box = this.plot.getBoundingClientRect();
    const [x, y] = [clientX - box.left, clientY - box.top];
    const within = (at, { _offset, _length }) => at >= _offset && at <= _offset + _length;
    const found = Object.entries(this.plot._fullLayout?._plots ?? {}).find(([, { xaxis, yaxis }]) => within(x, xaxis) && within(y, yaxis));
    this.label = null;
    if (!found) return;
    const [subplot, { xaxis, yaxis }] = found;
    this.label = [{ xpx: x - xaxis._offset, ypx: y - yaxis._offset }, subplot]; // where it stands
  }

  unhover() {
    this.label = null;
    if (this.plot.on) this.Plotly.Fx.unhover(this.plot);
  }

  remove() {
    this.gone.abort();
    this.sizes.disconnect();
    this.Plotly?.purge(this.plot);
    this.root.remove();
  }
}

export default mountOnce(Chart, (chart, { data, setTriggerValue }) => data && chart.receive(readJson(data), (x) => setTriggerValue("chosen", x)));
