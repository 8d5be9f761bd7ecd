// What Streamlit sends along with every message of a component: where its script is. The browser loads it once, from
// ADDRESS below the lab's root (script_route.py); Streamlit's own script lies two folders below the root.
const root = new URL("../../", document.querySelector('script[type=module][src*="static/js/"]').src);
const script = import(new URL("ADDRESS", root));

export default async function (component) {
  return (await script).default(component);
}
