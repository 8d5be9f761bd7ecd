// Brings what stands below it into view, once for each occasion, unless it begins in the upper part of the window already.

import { readJson, takeNoSpace } from "../shared/lifecycle.js";

let last = "";

export default function ({ parentElement, data }) {
  const own = takeNoSpace(parentElement);
  const { occasion } = readJson(data);
  if (occasion === last) return;
  last = occasion;
  requestAnimationFrame(() => {
    const below = own?.nextElementSibling;
    if (!below) return;
    const { top } = below.getBoundingClientRect();
    const covered = parseFloat(getComputedStyle(below).scrollMarginTop); // by what stands at the window's upper edge
    if (top < covered || top > window.innerHeight / 4) below.scrollIntoView({ block: "start" });
  });
}
