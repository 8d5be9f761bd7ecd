// Full screen for a component: its root gets the class "full" and fills the window, also where the browser refuses to give
// up its own frame. Escape leaves it.

export class FullScreen {
  // changed(on): called when it is entered or left. signal: ends the listening.
  constructor(root, button, changed, signal) {
    Object.assign(this, { root, button, changed });
    button.addEventListener("click", () => this.toggle());
    // Where the browser has refused full screen, nobody else would act on Escape.
    root.addEventListener("keydown", (event) => event.key === "Escape" && this.on && this.toggle(), { signal });
    document.addEventListener("fullscreenchange", () => document.fullscreenElement || this.set(false), { signal });
  }

  get on() {
    return this.root.classList.contains("full");
  }

  toggle() {
    if (this.on && document.fullscreenElement) document.exitFullscreen().catch(() => {}); // the browser may have left it just now
    else if (this.on) this.set(false);
    else {
      this.set(true);
      this.root.focus({ preventScroll: true }); // so that Space plays, instead of pressing the button again
      this.root.requestFullscreen?.().catch(() => {});
    }
  }

  set(on) {
    if (this.on === on) return;
    this.root.classList.toggle("full", on);
    this.root.dataset.full = on;
    this.button.ariaPressed = String(on);
    this.changed(on);
  }
}
