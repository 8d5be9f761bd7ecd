// Says in words when the server cannot be reached, and when it is back. The banner stands in the browser's top layer, so that
// it is seen over dialogs and over a player in full screen, and moves nothing.

import { connectionState, STATE } from "../shared/connection.js";

const DELAY = 1000; // milliseconds: a shorter break is not mentioned
const BACK_TIME = 5000; // milliseconds for which it says that the server is back
const TEXTS = {
  away: "The lab's server cannot be reached. Your settings are in the address; the page goes on as soon as it is back.",
  ended: "The connection to the lab's server has ended. Your settings are in the address; reload the page to go on.",
  back: "The server is back.",
};
const STYLE = {
  position: "fixed", inset: "auto 0 16px", margin: "0 auto", width: "fit-content", maxWidth: "min(40rem, calc(100vw - 24px))",
  boxSizing: "border-box", padding: "10px 16px", borderRadius: "8px", borderWidth: "2px", borderStyle: "solid",
  font: "500 15px/1.4 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif", zIndex: "2147483647",
  pointerEvents: "none", boxShadow: "0 4px 18px rgb(0 0 0 / 0.25)",
};

export class ConnectionNotice {
  constructor() {
    this.banner = document.createElement("div");
    this.banner.setAttribute("role", "status");
    this.banner.dataset.akloNotice = "";
    this.banner.popover = "manual";
    Object.assign(this.banner.style, STYLE);
    document.body.append(this.banner);
    new MutationObserver(() => this.follow()).observe(document.body, { subtree: true, attributeFilter: [STATE] });
  }

  follow() {
    const state = connectionState();
    const next = state === "CONNECTED" ? "connected" : state === "DISCONNECTED_FOREVER" ? "ended" : "away";
    if (next === this.state) return;
    if (next === "connected" && this.state === "away") this.onBack?.();
    this.state = next;
    clearTimeout(this.timer);
    if (next !== "connected") this.timer = setTimeout(() => this.show(next), this.said ? 0 : DELAY);
    else if (this.said) {
      this.show("back");
      this.timer = setTimeout(() => this.hide(), BACK_TIME);
    }
  }

  show(what) {
    const { banner } = this;
    this.said = what;
    // The page's colours, which Streamlit gives a component as custom properties.
    const style = getComputedStyle(this.source);
    banner.style.background = style.getPropertyValue("--st-background-color");
    banner.style.color = style.getPropertyValue("--st-text-color");
    banner.style.borderColor = style.getPropertyValue(what === "back" ? "--st-primary-color" : "--st-red-color");
    if (banner.matches(":popover-open")) banner.hidePopover(); // shown again, it is above what was opened since
    banner.showPopover();
    banner.dataset.akloNotice = what;
    banner.textContent = TEXTS[what];
  }

  hide() {
    this.said = "";
    this.banner.dataset.akloNotice = "";
    this.banner.textContent = "";
    this.banner.hidePopover();
  }
}
