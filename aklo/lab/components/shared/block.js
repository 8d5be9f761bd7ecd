// Reads a block of bytes that compute/block.py has written: a header and arrays.

const ARRAYS = {
  float64: Float64Array, float32: Float32Array, uint16: Uint16Array, uint8: Uint8Array, int8: Int8Array, int32: Int32Array,
};

function headerSize(block) {
  return new DataView(block.buffer, block.byteOffset).getUint32(0, true);
}

export function readHeader(block) {
  return JSON.parse(new TextDecoder().decode(block.subarray(4, 4 + headerSize(block))));
}

// Return the header's fields and the arrays as one object.
export function readBlock(block) {
  const result = readHeader(block);
  const body = block.slice(4 + headerSize(block)).buffer;
  for (const [name, [kind, at, count]] of Object.entries(result.arrays)) {
    result[name] = new ARRAYS[kind](body, at, count);
  }
  return result;
}

// Return what follows a block without arrays: another block, or nothing.
export function afterHeader(block) {
  return block.subarray(4 + headerSize(block));
}
