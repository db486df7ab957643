import { isMachineMade, isUnmistakable } from './literal-value.ts'
import type { RedactionType, Span } from './placeholder.ts'
import { looksRandom } from './randomness.ts'

/** What a value in a text can stand between: the parts of a sentence, an address or an assignment. */
const WORD = /[^\s"'`<>()[\]{},;:=|/\\&?.]{8,}/g

/** Removed once, such a value gives itself away: no word and no name of the same text could be meant by it. */
function isDistinctive(value: string): boolean {
  return isMachineMade(value) || isUnmistakable(value) || looksRandom(value)
}

/** The secrets of a text that may stand in it a second time, where nothing tells what they are. */
export function secretsToFollow(text: string, spans: readonly Span[]): Map<string, RedactionType> {
  const secrets = new Map<string, RedactionType>()
  for (const { type, start, end } of spans) {
    if (end - start > MAX_LENGTH) continue
    const value = text.slice(start, end)
    // The mark may be that of the sentence.
    for (const secret of [value, value.replace(/[!?]+$/, '')])
      if (isDistinctive(secret)) secrets.set(secret, type)
  }
  return secrets
}

const MAX_LENGTH = 512

/** `token = 'x'` gives `x` away; the same `x` in an address further down is the token, too. */
export function findRepeats(text: string, secrets: ReadonlyMap<string, RedactionType>): Span[] {
  if (secrets.size === 0) return []
  return Array.from(text.matchAll(WORD)).flatMap(match => {
    const type = secrets.get(match[0])
    return type === undefined ? [] : [{ type, start: match.index, end: match.index + match[0].length }]
  })
}
