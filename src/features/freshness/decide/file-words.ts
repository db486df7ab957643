/** The content of a project file: whole, or both ends if it is too long. */
export type FileSample =
  | { readonly kind: 'whole'; readonly bytes: Uint8Array }
  | { readonly kind: 'ends'; readonly head: Uint8Array; readonly tail: Uint8Array; readonly size: number }

/** Git detects binary files in the same way: a NUL among the first bytes. */
const BYTES_CHECKED_FOR_NUL = 8_000

export function isBinary(sample: FileSample): boolean {
  const bytes = sample.kind === 'whole' ? sample.bytes : sample.head
  return bytes.subarray(0, BYTES_CHECKED_FOR_NUL).includes(0)
}

/**
 * The hash of every word of a text, in order. A word is a run of letters, digits, `_` and `$`, whatever their case, or
 * of bytes beyond ASCII. Everything else (blanks, line ends, quotes, brackets, semicolons) is what formatters change,
 * so the same code in another style, or with other line ends, has the same words.
 */
export function wordHashes(bytes: Uint8Array): number[] {
  const hashes: number[] = []
  let hash = START
  let length = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = FOLDED[bytes[at] as number] as number
    if (byte !== 0) {
      hash = Math.imul(hash ^ byte, PRIME)
      length++
    } else if (length > 0) {
      hashes.push(scatter(hash))
      hash = START
      length = 0
    }
  }
  if (length > 0) hashes.push(scatter(hash))
  return hashes
}

/** FNV-1a. */
const START = 0x811c9dc5 | 0
const PRIME = 0x01000193

/** 0 for a byte that is not part of a word. */
const FOLDED: Uint8Array = Uint8Array.from({ length: 256 }, (_, byte) => {
  const isUpper = byte >= 0x41 && byte <= 0x5a
  const isLower = byte >= 0x61 && byte <= 0x7a
  const isDigit = byte >= 0x30 && byte <= 0x39
  if (isUpper) return byte + 0x20
  return isLower || isDigit || byte === 0x5f || byte === 0x24 || byte >= 0x80 ? byte : 0
})

/** Two in a row: the order of words counts a little, so that code rewritten with the same names is seen. */
export function pairHash(first: number, second: number): number {
  return scatter(Math.imul(first, 0x9e3779b1) ^ second)
}

/** 30 bits of a whole sequence. */
export function sequenceHash(hashes: readonly number[], seed = 0): number {
  let whole = START ^ seed
  for (const hash of hashes) whole = Math.imul(whole ^ hash, 0x5f356495) ^ (whole >>> 15)
  return scatter(whole) >>> 2
}

/** The last step of MurmurHash3: every bit of the result depends on every bit of the input. */
function scatter(value: number): number {
  let mixed = value ^ (value >>> 16)
  mixed = Math.imul(mixed, 0x85ebca6b)
  mixed ^= mixed >>> 13
  mixed = Math.imul(mixed, 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}
