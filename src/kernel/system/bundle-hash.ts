import { createHash } from 'node:crypto'
import type { Bundle } from '../model/bundle.ts'
import { canonicalJson } from '../model/canonical-json.ts'

/** SHA-256 of the bundle as canonical JSON: the same statements have the same hash on every machine. */
export function bundleHashOf(bundle: Bundle): string {
  return createHash('sha256').update(canonicalJson(bundle)).digest('hex')
}
