// Copies the address. Where the clipboard is closed to a page (plain http), a prompt shows the link to copy by hand.
let shown = "";

export default function ({ parentElement, setTriggerValue }) {
  const button = parentElement.querySelector("button");
  // The charts take their colours from Python, which does not hear of it when a visitor changes the theme.
  const ground = getComputedStyle(button).getPropertyValue("--st-background-color").trim();
  if (shown && shown !== ground) setTriggerValue("theme", ground);
  shown = ground;
  let timer = 0;
  button.onclick = async () => {
    const link = window.location.href;
    try {
      await navigator.clipboard.writeText(link);
      button.textContent = "Link copied";
    } catch {
      window.prompt("Copy this link:", link);
    }
    window.clearTimeout(timer);
    timer = window.setTimeout(() => (button.textContent = "Share"), 2000);
  };
  return () => window.clearTimeout(timer);
}
