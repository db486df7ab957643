import { isMachineMade, isUnmistakable } from './literal-value.ts'
import type { RedactionType, Span } from './placeholder.ts'
import { looksRandom } from './randomness.ts'

/** A value between the separators of a sentence, an address or an assignment. */
const WORD = /[^\s"'`<>()[\]{},;:=|/\\&?.]{8,}/g

/** So distinctive that its other occurrences in the same text can only mean the secret. */
function isDistinctive(value: string): boolean {
  return isMachineMade(value) || isUnmistakable(value) || looksRandom(value)
}

/** The secrets of a text that may occur again where nothing identifies them. */
export function secretsToFollow(text: string, spans: readonly Span[]): Map<string, RedactionType> {
  const secrets = new Map<string, RedactionType>()
  for (const { type, start, end } of spans) {
    if (end - start > MAX_LENGTH) continue
    const value = text.slice(start, end)
    // The punctuation may belong to the sentence.
    for (const secret of [value, value.replace(/[!?]+$/, '')])
      if (isDistinctive(secret)) secrets.set(secret, type)
  }
  return secrets
}

const MAX_LENGTH = 512

/** `token = 'x'` identifies `x`; the same `x` in an address further down is the token too. */
export function findRepeats(text: string, secrets: ReadonlyMap<string, RedactionType>): Span[] {
  if (secrets.size === 0) return []
  return Array.from(text.matchAll(WORD)).flatMap(match => {
    const type = secrets.get(match[0])
    return type === undefined ? [] : [{ type, start: match.index, end: match.index + match[0].length }]
  })
}
