// The lab's own components on this page, which stand in shadow trees of their own.

export function componentRoots() {
  return [...document.querySelectorAll("*")].flatMap((e) => (e.shadowRoot ? [...e.shadowRoot.querySelectorAll("[data-aklo]")] : []));
}
