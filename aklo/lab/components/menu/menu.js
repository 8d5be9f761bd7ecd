// The menu: links to the lab's pages.

import { labRoot } from "../shared/address.js";
import { isConnected } from "../shared/connection.js";
import { h } from "../shared/dom.js";
import { mountOnce, readJson } from "../shared/lifecycle.js";
import { LEAVE } from "../shared/moves.js";

const PHONE = "(max-width: 767px)"; // where Streamlit lays the sidebar over the page

class Menu {
  constructor(place) {
    this.root = h("nav", { "data-aklo": "menu", "aria-label": "Pages" });
    place.append(this.root);
  }

  receive({ sections, current, stay }) {
    this.stay = stay;
    this.arrange(sections);
    const links = sections.flatMap((section) => section.links);
    for (const { path, query } of links) {
      const link = this.links.get(path);
      link.href = new URL(`${path}?${query}`, labRoot()).href;
      if (path === current) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
  }

  // Make the links, once: what has the focus stays.
  arrange(sections) {
    if (this.links) return;
    this.links = new Map();
    for (const { title, links } of sections) {
      this.root.append(h("h2", { text: title }));
      for (const { name, icon, path } of links) {
        const link = h("a", {}, h("span", { class: "icon", "aria-hidden": "true", translate: "no", text: icon }), name);
        link.addEventListener("click", (event) => follow(event, link, this.stay));
        this.links.set(path, link);
        this.root.append(link);
      }
    }
  }

  remove() {
    this.root.remove();
  }
}

// Go to a page without loading the lab anew: the address changes, and Streamlit follows it as after the browser's Back. While
// the server is away it could not, so that address and page would disagree.
// stay: what is added to the address so that the settings stay that are in force. What a visitor has just changed is sent
// before: Streamlit sends it in a timeout, so this waits for one, too. As with any link, the page's own address is no new
// entry of the browser's history.
function follow(event, { href }, stay) {
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return; // the browser's own: another tab
  event.preventDefault();
  if (!isConnected()) return;
  window.dispatchEvent(new Event(LEAVE));
  setTimeout(() => {
    window.history[href === window.location.href ? "replaceState" : "pushState"]({}, "", `${href}&${stay}`);
    window.dispatchEvent(new PopStateEvent("popstate", { state: {} }));
  });
  // On a phone the menu lies over the page that was chosen.
  if (window.matchMedia(PHONE).matches) document.querySelector('[data-testid="stSidebarCollapseButton"] button')?.click();
}

export default mountOnce(Menu, (menu, { data }) => menu.receive(readJson(data)));
