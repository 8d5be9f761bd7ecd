// The kept schedules: each has a letter and a line of its own, can be taken as the current schedule, or removed.

import { SLOTS } from "../shared/constants.js";
import { h, setDisabled, svg } from "../shared/dom.js";

const MOST = Object.keys(SLOTS).length;

// Fill the list. kept: [{ mark, title, waits }]; act: { take(mark), drop(mark), keep() }; full: whether the current one cannot be added.
export function fillKept(element, kept, { dark, canKeep, full }, act) {
  const rows = kept.map(({ mark, title, waits }) => {
    const { light, dark: pale, pattern } = SLOTS[mark];
    const line = { x1: 1, x2: 25, y1: 4, y2: 4, stroke: dark ? pale : light, "stroke-width": 2, "stroke-dasharray": pattern.join(" ") };
    const words = `${mark} · ${title}${waits ? " (waits)" : ""}`;
    const take = h("button", {
      type: "button", class: "chip take",
      title: waits ? `${title} needs the number of examples, so it waits for a known horizon` : `Take ${title} as the current schedule`,
    }, svg("0 0 26 8", ["line", line]), h("span", { text: words }));
    const drop = h("button", { type: "button", class: "chip drop", text: "×", "aria-label": `Remove ${words}`, title: `Remove ${title} from the comparison` });
    setDisabled(take, waits);
    take.addEventListener("click", () => act.take(mark));
    drop.addEventListener("click", () => act.drop(mark));
    return h("span", { class: "one" }, take, drop);
  });
  const keep = h("button", {
    type: "button", class: "chip keep", text: "+ Keep this one",
    title: full ? `${MOST} schedules are kept: remove one to make room` : canKeep ? "Keep the current schedule, to compare others with it" : "The current schedule is kept already",
  });
  setDisabled(keep, !canKeep);
  keep.addEventListener("click", act.keep);
  const buttons = () => [...element.querySelectorAll("button")];
  const before = buttons();
  const focused = before.findIndex((one) => one.matches(":focus"));
  element.replaceChildren(...rows, keep);
  if (focused >= 0) (buttons().at(focused - before.length) ?? keep).focus(); // the one in the same place, counted from the end
}
