// Streamlit goes to the word of a link such as glossary#alpha once; what is drawn later, above all the formulas' type,
// then moves it away. So look after it until the page stands still, or the visitor takes over.
const PATIENCE = 5000;
const EVERY = 150;
const TAKING_OVER = ["wheel", "touchstart", "pointerdown", "keydown"];
let done = "";

export default function () {
  const id = decodeURIComponent(window.location.hash.slice(1));
  if (!id || done === id) return;
  done = id;
  const until = performance.now() + PATIENCE;
  const timer = window.setInterval(() => {
    const word = document.getElementById(id);
    const top = word?.getBoundingClientRect().top;
    if (word && (top < 0 || top > window.innerHeight / 3)) word.scrollIntoView();
    if (performance.now() > until) stop();
  }, EVERY);
  const stop = () => {
    window.clearInterval(timer);
    for (const name of TAKING_OVER) window.removeEventListener(name, stop, true);
  };
  for (const name of TAKING_OVER) window.addEventListener(name, stop, true);
}
