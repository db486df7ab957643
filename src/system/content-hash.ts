/**
 * 64 bits over a file's bytes, to see that it is not what was read last time. Not a cryptographic hash: loading one
 * costs a cold start more than reading the file.
 */
export function contentHash(bytes: Uint8Array): string {
  let a = 0xdeadbeef
  let b = 0x41c6ce57
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number
    a = Math.imul(a ^ byte, 0x9e3779b1)
    b = Math.imul(b ^ byte, 0x5f356495) + a
  }
  a = Math.imul(a ^ (a >>> 16), 0x85ebca6b) ^ (b >>> 13)
  b = Math.imul(b ^ (b >>> 16), 0xc2b2ae35) ^ (a >>> 13)
  return (a >>> 0).toString(16).padStart(8, '0') + (b >>> 0).toString(16).padStart(8, '0')
}

export function textHash(text: string): string {
  return contentHash(new TextEncoder().encode(text))
}
