// plotly.js, loaded once for all charts of the tab: the promise is shared through one global name.

import { labRoot } from "../shared/address.js";

// The text of plotly.js.
export async function fetchPlotly(address) {
  // Streamlit gives the file neither an age nor a tag, so a browser would ask for it on every visit.
  const answer = await fetch(new URL(address, labRoot()), { cache: "force-cache" });
  if (!answer.ok) throw new Error(`plotly.js: ${answer.status}`);
  return answer.text();
}

async function loadPlotly(address) {
  const source = URL.createObjectURL(new Blob([await fetchPlotly(address)], { type: "text/javascript" }));
  await new Promise((resolve, reject) => {
    const script = document.createElement("script");
    Object.assign(script, { src: source, onload: resolve, onerror: reject });
    document.head.append(script);
  });
  URL.revokeObjectURL(source);
  return window.Plotly;
}

export function plotlyLibrary(address) {
  window.akloPlotlyLibrary ??= loadPlotly(address).catch((error) => {
    window.akloPlotlyLibrary = undefined; // the next chart tries again
    throw error;
  });
  return window.akloPlotlyLibrary;
}
