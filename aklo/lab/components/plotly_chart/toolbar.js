// The buttons beside the legend. They are there from the start and only become visible, so nothing moves.

Object.assign(ICONS, {
  zoom: "M10 3a7 7 0 1 0 4.200 12.600l5.100 5.100 1.400-1.400-5.100-5.100A7 7 0 0 0 10 3zm0 2a5 5 0 1 1 0 10 5 5 0 0 1 0-10zM9 7h2v2h2v2h-2v2H9v-2H7V9h2z",
  pan: "M12 2l3.500 4H13v5h5V8.500l4 3.500-4 3.500V13h-5v5h2.500L12 22l-3.500-4H11v-5H6v2.500L2 12l4-3.500V11h5V6H8.500z",
  reset: "M12 3 2.500 11.500H5.500V20H10V14.500H14V20H18.500V11.500H21.500z",
});
const TOOLS = [
  ["zoom", "Zoom", "Drag over the chart to zoom; double-click to go back"],
  ["pan", "Pan", "Drag to move the chart"],
  ["reset", "Reset axes", "Show everything again: axes and hidden entries"],
  ["camera", "Save picture", "Save this chart as an SVG picture"],
  ["full", "Full screen", "Full screen, and back (Esc)"],
];

// Name of a tool -> its button; press(name) is called when it is used.
function toolbar(press) {
  return Object.fromEntries(TOOLS.map(([name, label, help]) => {
    const tool = button(label, name, help);
    tool.addEventListener("click", () => press(name));
    return [name, tool];
  }));
}
