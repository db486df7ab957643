import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Bundle } from '../model/bundle.ts'
import { canonicalJson } from '../model/json-value.ts'

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

/**
 * 128 bits of SHA-256: a client of a hub cannot present another version as one that was agreed on. All clients must use the same hash.
 */
export function versionHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}

/** SHA-256 of the bundle as canonical JSON: the same statements have the same hash on every machine. */
export function bundleHashOf(bundle: Bundle): string {
  return createHash('sha256').update(canonicalJson(bundle)).digest('hex')
}
