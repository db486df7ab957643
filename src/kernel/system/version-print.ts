import { createHash } from 'node:crypto'

/**
 * 128 bits of SHA-256: a client of a hub cannot present another version as one that was agreed on. All clients must use the same hash.
 */
export function versionPrint(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}
