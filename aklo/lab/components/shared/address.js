// The address of exactly what is seen.

import { componentRoots } from "./roots.js";

// A component's view may be newer than the address bar, such as the step of a player that is playing.
export function currentAddress() {
  const address = new URL(window.location.href);
  for (const root of componentRoots()) {
    for (const [key, text] of Object.entries(root.akloView?.() ?? {})) address.searchParams.set(key, text);
  }
  return address;
}
