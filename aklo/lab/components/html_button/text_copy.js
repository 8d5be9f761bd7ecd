// Copies a text of the page as plain HTML: its words, and which of them are headings, lists, tables or formulas. Nothing
// else of the page is taken over, neither attributes nor scripts.

const KEPT = new Set("P H1 H2 H3 H4 H5 H6 STRONG EM CODE PRE UL OL LI TABLE THEAD TBODY TR TH TD BR HR BLOCKQUOTE SUB SUP".split(" "));
const LEFT_OUT = "[data-testid=stIconMaterial], svg, button, style, [data-testid=stHeaderActionElements]";

export async function copyOf(element) {
  const kind = element.matches(".stAlert") ? "note" : element.querySelector("[data-testid=stCaptionContainer]") ? "caption" : "text";
  const block = document.createElement("div");
  block.className = kind;
  await copyInto(block, element);
  return block.textContent.trim() || block.querySelector("img") ? block.outerHTML : "";
}

async function copyInto(target, source) {
  for (const node of source.childNodes) {
    if (node.nodeType === Node.TEXT_NODE) target.append(node.data);
    else if (node.nodeType === Node.ELEMENT_NODE && !node.matches(LEFT_OUT)) await copyElement(target, node);
  }
}

async function copyElement(target, element) {
  if (element.matches(".katex")) {
    const formula = element.querySelector("math").cloneNode(true);
    formula.querySelector("annotation")?.remove(); // its LaTeX
    target.append(formula);
  } else if (element.tagName === "IMG") target.append(await imageCopy(element));
  else if (KEPT.has(element.tagName)) {
    const copy = document.createElement(element.tagName);
    target.append(copy);
    await copyInto(copy, element);
  } else await copyInto(target, element);
}

// An image with its data in it.
async function imageCopy({ src, alt, width, height }) {
  const blob = await (await fetch(src)).blob();
  const data = await new Promise((done) => {
    const reader = new FileReader();
    reader.onload = () => done(reader.result);
    reader.readAsDataURL(blob);
  });
  return Object.assign(document.createElement("img"), { src: data, alt, width, height });
}
