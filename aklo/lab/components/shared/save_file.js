// Saves a file that was made in the browser.

import { h } from "./dom.js";

const READING = 10_000; // milliseconds after which the browser has surely read it

export function saveFile(blob, name) {
  const href = URL.createObjectURL(blob);
  h("a", { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), READING);
}
