// A PNG of what an element shows: its boxes, canvases, SVG drawings and texts are painted onto one canvas, at the places
// where the browser has laid them out. It needs no server, so that it works in an exported file, too.

import { saveFile } from "./save_file.js";

export const FINE = 2; // pixels of the PNG for each pixel of the screen
const AIR = 16;
const UNPAINTED = ".controls, .tools, .ask, .help, .chip, .spoken, input";
const INHERITED = ["fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-linejoin", "opacity", "font-size", "font-family", "font-weight", "text-anchor"];

// The parts of a component that a picture of it shows.
export function picturedParts(root) {
  return [...(root.querySelector(".frame")?.children ?? [root])]
    .filter((part) => !part.matches(UNPAINTED) && part.getBoundingClientRect().height > 0);
}

// Return one canvas with all the elements, one below the other. ground: the background colour.
export async function pictureOf(elements, ground) {
  const drawings = new Map();
  for (const element of elements) {
    for (const drawing of element.querySelectorAll("svg")) drawings.set(drawing, await imageOf(drawing));
  }
  const boxes = elements.map((element) => element.getBoundingClientRect());
  const canvas = document.createElement("canvas");
  canvas.width = FINE * (Math.max(...boxes.map((box) => box.width)) + 2 * AIR);
  canvas.height = FINE * (boxes.reduce((sum, box) => sum + box.height + AIR, AIR));
  const g = canvas.getContext("2d");
  g.fillStyle = ground;
  g.fillRect(0, 0, canvas.width, canvas.height);
  let top = AIR;
  elements.forEach((element, k) => {
    g.setTransform(FINE, 0, 0, FINE, FINE * (AIR - boxes[k].left), FINE * (top - boxes[k].top));
    paint(g, element, drawings);
    top += boxes[k].height + AIR;
  });
  return canvas;
}

// Return an SVG drawing as an image. Its computed style is written into it, since an image does not see the style sheets.
async function imageOf(drawing) {
  const box = drawing.getBoundingClientRect();
  if (!box.width || !box.height) return null;
  const copy = drawing.cloneNode(true);
  const [from, to] = [drawing, copy].map((root) => [root, ...root.querySelectorAll("*")]);
  from.forEach((element, k) => {
    const style = getComputedStyle(element);
    for (const name of INHERITED) to[k].style.setProperty(name, style.getPropertyValue(name));
  });
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", box.width);
  copy.setAttribute("height", box.height);
  const image = new Image(FINE * box.width, FINE * box.height);
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`;
  await image.decode();
  return image;
}

function paint(g, element, drawings) {
  const style = getComputedStyle(element);
  const box = element.getBoundingClientRect();
  if (style.display === "none" || style.visibility === "hidden" || element.matches(UNPAINTED)) return;
  g.save();
  g.globalAlpha *= Number(style.opacity);
  paintBox(g, box, style);
  if (element.tagName === "CANVAS") g.drawImage(element, box.left, box.top, box.width, box.height);
  else if (drawings.get(element)) g.drawImage(drawings.get(element), box.left, box.top, box.width, box.height);
  else if (element.tagName === "SELECT") paintText(g, element.selectedOptions[0]?.text ?? "", box.left + parseFloat(style.paddingLeft), box, style);
  else if (element.tagName !== "svg") {
    if (style.overflow !== "visible") {
      outline(g, box, style);
      g.clip();
    }
    paintBefore(g, element, box);
    for (const child of element.childNodes) {
      if (child.nodeType === Node.TEXT_NODE) paintWords(g, child, style);
      else if (child.nodeType === Node.ELEMENT_NODE) paint(g, child, drawings);
    }
  }
  g.restore();
}

function outline(g, box, style) {
  g.beginPath();
  g.roundRect(box.left, box.top, box.width, box.height, Math.min(parseFloat(style.borderTopLeftRadius) || 0, box.height / 2));
}

function paintBox(g, box, style) {
  const width = parseFloat(style.borderTopWidth);
  outline(g, box, style);
  g.fillStyle = style.backgroundColor;
  g.fill();
  if (!width || style.borderTopStyle === "none") return;
  g.strokeStyle = style.borderTopColor;
  g.lineWidth = width;
  g.setLineDash({ dashed: [5, 4], dotted: [2, 3] }[style.borderTopStyle] ?? []);
  if (!parseFloat(style.borderBottomWidth)) {
    g.beginPath();
    g.moveTo(box.left, box.top + width / 2);
    g.lineTo(box.right, box.top + width / 2);
  }
  g.stroke();
  g.setLineDash([]);
}

// Paint a text word by word, so that its lines break where the browser has broken them.
function paintWords(g, node, style) {
  const range = document.createRange();
  for (const word of node.data.matchAll(/\S+/g)) {
    range.setStart(node, word.index);
    range.setEnd(node, word.index + word[0].length);
    const box = range.getClientRects()[0];
    if (box) paintText(g, word[0], box.left, box, style);
  }
}

function paintBefore(g, element, box) {
  const style = getComputedStyle(element, "::before");
  const text = style.content.match(/^"([^"]+)"/)?.[1];
  if (text) paintText(g, text, box.left, box, style);
}

function paintText(g, text, left, box, style) {
  g.font = `${style.fontStyle} ${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  g.fillStyle = style.color;
  const { fontBoundingBoxAscent: above, fontBoundingBoxDescent: below } = g.measureText(text);
  g.fillText(text, left, (box.top + box.bottom + above - below) / 2);
}

export async function savePicture(canvas, name) {
  saveFile(await new Promise((done) => canvas.toBlob(done, "image/png")), name);
}
