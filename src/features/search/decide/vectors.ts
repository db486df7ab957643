/**
 * How vectors are stored and compared.
 *
 *   packed   int8 of each number │ f32 scale       388 bytes for 384 dimensions: number ≈ scale × int8
 *   signs    a bit a number, 1 for a positive one   48 bytes: a first comparison with very many
 */

const SCALE_BYTES = 4

/** Each number is off by half a scale at most, the scale being the largest number ÷ 127. */
export function packVector(vector: Float32Array): Uint8Array<ArrayBuffer> {
  const packed = new Uint8Array(vector.length + SCALE_BYTES)
  let most = 0
  for (const value of vector) most = Math.max(most, Math.abs(value))
  const factor = most === 0 ? 0 : 127 / most
  const numbers = new Int8Array(packed.buffer, 0, vector.length)
  for (let i = 0; i < vector.length; i++) numbers[i] = Math.round((vector[i] ?? 0) * factor)
  new DataView(packed.buffer).setFloat32(vector.length, most / 127, true)
  return packed
}

export function unpackVector(packed: Uint8Array): Float32Array {
  const scale = scaleOf(packed)
  const numbers = new Int8Array(packed.buffer, packed.byteOffset, packed.length - SCALE_BYTES)
  return Float32Array.from(numbers, number => number * scale)
}

let started: Comparer | 'none' | undefined

/** Started by the first comparison: most processes compare nothing. */
function comparer(): Comparer | undefined {
  started ??= startComparer() ?? 'none'
  return started === 'none' ? undefined : started
}

/** The dot product of a packed vector with another one, packed or not: for unit vectors the cosine. */
export function unpackDot(packed: Uint8Array, query: Float32Array | Uint8Array): number {
  const dimensions = packed.length - SCALE_BYTES
  const numbers = new Int8Array(packed.buffer, packed.byteOffset, dimensions)
  if (query instanceof Float32Array)
    return scaleOf(packed) * (comparer()?.dot(packed, dimensions, query) ?? dot(numbers, query))
  const others = new Int8Array(query.buffer, query.byteOffset, dimensions)
  return scaleOf(packed) * scaleOf(query) * dot(numbers, others)
}

/** In four sums, which a processor can work on side by side. */
function dot(a: Int8Array, b: Int8Array | Float32Array): number {
  let s0 = 0
  let s1 = 0
  let s2 = 0
  let s3 = 0
  let i = 0
  for (; i + 3 < a.length; i += 4) {
    s0 += (a[i] as number) * (b[i] as number)
    s1 += (a[i + 1] as number) * (b[i + 1] as number)
    s2 += (a[i + 2] as number) * (b[i + 2] as number)
    s3 += (a[i + 3] as number) * (b[i + 3] as number)
  }
  for (; i < a.length; i++) s0 += (a[i] as number) * (b[i] as number)
  return s0 + s1 + s2 + s3
}

function scaleOf(packed: Uint8Array): number {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.length)
  return view.getFloat32(packed.length - SCALE_BYTES, true)
}

/** Whole words of 32 bits; those beyond the last number are 0. */
export function signBits(vector: Float32Array): Uint8Array<ArrayBuffer> {
  const bits = new Uint8Array(Math.ceil(vector.length / 32) * 4)
  for (let i = 0; i < vector.length; i++) {
    if ((vector[i] ?? 0) > 0) bits[i >> 3] = (bits[i >> 3] ?? 0) | (1 << (i & 7))
  }
  return bits
}

/** The distance of an empty slot: no vector has only negative numbers. */
export const EMPTY_SLOT = 0xffff

/** In how many signs each slot of a block differs from `query`. */
export function signDistances(block: Uint8Array, query: Uint8Array): Uint16Array {
  return comparer()?.distances(block, query) ?? countedDistances(block, query)
}

/** The smallest distance that includes at least `count` slots. */
export function farthestOf(frequencies: Uint32Array, count: number): number {
  let within = 0
  for (let distance = 0; distance < frequencies.length; distance += 1) {
    within += frequencies[distance] ?? 0
    if (within >= count) return distance
  }
  return frequencies.length
}

function countedDistances(block: Uint8Array, query: Uint8Array): Uint16Array {
  const words = wordsOf(block)
  const wanted = wordsOf(query)
  const distances = new Uint16Array(Math.floor(words.length / wanted.length))
  for (let slot = 0, at = 0; slot < distances.length; slot++, at += wanted.length) {
    distances[slot] = isEmpty(words, at, wanted.length) ? EMPTY_SLOT : differingBits(words, at, wanted)
  }
  return distances
}

function isEmpty(words: Uint32Array, at: number, length: number): boolean {
  for (let i = at; i < at + length; i++) if (words[i] !== 0) return false
  return true
}

/**
 * Bits counted side by side, in fields of 2, then of 4 bits. Three words give at most 12 in a field of 4, so three are added
 * before the fields are widened.
 */
function differingBits(words: Uint32Array, at: number, wanted: Uint32Array): number {
  let total = 0
  let i = 0
  for (; i + 2 < wanted.length; i += 3) {
    total += sumOfFours(
      bitsByFour((words[at + i] as number) ^ (wanted[i] as number)) +
        bitsByFour((words[at + i + 1] as number) ^ (wanted[i + 1] as number)) +
        bitsByFour((words[at + i + 2] as number) ^ (wanted[i + 2] as number)),
    )
  }
  for (; i < wanted.length; i++) total += sumOfFours(bitsByFour((words[at + i] ?? 0) ^ (wanted[i] ?? 0)))
  return total
}

function sumOfFours(fours: number): number {
  const bytes = (fours & 0x0f0f0f0f) + ((fours >>> 4) & 0x0f0f0f0f)
  return Math.imul(bytes, 0x01010101) >>> 24
}

function bitsByFour(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555)
  return (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
}

/** A view if the bytes are aligned, otherwise a copy. */
function wordsOf(bytes: Uint8Array): Uint32Array {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice()
  return new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.length >> 2)
}

/** The part that is used here: the full types come only with those of browsers. */
declare const WebAssembly:
  | {
      readonly Module: new (bytes: Uint8Array) => object
      readonly Instance: new (module: object) => { readonly exports: unknown }
    }
  | undefined

/** The output of embedding-model/compare.ts; vectors.test.ts checks it. */
export const COMPARE_PROGRAM =
  'AGFzbQEAAAABEAJgA39/fwF8YAV/f39/fwADAwIAAQUDAQABBxwDCWRpc3RhbmNlcwABA2RvdAAABm1lbW9yeQIACvQBAnkBBHwgACACaiECA0AgACACSQRAIAMgACwAALcgASoCALuioCEDIAQgACwAAbcgASoCBLuioCEEIAUgACwAArcgASoCCLuioCEFIAYgACwAA7cgASoCDLuioCEGIAFBEGohASAAQQRqIQAMAQsLIAMgBKAgBaAgBqALeAEFfyACIANBAnRqIQgDQCABIAdKBEBBACEFQQAhBiACIQMDQCADIAhJBEAgACgCACIJIAVyIQUgBiAJIAMoAgBzaWohBiAAQQRqIQAgA0EEaiEDDAELCyAEIAZB//8DIAUbOwEAIARBAmohBCAHQQFqIQcMAQsLCw=='

interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer }
  distances(block: number, slots: number, query: number, words: number, to: number): void
  dot(codes: number, query: number, dimensions: number): number
}

/** Its one page of memory: the bits of the query, the distances, two queries, and the data to compare. */
const ANSWER_AT = 4_096
const QUERIES_AT = [8_192, 16_384] as const
const MAX_QUERY_BYTES = 8_192
const CODES_AT = 24_576
const MAX_SLOTS = 2_048
const PAGE_BYTES = 65_536

interface Comparer {
  /** undefined: too much data for one call. */
  distances(block: Uint8Array, query: Uint8Array): Uint16Array | undefined
  /** The question must not change while it is asked: it is not copied twice. undefined: numbers it does not take. */
  dot(codes: Uint8Array, dimensions: number, query: Float32Array): number | undefined
}

/** undefined where nothing may be compiled at run time (`node --jitless`). */
export function startComparer(): Comparer | undefined {
  if (typeof WebAssembly === 'undefined') return undefined
  const program = new WebAssembly.Module(Buffer.from(COMPARE_PROGRAM, 'base64'))
  const { memory, distances, dot } = new WebAssembly.Instance(program).exports as Exports
  const bytes = new Uint8Array(memory.buffer)
  const loaded: (Float32Array | undefined)[] = [undefined, undefined]
  let next = 0
  /** Two questions are asked of every vector in turn, so two stay where they are. */
  const placeOf = (query: Float32Array): number => {
    let place = loaded.indexOf(query)
    if (place === -1) {
      place = next
      next = 1 - next
      loaded[place] = query
      bytes.set(new Uint8Array(query.buffer, query.byteOffset, query.byteLength), QUERIES_AT[place])
    }
    return QUERIES_AT[place] as number
  }
  return {
    distances(block, query) {
      const slots = Math.floor(block.length / query.length)
      if (slots > MAX_SLOTS || block.length > PAGE_BYTES - CODES_AT || query.length > ANSWER_AT)
        return undefined
      bytes.set(query, 0)
      bytes.set(block, CODES_AT)
      distances(CODES_AT, slots, 0, query.length / 4, ANSWER_AT)
      return new Uint16Array(memory.buffer, ANSWER_AT, slots).slice()
    },
    dot(codes, dimensions, query) {
      if (dimensions % 4 !== 0 || dimensions > query.length || query.byteLength > MAX_QUERY_BYTES)
        return undefined
      bytes.set(codes, CODES_AT)
      return dot(CODES_AT, placeOf(query), dimensions)
    },
  }
}
