import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

export function randomHex(bytes: number): string {
  return randomBytes(bytes).toString('hex')
}

/** Base 16. For a secret of 256 random bits, which cannot be found by trying. */
export function digestOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

/** In constant time. Without a stored digest, the same comparison is done with a dummy. */
export function isDigestOf(secret: string, digest: string | undefined): boolean {
  const given = createHash('sha256').update(secret).digest()
  const kept = Buffer.from(digest ?? '', 'hex')
  const isThere = kept.length === given.length
  return timingSafeEqual(given, isThere ? kept : Buffer.alloc(given.length)) && isThere
}
