// Saves all that the lab's components show on this page as one PNG; where there are none, the button is hidden.

import { h } from "../shared/dom.js";
import { mountOnce } from "../shared/lifecycle.js";
import { componentRoots } from "../shared/roots.js";
import { pictureOf, savePicture, UNPAINTED } from "../shared/snapshot.js";

class PngButton {
  constructor(place) {
    this.root = h("button", { type: "button", text: "Picture (PNG)", title: "What moves on this page, as it is shown now" });
    place.append(this.root);
    this.root.addEventListener("click", () => this.save());
  }

  async save() {
    const shown = componentRoots();
    const parts = shown.flatMap((root) => [...(root.querySelector(".frame")?.children ?? [root])])
      .filter((part) => !part.matches(UNPAINTED) && part.getBoundingClientRect().height > 0);
    const ground = getComputedStyle(this.root).getPropertyValue("--st-background-color").trim();
    savePicture(await pictureOf(parts, ground), `${[...new Set(shown.map((root) => root.dataset.aklo))].join("_")}.png`);
  }

  remove() {
    this.root.remove();
  }
}

export default mountOnce(PngButton, (button) => (button.root.hidden = componentRoots().length === 0));
