// Takes a picture of all that the lab's own components show on this page; where there are none, the button goes.

import { pictureOf, savePicture, UNPAINTED } from "../shared/snapshot.js";

export default function ({ parentElement }) {
  const button = parentElement.querySelector("button");
  const roots = () => [...document.querySelectorAll("*")].flatMap((e) => (e.shadowRoot ? [...e.shadowRoot.querySelectorAll("[data-aklo]")] : []));
  button.hidden = roots().length === 0;
  button.onclick = async () => {
    const shown = roots();
    const parts = shown.flatMap((root) => [...(root.querySelector(".frame")?.children ?? [root])])
      .filter((part) => !part.matches(UNPAINTED) && part.getBoundingClientRect().height > 0);
    const ground = getComputedStyle(button).getPropertyValue("--st-background-color").trim();
    savePicture(await pictureOf(parts, ground), `${[...new Set(shown.map((root) => root.dataset.aklo))].join("_")}.png`);
  };
}
