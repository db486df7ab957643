import { editDistance } from '../../text/edit-distance.ts'
import type { QueryTerm, Variant } from '../../text/query-terms.ts'
import { isAscii, whenNeeded } from '../../text/script.ts'

/** A word of the index and the number of entries that have it. */
export interface VocabularyWord {
  readonly token: string
  readonly df: number
}

/** A range of the vocabulary that the planner wants to see; the store answers with the most frequent words of it. */
export interface VocabularyNeed {
  readonly prefix: string
  readonly minLength: number
  readonly maxLength: number
}

/** Answers by prefix. */
export type Vocabulary = ReadonlyMap<string, readonly VocabularyWord[]>

export const EXPANSION = {
  /** A word of the index that begins with the one asked for. */
  prefixWeight: 0.4,
  /** The same when the word itself is in the index: shorter questions only, and as a faint hint. */
  hintWeight: 0.15,
  hintTerms: 3,
  shortestPrefix: 3,
  longestTail: 8,
  mostPrefixWords: 8,
  /** One slip, two slips. */
  typoWeights: [0.4, 0.3],
  mostTypoWords: 3,
  /** Fuzziness 0.2 of the seed: one slip from four letters on, two from eight. */
  oneSlipFrom: 4,
  twoSlipsFrom: 8,
  /** Up to here the words that share one letter are few enough to read; beyond, two letters must be right. */
  oneLetterDocuments: 20_000,
  /** A pasted log is full of words that nobody misspelt; guessing at each would take longer than the search. */
  mostGuessedTerms: 12,
} as const

const letters = whenNeeded(() => /^\p{L}+$/u)
const digit = whenNeeded(() => /\p{N}/u)

export interface ExpansionInput {
  readonly terms: readonly QueryTerm[]
  readonly documentCount: number
  readonly dfOf: (token: string) => number
}

/** What to look up before `planQuery`: empty for most questions, since most words are in the index as they are. */
export function vocabularyNeeds(input: ExpansionInput): VocabularyNeed[] {
  const needs = new Map<string, VocabularyNeed>()
  const want = (prefix: string, minLength: number, maxLength: number) => {
    const known = needs.get(prefix)
    needs.set(prefix, {
      prefix,
      minLength: Math.min(minLength, known?.minLength ?? minLength),
      maxLength: Math.max(maxLength, known?.maxLength ?? maxLength),
    })
  }
  const short = isShort(input.terms)
  let guessed = 0
  for (const term of input.terms) {
    const form = expandableForm(term)
    if (form === undefined) continue
    const known = isKnown(term, input.dfOf)
    if (!known) guessed += 1
    if (guessed > EXPANSION.mostGuessedTerms) break
    if (!known || short) {
      if (form.length >= EXPANSION.shortestPrefix) {
        want(form, form.length + 1, form.length + EXPANSION.longestTail)
      }
    }
    const slips = known ? 0 : slipsAllowed(term)
    if (slips === 0) continue
    for (const prefix of typoPrefixes(form, input.documentCount)) {
      want(prefix, form.length - slips, form.length + slips)
    }
  }
  return [...needs.values()]
}

/** The term with the guesses that the vocabulary supports. */
export function expandTerm(term: QueryTerm, input: ExpansionInput, vocabulary: Vocabulary): QueryTerm {
  const form = expandableForm(term)
  if (form === undefined) return term
  const known = isKnown(term, input.dfOf)
  if (known && !isShort(input.terms)) return term
  const guesses = new Map<string, Variant>()
  const prefixWeight = known ? EXPANSION.hintWeight : EXPANSION.prefixWeight
  for (const word of mostFrequent(vocabulary.get(form) ?? [], EXPANSION.mostPrefixWords)) {
    if (word.token.startsWith(form)) guesses.set(word.token, { token: word.token, weight: prefixWeight })
  }
  if (!known) {
    for (const guess of typoGuesses(term, form, input.documentCount, vocabulary)) {
      const other = guesses.get(guess.token)
      if (other === undefined || other.weight < guess.weight) guesses.set(guess.token, guess)
    }
  }
  const own = new Set(term.variants.map(variant => variant.token))
  return {
    ...term,
    variants: [...term.variants, ...[...guesses.values()].filter(guess => !own.has(guess.token))],
  }
}

function typoGuesses(
  term: QueryTerm,
  form: string,
  documentCount: number,
  vocabulary: Vocabulary,
): Variant[] {
  const slips = slipsAllowed(term)
  if (slips === 0) return []
  const near: { word: VocabularyWord; distance: number }[] = []
  const seen = new Set<string>()
  for (const prefix of typoPrefixes(form, documentCount)) {
    for (const word of vocabulary.get(prefix) ?? []) {
      if (seen.has(word.token) || hasDigit(word.token)) continue
      seen.add(word.token)
      const distance = editDistance(form, word.token, slips)
      if (distance <= slips) near.push({ word, distance })
    }
  }
  near.sort((a, b) => a.distance - b.distance || b.word.df - a.word.df || compare(a.word.token, b.word.token))
  return near.slice(0, EXPANSION.mostTypoWords).map(({ word, distance }) => ({
    token: word.token,
    weight: EXPANSION.typoWeights[distance - 1] ?? 0,
  }))
}

/** Where a misspelt word may stand in the vocabulary: as written, and with its first two letters swapped. */
function typoPrefixes(form: string, documentCount: number): string[] {
  const [first = '', second = '', third = ''] = Array.from(form)
  if (documentCount <= EXPANSION.oneLetterDocuments) return [...new Set([first, second])]
  return [...new Set([first + second, second + first, first + third])]
}

function expandableForm(term: QueryTerm): string | undefined {
  if (term.source === 'date' || term.source === 'stop-word') return undefined
  return term.variants[0]?.token
}

function isKnown(term: QueryTerm, dfOf: (token: string) => number): boolean {
  return term.variants.some(variant => variant.weight === 1 && dfOf(variant.token) > 0)
}

function isShort(terms: readonly QueryTerm[]): boolean {
  return terms.filter(term => term.source !== 'stop-word').length <= EXPANSION.hintTerms
}

/** The words of an identifier are compared one by one; its joined form has no one spelling. */
function slipsAllowed({ source, text }: QueryTerm): number {
  if (source !== 'word' || !isLetters(text) || text.length < EXPANSION.oneSlipFrom) return 0
  return text.length < EXPANSION.twoSlipsFrom ? 1 : 2
}

function mostFrequent(words: readonly VocabularyWord[], count: number): VocabularyWord[] {
  return [...words].sort((a, b) => b.df - a.df || compare(a.token, b.token)).slice(0, count)
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function isLetters(text: string): boolean {
  return isAscii(text) ? /^[A-Za-z]+$/.test(text) : letters().test(text)
}

function hasDigit(text: string): boolean {
  return isAscii(text) ? /\d/.test(text) : digit().test(text)
}
