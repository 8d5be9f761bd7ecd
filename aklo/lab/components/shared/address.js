// The address of exactly what is seen, and the lab's own.

import { componentRoots } from "./roots.js";

// A component's view may be newer than the address bar, such as the step of a player that is playing.
export function currentAddress() {
  const address = new URL(window.location.href);
  for (const root of componentRoots()) {
    for (const [key, text] of Object.entries(root.akloView?.() ?? {})) address.searchParams.set(key, text);
  }
  return address;
}

// The lab's root, wherever it is served: Streamlit's own script lies two folders below it.
export const labRoot = () => new URL("../../", document.querySelector('script[type=module][src*="static/js/"]').src);
