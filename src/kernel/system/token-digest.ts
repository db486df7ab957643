import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

export function randomHex(bytes: number): string {
  return randomBytes(bytes).toString('hex')
}

/** Base 16. For a secret of 256 bits of chance: whoever has the digest cannot come to it by trying. */
export function digestOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

/** In a time that tells nothing. Without a digest to hold it against, the same is done for nothing. */
export function isDigestOf(secret: string, digest: string | undefined): boolean {
  const given = createHash('sha256').update(secret).digest()
  const kept = Buffer.from(digest ?? '', 'hex')
  const isThere = kept.length === given.length
  return timingSafeEqual(given, isThere ? kept : Buffer.alloc(given.length)) && isThere
}
