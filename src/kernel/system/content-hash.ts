const SEED_A = 0xdeadbeef
const SEED_B = 0x41c6ce57
const FACTOR_A = 0x9e3779b1
const FACTOR_B = 0x5f356495

/**
 * 64 bits over a file's bytes, to detect that it differs from the last version read. Not a cryptographic hash: loading one costs a cold
 * start more than reading the file.
 */
export function contentHash(bytes: Uint8Array): string {
  let a = SEED_A
  let b = SEED_B
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number
    a = Math.imul(a ^ byte, FACTOR_A)
    b = Math.imul(b ^ byte, FACTOR_B) + a
  }
  return finished(a, b)
}

/** Of its bytes in UTF-8. Most texts are ASCII, whose bytes are their characters, so none are allocated. */
export function textHash(text: string): string {
  let a = SEED_A
  let b = SEED_B
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit > 0x7f) return contentHash(new TextEncoder().encode(text))
    a = Math.imul(a ^ unit, FACTOR_A)
    b = Math.imul(b ^ unit, FACTOR_B) + a
  }
  return finished(a, b)
}

function finished(from: number, other: number): string {
  const a = Math.imul(from ^ (from >>> 16), 0x85ebca6b) ^ (other >>> 13)
  const b = Math.imul(other ^ (other >>> 16), 0xc2b2ae35) ^ (a >>> 13)
  return (a >>> 0).toString(16).padStart(8, '0') + (b >>> 0).toString(16).padStart(8, '0')
}
