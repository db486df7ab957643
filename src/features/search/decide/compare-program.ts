/** As much of it as is used here: its types come with those of browsers, and this is no browser. */
declare const WebAssembly:
  | {
      readonly Module: new (bytes: Uint8Array) => object
      readonly Instance: new (module: object) => { readonly exports: unknown }
    }
  | undefined

/** What embedding-model/compare.ts compiles to; the test beside this file does so. */
export const COMPARE_PROGRAM =
  'AGFzbQEAAAABEAJgA39/fwF8YAV/f39/fwADAwIAAQUDAQABBxwDCWRpc3RhbmNlcwABA2RvdAAABm1lbW9yeQIACvQBAnkBBHwgACACaiECA0AgACACSQRAIAMgACwAALcgASoCALuioCEDIAQgACwAAbcgASoCBLuioCEEIAUgACwAArcgASoCCLuioCEFIAYgACwAA7cgASoCDLuioCEGIAFBEGohASAAQQRqIQAMAQsLIAMgBKAgBaAgBqALeAEFfyACIANBAnRqIQgDQCABIAdKBEBBACEFQQAhBiACIQMDQCADIAhJBEAgACgCACIJIAVyIQUgBiAJIAMoAgBzaWohBiAAQQRqIQAgA0EEaiEDDAELCyAEIAZB//8DIAUbOwEAIARBAmohBCAHQQFqIQcMAQsLCw=='

interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer }
  distances(block: number, slots: number, query: number, words: number, to: number): void
  dot(codes: number, query: number, dimensions: number): number
}

/** Its one page of memory: bits that are asked for, the distances, two questions, and what they are compared with. */
const ANSWER_AT = 4_096
const QUERIES_AT = [8_192, 16_384] as const
const MAX_QUERY_BYTES = 8_192
const CODES_AT = 24_576
const MAX_SLOTS = 2_048
const PAGE_BYTES = 65_536

export interface Comparer {
  /** undefined: too much at once. */
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
  const held: (Float32Array | undefined)[] = [undefined, undefined]
  let next = 0
  /** Two questions are asked of every vector in turn, so two stay where they are. */
  const placeOf = (query: Float32Array): number => {
    let place = held.indexOf(query)
    if (place === -1) {
      place = next
      next = 1 - next
      held[place] = query
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
