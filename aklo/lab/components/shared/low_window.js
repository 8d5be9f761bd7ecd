// Marks a component that fills a low window by the class "low": heads and lists then share rows. This is no media query,
// since on paper a component has to keep the layout that it was drawn for, and there the window's height is not known.

const LOW = 800; // pixels

export const markLowWindow = (root) => root.classList.toggle("low", window.innerHeight <= LOW);
