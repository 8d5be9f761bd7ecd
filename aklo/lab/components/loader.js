// A component's script is one text: a browser loads it with one request, and an exported page holds it. Its modules travel
// compressed in place of MODULES (gzip, base64): a JSON list of [path, imports, code] in the order in which they depend on
// one another, the entry last. Each becomes a module of its own with a blob: address. imports: [specifier, path].
const entry = (async () => {
  const bytes = Uint8Array.from(atob("MODULES"), (c) => c.charCodeAt(0));
  const text = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const addresses = {};
  let address;
  for (const [path, imports, code] of await new Response(text).json()) {
    const linked = imports.reduce((whole, [name, from]) => whole.replaceAll(`from "${name}";`, `from "${addresses[from]}";`), code);
    const source = `${linked}\n//# sourceURL=aklo/${path}\n`;
    address = addresses[path] = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  }
  return import(address);
})();

export default async function (component) {
  return (await entry).default(component);
}
