import type { Entry } from '../../model/entry.ts'
import { fingerprint } from '../../text/fingerprint.ts'

export type StatedText = Pick<Entry, 'content' | 'kind' | 'tags' | 'files' | 'date'>

export type Sameness = { readonly kind: 'same' } | { readonly kind: 'other' }

/** Two texts are the same where their normalised fingerprints are equal. Nothing else is merged. */
export function compareStatements(a: StatedText, b: StatedText): Sameness {
  return { kind: fingerprint(a.content) === fingerprint(b.content) ? 'same' : 'other' }
}

/** The key by which equal texts are looked up. */
export function conceptsOf(content: string): readonly string[] {
  return [fingerprint(content)]
}
