// Light and dark: the palettes that Python owns, and which of them Streamlit shows now.

import { PALETTES } from "./constants.js";

export function rgb(hex) {
  return [1, 3, 5].map((k) => parseInt(hex.slice(k, k + 2), 16));
}

export function blendColours(a, b, f) {
  const [x, y] = [rgb(a), rgb(b)];
  return `rgb(${x.map((c, k) => Math.round(c + f * (y[k] - c))).join(",")})`;
}

export function groupColour(colours, group) {
  return colours.groups[(group ?? 0) % colours.groups.length];
}

// The luminance of a CSS colour: 0 for black, 1 for white.
function luminance(colour) {
  const hex = colour.match(/^#([0-9a-f]{3,8})$/i)?.[1];
  const parts = hex
    ? (hex.length < 6 ? [...hex].map((c) => c + c) : hex.match(/../g)).slice(0, 3).map((c) => parseInt(c, 16))
    : (colour.match(/[\d.]+/g) ?? [255, 255, 255]).slice(0, 3).map(Number);
  return (0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]) / 255;
}

// Give a component the palette of the theme that Streamlit shows now: as owner.theme and owner.colours, and on owner.root
// as data-theme and custom properties, so that canvas and elements share one palette. True where the theme has changed.
export function applyTheme(owner) {
  const ground = getComputedStyle(owner.root).getPropertyValue("--st-background-color").trim();
  const theme = luminance(ground) < 0.4 ? "dark" : "light";
  if (theme === owner.theme) return false;
  owner.theme = theme;
  owner.colours = PALETTES[theme];
  owner.root.dataset.theme = theme;
  for (const [name, value] of Object.entries(owner.colours)) {
    if (typeof value === "string") owner.root.style.setProperty(`--${name}`, value);
  }
  return true;
}
