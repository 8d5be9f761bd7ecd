// The race: the mistakes of all six methods so far.

class RacePanel extends Panel {
  constructor({ toggle }) {
    super(
      "race", "The race: mistakes so far",
      "Each line counts a method's mistakes on this task up to now, lower is better; the number at its end is the count. "
      + "Click a name to hide or show a method.",
      { left: 2.2, right: 2.3, top: 0.6, bottom: 1.45 },
    );
    this.ends = METHODS.map((name) => h("span", { class: "end", title: name }));
    this.promise = h("span", { class: "promise", hidden: true });
    this.overlay.append(...this.ends, this.promise);
    this.names = METHODS.map((name) => {
      const chip = h("button", { type: "button", class: "method", "aria-pressed": "true", title: `Hide or show ${name}` });
      chip.addEventListener("click", () => toggle(name));
      return chip;
    });
    this.legend = h("div", { class: "side methods", role: "group", "aria-label": "Methods shown" }, ...this.names);
    this.body.append(this.legend);
  }

  layout(view) {
    const { task, dark } = view;
    this.most = Math.max(task.promise == null ? 4 : Math.ceil(task.promise), 1, ...task.counts.map((counts) => counts[task.n]));
    this.x = this.scaleX(0, task.n);
    this.y = this.scaleY(0, this.most * 1.04);
    this.axes({
      x: this.x, y: this.y,
      xs: timeTicks(0, task.n, (this.x1 - this.x0) / (4 * this.em)),
      ys: wholeTicks(this.most, (this.y0 - this.y1) / (2.4 * this.em)).map((v) => [v, axisNumber(v)]),
    });
    this.promise.hidden = task.promise == null;
    if (task.promise != null) {
      setText(this.promise, `promised: at most ${Number(task.promise.toFixed(2))}`);
      // Below the line where there is no room above it.
      const y = this.y(task.promise);
      place(this.promise, this.x0 + 0.3 * this.em, y - this.y1 > 1.3 * this.em ? y - 1.3 * this.em : y + 0.1 * this.em);
    }
    METHODS.forEach((name, m) => {
      const stroke = STROKES[name];
      const colour = dark ? stroke.dark : stroke.light;
      this.ends[m].style.color = colour;
      this.names[m].replaceChildren(svg("0 0 26 8", ["line", {
        x1: 1, x2: 25, y1: 4, y2: 4, stroke: colour, "stroke-width": stroke.width, "stroke-dasharray": stroke.pattern.join(" "),
      }]), h("span", { text: name }));
    });
    this.keepLines(view);
  }

  // All lines over all time, drawn once, the chosen method's on top; a frame reveals them up to now.
  keepLines({ task, hidden, dark, method }) {
    this.keptFor = `${[...hidden]} ${method}`;
    const g = this.begin(this.layer);
    if (!this.visible) return;
    g.lineJoin = "round";
    const order = METHODS.map((_, m) => m).sort((a, b) => (METHODS[a] === method) - (METHODS[b] === method));
    for (const m of order) {
      const name = METHODS[m];
      if (hidden.has(name)) continue;
      const stroke = STROKES[name];
      g.strokeStyle = dark ? stroke.dark : stroke.light;
      g.lineWidth = stroke.width * this.unit;
      g.setLineDash(stroke.pattern.map((length) => length * this.unit));
      g.beginPath();
      for (let t = 0; t <= task.n; t++) g.lineTo(this.x(t), this.y(task.counts[m][t]));
      g.stroke();
    }
    g.setLineDash([]);
    METHODS.forEach((name, m) => {
      this.names[m].setAttribute("aria-pressed", String(!hidden.has(name)));
      this.ends[m].hidden = hidden.has(name);
    });
  }

  draw(view) {
    const { task, colours, hidden, method, told, toldNow } = view;
    if (this.keptFor !== `${[...hidden]} ${method}`) this.keepLines(view);
    if (!this.visible) return;
    const g = this.begin();
    this.grid(g, colours);
    if (task.promise != null) this.drawPromise(g, this.y(task.promise), colours);
    const now = Math.min(Math.max(toldNow, 0), task.n);
    const x = this.x(now);
    this.reveal(g, x);
    this.cursor(g, x, colours);
    const shown = METHODS.map((_, m) => m).filter((m) => !hidden.has(METHODS[m]));
    const t = Math.floor(now);
    const heights = shown.map((m) => {
      const counts = task.counts[m];
      return this.y(counts[t] + (now - t) * (counts[Math.min(t + 1, task.n)] - counts[t]));
    });
    const at = spread(heights, 1.04 * this.em, this.y1 + 0.2 * this.em, this.y0);
    shown.forEach((m, k) => {
      this.drawEnd(g, x, heights[k], METHODS[m], view);
      setText(this.ends[m], String(task.counts[m][told]));
      place(this.ends[m], x + 0.45 * this.em, at[k] - 0.62 * this.em);
    });
  }

  summary({ task, told, hidden }) {
    const shown = METHODS.filter((name) => !hidden.has(name));
    const counts = shown.map((name) => `${name} ${task.counts[METHODS.indexOf(name)][told]}`).join(", ");
    const promised = task.promise == null ? "" : ` Promised: at most ${Number(task.promise.toFixed(2))} at the end.`;
    return `Mistakes after ${told} of ${task.n} steps: ${counts || "all methods are hidden"}.${promised}`;
  }

  drawPromise(g, y, colours) {
    g.strokeStyle = colours.wrong;
    g.lineWidth = 2 * this.unit;
    g.setLineDash([7 * this.unit, 5 * this.unit]);
    g.beginPath();
    g.moveTo(this.x0, y);
    g.lineTo(this.x1, y);
    g.stroke();
    g.setLineDash([]);
  }

  drawEnd(g, x, y, name, { dark, colours }) {
    g.beginPath();
    g.arc(x, y, 0.24 * this.em, 0, 7);
    g.fillStyle = dark ? STROKES[name].dark : STROKES[name].light;
    g.fill();
    g.strokeStyle = colours.ground;
    g.lineWidth = 1;
    g.stroke();
  }
}
