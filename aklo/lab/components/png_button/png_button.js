// Saves the pictures of all components on this page as one PNG; where there are none, the button is hidden.

import { h } from "../shared/dom.js";
import { mountOnce } from "../shared/lifecycle.js";
import { pictureRoots } from "../shared/roots.js";
import { picturedParts, pictureOf, savePicture } from "../shared/snapshot.js";

class PngButton {
  constructor(place) {
    this.root = h("button", { type: "button", text: "Picture (PNG)", title: "What moves on this page, as it is shown now" });
    place.append(this.root);
    this.root.addEventListener("click", () => this.save());
  }

  async save() {
    const roots = pictureRoots();
    const ground = getComputedStyle(this.root).getPropertyValue("--st-background-color").trim();
    const names = new Set(roots.map((root) => root.dataset.aklo));
    savePicture(await pictureOf(roots.flatMap(picturedParts), ground), `${[...names].join("_")}.png`);
  }

  remove() {
    this.root.remove();
  }
}

export default mountOnce(PngButton, (button) => (button.root.hidden = pictureRoots().length === 0));
