import type { Entry } from '../../model/entry.ts'
import { saysChange } from '../../text/change-cue.ts'
import { fingerprint } from '../../text/fingerprint.ts'
import { foldText } from '../../text/fold.ts'
import type { Language } from '../../text/language.ts'
import { ENDING_CUE } from './conflict-words.ts'
import { findConflict } from './conflicts.ts'
import { languageOf, readStatement, type Statement } from './statement.ts'

export type StatedText = Pick<Entry, 'content' | 'kind' | 'tags' | 'files' | 'date'>

/**
 * Whether two texts say the same in other words, so that one is evidence for the other. Told by what they are about, never by
 * cosine alone: opposites are as near as paraphrases.
 *
 *   covered   shared concepts ÷ those of the shorter text
 *   length    concepts of the shorter ÷ those of the longer: a remark is not the page that it stands in
 *
 *   same      covered >= 0.75 and length >= 0.5                              by words alone
 *             covered >= 0.35, length >= 0.4 and cosine >= 0.78              by words and meaning
 *             and in both cases the same numbers and names, no change told by one alone, and no conflict between the two
 */
export const SAME = {
  covered: 0.75,
  length: 0.5,
  coveredNear: 0.35,
  lengthNear: 0.4,
  cosine: 0.78,
  /** What one of them alone says has changed is news, unless they have the same words. */
  lengthOfChange: 0.85,
  fewestShared: 3,
  fewestSharedNear: 2,
} as const

export type Sameness =
  | { readonly kind: 'same' }
  /** The words leave it open: the cosine of the two would decide. */
  | { readonly kind: 'near' }
  | { readonly kind: 'other' }

/** Without a cosine, what only meaning could tell is `near`. */
export function compareStatements(a: StatedText, b: StatedText, cosine?: number): Sameness {
  if (fingerprint(a.content) === fingerprint(b.content)) return { kind: 'same' }
  const language = languageOf(a.content, b.content)
  const one = readOnce(a.content, language)
  const other = readOnce(b.content, language)
  const [shorter, longer] =
    one.concepts.size <= other.concepts.size ? [one.concepts, other.concepts] : [other.concepts, one.concepts]
  if (shorter.size === 0) return { kind: 'other' }
  const shared = [...shorter].filter(concept => longer.has(concept)).length
  const covered = shared / shorter.size
  const length = shorter.size / longer.size
  const byWords = covered >= SAME.covered && length >= SAME.length && shared >= SAME.fewestShared
  const mayBeNear =
    covered >= SAME.coveredNear && length >= SAME.lengthNear && shared >= SAME.fewestSharedNear
  if (!byWords && !mayBeNear) return { kind: 'other' }
  if (!byWords && cosine !== undefined && cosine < SAME.cosine) return { kind: 'other' }
  if (numbersOf(a.content) !== numbersOf(b.content) || namesOf(one) !== namesOf(other))
    return { kind: 'other' }
  const isNews = saysEnd(a.content) !== saysEnd(b.content)
  if (isNews && !(covered === 1 && length >= SAME.lengthOfChange)) return { kind: 'other' }
  // The same words and as many denials: the clauses merely stand in another order.
  if (covered === 1 && byWords && denialsIn(a.content) === denialsIn(b.content)) return { kind: 'same' }
  if (findConflict({ a, b, ...(cosine !== undefined && { cosine }) }).conflict) return { kind: 'other' }
  return byWords || cosine !== undefined ? { kind: 'same' } : { kind: 'near' }
}

/** One statement is compared with many: what was read of the last few is at hand. */
const READ_AT_ONCE = 1_024
const readBefore = new Map<string, Statement>()

function readOnce(content: string, language: Language): Statement {
  const key = `${language} ${content}`
  const known = readBefore.get(key)
  if (known !== undefined) return known
  const statement = readStatement(content, language)
  const oldest = readBefore.size >= READ_AT_ONCE ? readBefore.keys().next().value : undefined
  if (oldest !== undefined) readBefore.delete(oldest)
  readBefore.set(key, statement)
  return statement
}

/** "For Stripe three retries at most" is not said of everybody. */
function namesOf({ clauses }: Statement): string {
  const names = clauses.flatMap(clause => [
    ...clause.names,
    ...[...clause.alternatives.values()].flatMap(some => [...some]),
  ])
  return [...new Set(names)].sort().join(' ')
}

function saysEnd(content: string): boolean {
  return saysChange(content) || ENDING_CUE.test(content)
}

/** The words by which texts that may say the same are looked up. */
export function conceptsOf(content: string): readonly string[] {
  return [...readStatement(content, languageOf(content, content)).concepts]
}

/** Those that are no concept of their own: `dropped` is one in both texts, `not` is in neither. */
const DENIAL =
  /\b(?:not|no|never|without|none|cannot|nao|nunca|sem|nenhum|nenhuma|jamais)\b|n't\b|\b(?:do|does|did|is|are|was|were|wo|would|should|must|has|have|ca)nt\b/g

function denialsIn(text: string): number {
  return foldText(text).match(DENIAL)?.length ?? 0
}

/** Port 8080 is not port 8081, however alike the rest is. */
function numbersOf(text: string): string {
  return [...new Set(text.match(/\d+(?:[.,]\d+)*/g) ?? [])].sort().join(' ')
}
