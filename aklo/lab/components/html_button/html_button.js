// Saves the page as one HTML file. Python has sent the file with the pictures, each behind a mark; here they are put into the
// order of the page, with the page's headings and texts between them.

import { h } from "../shared/dom.js";
import { mountOnce, readJson } from "../shared/lifecycle.js";
import { fetchPlotly } from "../plotly_chart/library.js";
import { copyOf } from "./text_copy.js";
import { saveFile } from "../shared/save_file.js";
import { picturedParts, pictureOf } from "../shared/snapshot.js";

const ABOUT = "The texts and pictures of this page in one file that needs neither the lab nor the network: what moves here plays there, and charts can be pointed at";
const MARK = /<!--aklo:([\w-]*)-->/; // before each picture, with its name, and before the foot, without one
const PLOTLY = "<!--plotly-->"; // where plotly.js belongs
const TEXTS = ".stHeading, .stMarkdown, .stAlert, .stTable, .stImage";

const inKeys = (name) => name.replace(/[^\w-]/g, "-"); // as Streamlit writes a key into a class

function nameOf(element) {
  return [...element.classList].find((word) => word.startsWith("st-key-"))?.slice("st-key-".length);
}

// A component that cannot play without the server, as a still picture.
async function still(root) {
  const ground = getComputedStyle(root).getPropertyValue("--st-background-color").trim();
  const image = document.createElement("img");
  image.src = (await pictureOf(picturedParts(root), ground)).toDataURL("image/png");
  image.alt = root.getAttribute("aria-label") ?? root.dataset.aklo;
  return `<figure>${image.outerHTML}</figure>`;
}

async function contents(pictures) {
  const blocks = [];
  for (const element of document.querySelectorAll(".stMainBlockContainer .stElementContainer")) {
    if (!element.checkVisibility()) continue;
    const name = nameOf(element);
    const root = element.querySelector("[data-testid=stBidiComponentIsolated], [data-testid=stBidiComponentRegular]")?.shadowRoot?.querySelector("[data-aklo]");
    if (pictures.has(name)) {
      blocks.push(pictures.get(name));
      pictures.delete(name);
    } else if (root && root.querySelector("canvas")) blocks.push(await still(root));
    else if (element.querySelector(TEXTS) && !element.querySelector("h1")) blocks.push(await copyOf(element.querySelector(TEXTS)));
  }
  return [...blocks, ...pictures.values()].join("\n");
}

async function pageFile({ file, library }) {
  const [head, ...rest] = file.split(MARK);
  const pictures = new Map();
  for (let k = 0; k < rest.length; k += 2) pictures.set(inKeys(rest[k]), rest[k + 1]);
  const foot = pictures.get("");
  pictures.delete("");
  const [start, end] = head.split(PLOTLY);
  const plotly = end === undefined ? [] : ["<script>", await fetchPlotly(library), "</script>", end];
  return [start, ...plotly, await contents(pictures), foot];
}

class HtmlButton {
  constructor(place) {
    this.root = h("button", { type: "button", text: "Page (HTML)", title: ABOUT });
    place.append(this.root);
    this.root.addEventListener("click", () => this.save());
  }

  async save() {
    saveFile(new Blob(await pageFile(this.data), { type: "text/html" }), this.data.name);
  }

  remove() {
    this.root.remove();
  }
}

export default mountOnce(HtmlButton, (button, { data }) => (button.data = readJson(data)));
