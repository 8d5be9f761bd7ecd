// Streamlit scrolls to the anchor of a link such as glossary#alpha once. Formulas that are drawn later move it away, so this
// scrolls again for a few seconds, or until the visitor scrolls, clicks or types.
const DURATION = 5000;
const INTERVAL = 150;
const VISITOR_EVENTS = ["wheel", "touchstart", "pointerdown", "keydown"];
let done = "";

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch { // a % that is no code, as in "#50%"
    return text;
  }
}

export default function () {
  const id = decoded(window.location.hash.slice(1));
  if (!id || done === id) return;
  done = id;
  const until = performance.now() + DURATION;
  const timer = window.setInterval(() => {
    const target = document.getElementById(id);
    const top = target?.getBoundingClientRect().top;
    if (target && (top < 0 || top > window.innerHeight / 3)) target.scrollIntoView();
    if (performance.now() > until) stop();
  }, INTERVAL);
  const stop = () => {
    window.clearInterval(timer);
    for (const name of VISITOR_EVENTS) window.removeEventListener(name, stop, true);
  };
  for (const name of VISITOR_EVENTS) window.addEventListener(name, stop, true);
}
