// Copies the address. Where the clipboard is closed to a page (plain http), a prompt shows the link to copy by hand.
export default function ({ parentElement }) {
  const button = parentElement.querySelector("button");
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
