// Saves all that the lab's components show on this page as one PNG; where there are none, the button is hidden.

import { componentRoots } from "../shared/roots.js";
import { pictureOf, savePicture, UNPAINTED } from "../shared/snapshot.js";

export default function ({ parentElement }) {
  const button = parentElement.querySelector("button");
  button.hidden = componentRoots().length === 0;
  button.onclick = async () => {
    const shown = componentRoots();
    const parts = shown.flatMap((root) => [...(root.querySelector(".frame")?.children ?? [root])])
      .filter((part) => !part.matches(UNPAINTED) && part.getBoundingClientRect().height > 0);
    const ground = getComputedStyle(button).getPropertyValue("--st-background-color").trim();
    savePicture(await pictureOf(parts, ground), `${[...new Set(shown.map((root) => root.dataset.aklo))].join("_")}.png`);
  };
}
