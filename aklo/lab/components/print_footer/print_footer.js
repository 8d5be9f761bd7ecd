// The footer of a printed page. A browser lays the page out for the paper without giving scripts a chance to draw, so the
// pictures are drawn for the paper's width before: while the root element has the class aklo-printing, assets/print.css lays
// the page out on the screen as it will be on paper.

import { h } from "../shared/dom.js";
import { currentAddress } from "../shared/address.js";
import { mountOnce, readJson } from "../shared/lifecycle.js";
import { componentRoots } from "../shared/roots.js";

function layOut(forPaper) {
  document.documentElement.classList.toggle("aklo-printing", forPaper);
  for (const root of [...componentRoots(), ...document.querySelectorAll("[data-aklo=chart]")]) root.akloRedraw?.();
}

class PrintFooter {
  constructor(place) {
    this.settings = h("p");
    this.link = h("p");
    this.root = h("footer", {}, this.settings, this.link);
    place.append(this.root);
    this.gone = new AbortController();
    const { signal } = this.gone;
    window.addEventListener("beforeprint", () => {
      this.link.textContent = currentAddress().href;
      layOut(true);
    }, { signal });
    window.addEventListener("afterprint", () => layOut(false), { signal });
  }

  remove() {
    this.gone.abort();
    this.root.remove();
  }
}

export default mountOnce(PrintFooter, (footer, { data }) => {
  footer.settings.textContent = readJson(data).settings;
});
