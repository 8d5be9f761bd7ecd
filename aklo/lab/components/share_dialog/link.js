// The links of the share dialog.

// Return the address with a choice of controls. bare: without menu and header, where no control is shown unless it is listed.
// chosen: names of settings, or null for no choice, which shows all controls, or none in a bare view.
export function linkTo(address, { bare, chosen }) {
  const link = new URL(address);
  for (const key of ["embed", "embed_options", "show"]) link.searchParams.delete(key);
  if (chosen) link.searchParams.set("show", chosen.join(",") || "none");
  if (bare) link.searchParams.set("embed", "true");
  return link.href;
}

const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");

// The HTML code that shows a link in a frame of another page.
export const frameCode = (link, title) =>
  `<iframe src="${escaped(link)}" title="${escaped(title)}" width="1100" height="620" style="border: 0; max-width: 100%" allow="fullscreen"></iframe>`;

// Whether other computers cannot open this address.
export const isLocal = (address) => /^(localhost|127\.[\d.]+|\[::1\])$/.test(address.hostname);
