// The Share button and its dialog. The link is that of the moment at which the dialog is opened; the page, and a player that
// is playing, go on behind it. Python draws the QR code of a link that it is sent.

import { currentAddress } from "../shared/address.js";
import { h, icon, setText } from "../shared/dom.js";
import { mountOnce, readJson } from "../shared/lifecycle.js";
import { frameCode, isLocal, linkTo } from "./link.js";

class ShareDialog {
  constructor(place) {
    this.opener = h("button", { type: "button", class: "opener", "aria-haspopup": "dialog", title: "A link to exactly this picture, as text, QR code or frame" }, icon("share"), "Share");
    this.boxes = h("div", { class: "boxes" });
    this.bare = h("input", { type: "checkbox", role: "switch" });
    this.link = this.output("input", "Link");
    this.code = this.output("textarea", "Embed code");
    this.copyLink = h("button", { type: "button", text: "Copy link", autofocus: true });
    this.copyCode = h("button", { type: "button", text: "Copy code" });
    this.picture = h("img", { alt: "QR code of the link" });
    this.pending = h("p", { class: "pending" });
    this.hint = h("p", { class: "soft" });
    this.local = h("p", { class: "soft", text: "This address works on this computer only. Open the lab by the address at which others reach it, and share that." });
    this.status = h("p", { class: "status", role: "status" });
    this.close = h("button", { type: "button", class: "close", "aria-label": "Close", title: "Close (Escape)" }, icon("close"));
    const all = h("button", { type: "button", class: "plain", text: "All" });
    const none = h("button", { type: "button", class: "plain", text: "None" });
    this.choice = h("fieldset", {}, h("legend", { text: "Controls to show" }), h("div", { class: "choose" }, all, none), this.boxes);
    this.dialog = h("dialog", { "aria-labelledby": "share-title" }, h("div", { class: "content" },
      h("header", {}, h("h2", { id: "share-title", text: "Share this picture" }), this.close),
      h("div", { class: "parts" },
        h("section", { class: "link" }, h("label", { for: this.link.id, text: "Link" }), h("div", { class: "row" }, this.link, this.copyLink), this.local),
        h("section", { class: "qr" }, this.picture, this.pending),
        h("section", { class: "options" }, h("label", { class: "tick" }, this.bare, "Without menu and header"), this.choice),
        h("section", { class: "code" }, h("label", { for: this.code.id, text: "Embed code, for a page of your own" }), this.code, h("div", { class: "row" }, this.copyCode, this.hint))),
      this.status));
    this.opener.addEventListener("click", () => this.open());
    this.close.addEventListener("click", () => this.dialog.close());
    this.dialog.addEventListener("click", ({ target }) => target === this.dialog && this.dialog.close()); // beside it
    this.bare.addEventListener("change", () => this.draw());
    all.addEventListener("click", () => this.tick(() => true));
    none.addEventListener("click", () => this.tick(() => false));
    this.copyLink.addEventListener("click", () => this.copy(this.link, "Link"));
    this.copyCode.addEventListener("click", () => this.copy(this.code, "Embed code"));
    place.append(this.opener, this.dialog);
  }

  // A text to copy. It is selected when it gets the focus, so that it can be copied by hand.
  output(tag, name) {
    const element = h(tag, { id: name.toLowerCase().replace(" ", "-"), readonly: true, spellcheck: "false" });
    element.addEventListener("focus", () => element.select());
    return element;
  }

  receive({ data, setTriggerValue }) {
    this.ask = setTriggerValue;
    this.told = readJson(data);
    if (this.told.qr) this.qr = this.told.qr;
    this.drawPicture();
    this.followTheme();
  }

  open() {
    const { controls, shown } = this.told;
    this.address = currentAddress();
    this.chosen = shown;
    this.bare.checked = false;
    this.choice.hidden = controls.length === 0;
    this.boxes.replaceChildren(...controls.map(({ name, label }) => {
      const box = h("input", { type: "checkbox", value: name });
      box.addEventListener("change", () => this.tick((other) => this.ticks.find((one) => one.value === other).checked));
      return h("label", { class: "tick" }, box, label);
    }));
    this.local.hidden = !isLocal(this.address);
    setText(this.status, "");
    this.draw();
    this.dialog.showModal();
  }

  get ticks() {
    return [...this.boxes.querySelectorAll("input")];
  }

  // Choose the controls for which `wanted` is true.
  tick(wanted) {
    this.chosen = this.ticks.map((box) => box.value).filter(wanted);
    this.draw();
  }

  // All controls, or none in a bare view, need not be listed.
  choiceIn(bare) {
    const usual = bare ? 0 : this.ticks.length;
    return this.chosen && this.chosen.length !== usual ? this.chosen : null;
  }

  draw() {
    const bare = this.bare.checked;
    const chosen = this.choiceIn(bare);
    for (const box of this.ticks) box.checked = chosen ? chosen.includes(box.value) : !bare;
    this.link.value = linkTo(this.address, { bare, chosen });
    // If nothing was chosen the frame has the picture alone, whatever the boxes say about the link.
    const framed = this.choiceIn(true);
    this.code.value = frameCode(linkTo(this.address, { bare: true, chosen: framed }), `AKLO Lab: ${this.told.title}`);
    const names = this.told.controls.filter(({ name }) => framed?.includes(name)).map(({ label }) => label);
    setText(this.hint, names.length ? `A frame with the picture and ${names.join(", ")}.` : "A frame with the picture alone, 1100 × 620.");
    setText(this.status, "");
    if (this.qr?.link !== this.link.value) this.ask("link", this.link.value);
    this.drawPicture();
  }

  drawPicture() {
    const { qr, link } = this;
    const ready = qr?.link === link.value;
    this.picture.hidden = !(ready && qr.image);
    if (ready && qr.image && this.picture.src !== qr.image) this.picture.src = qr.image;
    this.pending.hidden = ready && Boolean(qr.image);
    setText(this.pending, ready ? "This link is too long for a QR code." : "The QR code is being drawn …");
  }

  async copy(output, name) {
    try {
      await navigator.clipboard.writeText(output.value);
      setText(this.status, `${name} copied.`);
    } catch { // a page without https has no access to the clipboard
      output.focus();
      setText(this.status, `${name} selected: press Ctrl+C, or ⌘C, to copy it.`);
    }
  }

  // Python chooses the charts' colours, and Streamlit does not tell it when a visitor changes the theme.
  followTheme() {
    const ground = getComputedStyle(this.opener).getPropertyValue("--st-background-color").trim();
    if (this.ground && this.ground !== ground) this.ask("theme", ground);
    this.ground = ground;
  }

  remove() {
    this.opener.remove();
    this.dialog.remove();
  }
}

export default mountOnce(ShareDialog, (dialog, call) => dialog.receive(call));
