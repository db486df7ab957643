import { editDistance } from '../../../kernel/text/edit-distance.ts'
import type { Language } from '../../../kernel/text/language.ts'
import type { QueryTerm, Variant } from '../../../kernel/text/query-terms.ts'
import { isAscii, whenNeeded } from '../../../kernel/text/script.ts'
import { canBeRespelt, wordsCompleting, wordsNear } from '../../../kernel/text/spellings.ts'
import { stemWord } from '../../../kernel/text/stem.ts'

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
type Vocabulary = ReadonlyMap<string, readonly VocabularyWord[]>

/** By word of the question: the stems of the words that it may have been meant as. */
type Spellings = ReadonlyMap<
  string,
  { readonly completed: readonly string[]; readonly near: readonly string[] }
>

const EXPANSION = {
  /** A word of the index that begins with the one asked for. */
  prefixWeight: 0.4,
  /**
   * A faint hint: a longer word when the word itself is in the index (shorter questions only), and a word one slip away
   * when another begins with the one asked for.
   */
  hintWeight: 0.15,
  hintTerms: 3,
  minPrefix: 3,
  /** How much longer a word may be: if the word itself is in the index, and if it is not. */
  maxTail: 8,
  maxCompletion: 20,
  maxPrefixWords: 8,
  /** For a short question: a user who types `inte` into a search box wants words that begin with it. */
  maxCompletions: 32,
  /** One slip, two slips. */
  typoWeights: [0.4, 0.3],
  /** With one slip, and further away. */
  maxNearWords: 8,
  maxTypoWords: 3,
  /** Fuzziness 0.2 of the seed: one slip from four letters on, two from eight. */
  oneSlipFrom: 4,
  twoSlipsFrom: 8,
  /** Up to here the words that share one letter are few enough to read; beyond, two letters must be right. */
  oneLetterDocuments: 20_000,
  /** A pasted log is full of words that are not misspelt; expanding each would take longer than the search. */
  maxGuessedTerms: 12,
  /** With more unknown words than these none is respelt. */
  maxRespeltTerms: 4,
} as const

const letters = whenNeeded(() => /^\p{L}+$/u)
const digit = whenNeeded(() => /\p{N}/u)

interface ExpansionInput {
  readonly terms: readonly QueryTerm[]
  readonly documentCount: number
  readonly dfOf: (token: string) => number
}

/** Of the words of the question that the index does not have: empty for most questions. To be counted before `vocabularyNeeds`. */
export function spellingsOf(input: ExpansionInput, languages: ReadonlySet<Language>): Spellings {
  const spellings = new Map<string, { completed: string[]; near: string[] }>()
  const unknown = input.terms.filter(
    term => expandableForm(term, input.terms) !== undefined && !isKnown(term, input.dfOf),
  )
  if (unknown.length > EXPANSION.maxRespeltTerms) return spellings
  for (const term of unknown) {
    if (term.source === 'identifier' || term.text.length < EXPANSION.oneSlipFrom) continue
    if (!canBeRespelt(term.text)) continue
    const completed = new Set<string>()
    const near = new Set<string>()
    const words = wordsNear(term.text)
    for (const language of languages) {
      for (const word of wordsCompleting(term.text, language)) completed.add(stemWord(word, language))
      for (const word of words) near.add(stemWord(word, language))
    }
    spellings.set(term.text, { completed: [...completed], near: [...near] })
  }
  return spellings
}

/** The ranges to look up before `planQuery`: empty for most questions, since most words are in the index. */
export function vocabularyNeeds(input: ExpansionInput, spellings: Spellings = new Map()): VocabularyNeed[] {
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
    const form = expandableForm(term, input.terms)
    if (form === undefined) continue
    const known = isKnown(term, input.dfOf)
    if (!known) guessed += 1
    if (guessed > EXPANSION.maxGuessedTerms) break
    if (!known || short) {
      const tail = known ? EXPANSION.maxTail : EXPANSION.maxCompletion
      for (const prefix of new Set([form, term.text])) {
        if (prefix.length >= EXPANSION.minPrefix) want(prefix, prefix.length + 1, prefix.length + tail)
      }
    }
    const slips = known || isRespelt(term, spellings, input.dfOf) ? 0 : slipsAllowed(term, form)
    if (slips === 0) continue
    for (const prefix of typoPrefixes(form, input.documentCount)) {
      want(prefix, form.length - slips, form.length + slips)
    }
  }
  return [...needs.values()]
}

export interface Guesses {
  readonly vocabulary: Vocabulary
  readonly spellings: Spellings
}

/** The term with the guesses that the vocabulary supports. */
export function expandTerm(
  term: QueryTerm,
  input: ExpansionInput,
  { vocabulary, spellings }: Guesses,
): QueryTerm {
  const form = expandableForm(term, input.terms)
  if (form === undefined) return term
  const known = isKnown(term, input.dfOf)
  if (known && !isShort(input.terms)) return term
  const guesses = new Map<string, Variant>()
  const guess = (token: string, weight: number) => {
    if ((guesses.get(token)?.weight ?? 0) < weight) guesses.set(token, { token, weight })
  }
  if (known) {
    for (const prefix of new Set([form, term.text]))
      for (const { token } of longerWords(vocabulary, prefix, EXPANSION.maxPrefixWords))
        guess(token, EXPANSION.hintWeight)
  } else {
    const most = isShort(input.terms) ? EXPANSION.maxCompletions : EXPANSION.maxPrefixWords
    for (const prefix of new Set([form, term.text]))
      for (const { token } of longerWords(vocabulary, prefix, most)) guess(token, EXPANSION.prefixWeight)
    const { completed, near } = spellings.get(term.text) ?? { completed: [], near: [] }
    for (const { token } of mostFrequent(presentIn(completed, input.dfOf), EXPANSION.maxPrefixWords))
      guess(token, EXPANSION.prefixWeight)
    const isBeginning = longerWords(vocabulary, term.text, 1).length > 0
    for (const { token } of mostFrequent(presentIn(near, input.dfOf), EXPANSION.maxNearWords))
      guess(token, isBeginning ? EXPANSION.hintWeight : EXPANSION.typoWeights[0])
    if (!isRespelt(term, spellings, input.dfOf))
      for (const { token, weight } of typoGuesses(term, form, input.documentCount, vocabulary))
        guess(token, weight)
  }
  const own = new Set(term.variants.map(variant => variant.token))
  return {
    ...term,
    variants: [...term.variants, ...[...guesses.values()].filter(({ token }) => !own.has(token))],
  }
}

function longerWords(vocabulary: Vocabulary, prefix: string, most: number): VocabularyWord[] {
  const words = (vocabulary.get(prefix) ?? []).filter(
    ({ token }) => token.length > prefix.length && token.startsWith(prefix),
  )
  return mostFrequent(words, most)
}

function presentIn(tokens: readonly string[], dfOf: (token: string) => number): VocabularyWord[] {
  return tokens.map(token => ({ token, df: dfOf(token) })).filter(({ df }) => df > 0)
}

/**
 * Whether the index has a word one slip away, or one that begins with this word: then no search for more distant words
 * is needed.
 */
function isRespelt(term: QueryTerm, spellings: Spellings, dfOf: (token: string) => number): boolean {
  const { completed, near } = spellings.get(term.text) ?? { completed: [], near: [] }
  return [...completed, ...near].some(token => dfOf(token) > 0)
}

function typoGuesses(
  term: QueryTerm,
  form: string,
  documentCount: number,
  vocabulary: Vocabulary,
): Variant[] {
  const slips = slipsAllowed(term, form)
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
  return near.slice(0, EXPANSION.maxTypoWords).map(({ word, distance }) => ({
    token: word.token,
    weight: EXPANSION.typoWeights[distance - 1] ?? 0,
  }))
}

/** Where a misspelt word may be in the vocabulary: as written, and with its first two letters swapped. */
function typoPrefixes(form: string, documentCount: number): string[] {
  const [first = '', second = '', third = ''] = Array.from(form)
  if (documentCount <= EXPANSION.oneLetterDocuments) return [...new Set([first, second])]
  return [...new Set([first + second, second + first, first + third])]
}

/** A stop word is only guessed at where there is nothing else to go by: `seria` may be meant as `serialize`. */
function expandableForm(term: QueryTerm, terms: readonly QueryTerm[]): string | undefined {
  if (term.source === 'date') return undefined
  if (term.source === 'stop-word' && terms.some(({ source }) => source !== 'stop-word')) return undefined
  return term.variants[0]?.token
}

function isKnown(term: QueryTerm, dfOf: (token: string) => number): boolean {
  return term.variants.some(variant => variant.weight === 1 && dfOf(variant.token) > 0)
}

function isShort(terms: readonly QueryTerm[]): boolean {
  return terms.filter(term => term.source !== 'stop-word').length <= EXPANSION.hintTerms
}

/**
 * By the length of what is compared: two slips of `earnings`, which is `earn` in the index, would make it `are`.
 * The words of an identifier are compared one by one; its joined form has no one spelling.
 */
function slipsAllowed({ source, text }: QueryTerm, form: string): number {
  if (source === 'identifier' || source === 'date' || !isLetters(text) || form.length < EXPANSION.oneSlipFrom)
    return 0
  return form.length < EXPANSION.twoSlipsFrom ? 1 : 2
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
