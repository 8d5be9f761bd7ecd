// Finds the lab's components on this page. Each stands in a shadow tree of its own.

export function componentRoots() {
  return [...document.querySelectorAll("*")].flatMap((e) => (e.shadowRoot ? [...e.shadowRoot.querySelectorAll("[data-aklo]")] : []));
}

// Those with a picture: they have a method redraw() (lifecycle.js).
export const pictureRoots = () => componentRoots().filter((root) => root.akloRedraw);
