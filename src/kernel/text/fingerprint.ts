const SEED_LOW = 0xdeadbeef
const SEED_HIGH = 0x41c6ce57
const FACTOR_LOW = 33
const FACTOR_HIGH = 0x01000193

/**
 * Texts that differ only in case and blanks have the same fingerprint: 64 bits as 16 hexadecimal digits (seed C, section 12).
 *
 * low  = 33        · low  + unit      from 0xdeadbeef    (djb2)
 * high = 16777619  · high ^ unit      from 0x41c6ce57    (the same step with the prime of FNV)
 *
 * Two djb2 halves that differ only in their seed collide together: `xa` and `y@` would be the same text anywhere, and a memory would be
 * merged into another. Hence the second factor.
 */
export function fingerprint(content: string): string {
  const text = content.toLowerCase().replace(/\s+/g, ' ').trim()
  let low = SEED_LOW | 0
  let high = SEED_HIGH | 0
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    low = (Math.imul(low, FACTOR_LOW) + unit) | 0
    high = Math.imul(high, FACTOR_HIGH) ^ unit
  }
  return hex(high) + hex(low)
}

function hex(word: number): string {
  return (word >>> 0).toString(16).padStart(8, '0')
}
