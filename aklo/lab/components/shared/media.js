// What a visitor's device and preferences say; each can change while the page is open.

export const CALM = window.matchMedia("(prefers-reduced-motion: reduce)"); // nothing moves by itself
export const TOUCH = window.matchMedia("(pointer: coarse)");
