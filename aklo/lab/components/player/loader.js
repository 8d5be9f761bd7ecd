// Streamlit sends a component's script along with every message; so the player travels compressed (gzip, base64) in
// place of PLAYER, and is unpacked once. Without that it would be twice the bytes of the task that it shows.
const player = (async () => {
  const bytes = Uint8Array.from(atob("PLAYER"), (c) => c.charCodeAt(0));
  const text = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const code = await new Response(text).text();
  return import(URL.createObjectURL(new Blob([code], { type: "text/javascript" })));
})();

export default async function (component) {
  return (await player).default(component);
}
