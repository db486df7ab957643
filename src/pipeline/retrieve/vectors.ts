/** A vector as the index keeps it: a signed byte for each dimension, and a scale. */
export function packVector(vector: Float32Array): Uint8Array {
  const code = new Uint8Array(vector.length + 4)
  let largest = 0
  for (const value of vector) largest = Math.max(largest, Math.abs(value))
  const scale = largest / 127 || 1
  for (let i = 0; i < vector.length; i += 1) code[i] = Math.round((vector[i] ?? 0) / scale)
  new DataView(code.buffer).setFloat32(vector.length, scale, true)
  return code
}

export function unpackVector(code: Uint8Array): Float32Array {
  const scale = new DataView(code.buffer, code.byteOffset).getFloat32(code.length - 4, true)
  const signed = new Int8Array(code.buffer, code.byteOffset, code.length - 4)
  return Float32Array.from(signed, value => value * scale)
}

export function dotOf(code: Uint8Array, vector: Float32Array): number {
  const scale = new DataView(code.buffer, code.byteOffset).getFloat32(code.length - 4, true)
  const signed = new Int8Array(code.buffer, code.byteOffset, code.length - 4)
  let sum = 0
  for (let i = 0; i < signed.length; i += 1) sum += (signed[i] ?? 0) * (vector[i] ?? 0)
  return sum * scale
}

export function signBits(vector: Float32Array): Uint8Array {
  const bits = new Uint8Array(Math.ceil(vector.length / 32) * 4)
  for (let i = 0; i < vector.length; i += 1)
    if ((vector[i] ?? 0) > 0) bits[i >> 3] = (bits[i >> 3] ?? 0) | (1 << (i & 7))
  return bits
}

/** The distance of a place that holds nothing: no vector has all its signs alike. */
export const EMPTY_PLACE = 0xffff

/** In how many signs each vector of a block differs. */
export function hammingDistances(block: Uint8Array, bits: Uint8Array): Uint16Array {
  const words = new Uint32Array(block.slice().buffer)
  const query = new Uint32Array(bits.slice().buffer)
  const distances = new Uint16Array(words.length / query.length)
  for (let place = 0, at = 0; place < distances.length; place += 1) {
    let distance = 0
    let any = 0
    for (let i = 0; i < query.length; i += 1, at += 1) {
      const word = words[at] ?? 0
      any |= word
      let x = word ^ (query[i] ?? 0)
      x -= (x >>> 1) & 0x55555555
      x = (x & 0x33333333) + ((x >>> 2) & 0x33333333)
      distance += (((x + (x >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24
    }
    distances[place] = any === 0 ? EMPTY_PLACE : distance
  }
  return distances
}
