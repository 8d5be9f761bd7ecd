// Copies a link to exactly what is seen: the address, with the current view of every component that has one. Where a page
// has no access to the clipboard (plain http), a prompt shows the link to copy by hand.

import { componentRoots } from "../shared/roots.js";

let shown = "";

// Return the link. A component's view may be newer than the address, such as the step of a player that is playing.
function currentLink() {
  const parameters = componentRoots().flatMap((root) => Object.entries(root.akloView?.() ?? {}));
  if (!parameters.length) return window.location.href;
  const link = new URL(window.location.href);
  for (const [key, text] of parameters) link.searchParams.set(key, text);
  return link.href;
}

export default function ({ parentElement, setTriggerValue }) {
  const button = parentElement.querySelector("button");
  // Python chooses the charts' colours, and Streamlit does not tell it when a visitor changes the theme.
  const ground = getComputedStyle(button).getPropertyValue("--st-background-color").trim();
  if (shown && shown !== ground) setTriggerValue("theme", ground);
  shown = ground;
  let timer = 0;
  button.onclick = async () => {
    const link = currentLink();
    try {
      await navigator.clipboard.writeText(link);
      button.textContent = "Link copied";
    } catch {
      window.prompt("Copy this link:", link);
    }
    window.clearTimeout(timer);
    timer = window.setTimeout(() => (button.textContent = "Share"), 2000);
  };
  return () => window.clearTimeout(timer);
}
