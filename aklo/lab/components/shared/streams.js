// The streams that Python has sent to this page, by their digests. A stream is large and seldom changes, so it travels in a
// component of its own (mix_data) and is handed over here to the pictures that mix it. It is gone when that component is.

const shared = (globalThis.akloStreams ??= { blocks: new Map(), waiting: new Set() });

export function deliverStream(digest, block) {
  shared.blocks.set(digest, block);
  for (const told of shared.waiting) told();
}

export function withdrawStream(digest) {
  shared.blocks.delete(digest);
}

export function findStream(digest) {
  return shared.blocks.get(digest);
}

// Call `told` whenever a stream has come; returns a function that ends this.
export function onStream(told) {
  shared.waiting.add(told);
  return () => shared.waiting.delete(told);
}
