import { findDatePhrases } from './date-phrases.ts'
import { foldText, foldWord } from './fold.ts'
import { chunkParts } from './identifiers.ts'
import type { Language } from './language.ts'
import { VOTERS, voteLanguage } from './language-vote.ts'
import { stemWord } from './stem.ts'
import { stopWords } from './stop-words.ts'
import { scanChunks } from './words.ts'

/** The source of a term decides its weight and whether it may be expanded. */
export type TermSource = 'word' | 'identifier' | 'stop-word' | 'date'

/** A token that matches the term. Weight 1: it has the same meaning (a stem); less: it is a guess (alias, prefix, typo). */
export interface Variant {
  readonly token: string
  readonly weight: number
}

/** One term of the question. An entry scores it once, by the best of its variants. */
export interface QueryTerm {
  /** The word of the question, folded, not stemmed. */
  readonly text: string
  readonly variants: readonly Variant[]
  readonly weight: number
  readonly source: TermSource
}

/** Measured on the bench sets (docs/adr): each is a plateau, not a peak. */
const TERM_WEIGHTS = {
  word: 1,
  identifier: 1,
  /** Dropping stop words loses phrases such as "how to"; counting them in full drowns the topic. */
  stopWord: 0.25,
  date: 1,
  weekday: 0.3,
  /** The language of a project is implied: its name says little about which entry is meant. */
  languageName: 0.5,
} as const

/** A longer question is read up to here; the rest adds nothing about the topic. */
const READ_CHARACTERS = 20_000
const MAX_TERMS = 64

const LANGUAGE_NAMES =
  /^(?:python|java|javascript|typescript|golang|rust|kotlin|swift|ruby|php|scala|csharp|cpp)$/

interface QueryContext {
  /** The languages of the indexed entries: a token can only match stems of these. */
  readonly languages: ReadonlySet<Language>
  /** `2026-03-16T16:51`: what "yesterday" refers to. Without it, relative dates are plain words. */
  readonly now?: string
}

export function analyseQuery(question: string, context: QueryContext): QueryTerm[] {
  const text = question.slice(0, READ_CHARACTERS)
  const chunks = scanChunks(text)
  const isStopWord = stopWordTest(chunks.slice(0, VOTERS).map(chunk => foldWord(chunk.text)))
  const languages: ReadonlySet<Language> = context.languages.size > 0 ? context.languages : new Set(['en'])
  const dates = findDatePhrases(foldText(text), context.now)
  const termsByText = new Map<string, QueryTerm>()

  const add = (word: string, source: 'word' | 'identifier') => {
    if (termsByText.has(word)) return
    const variants = variantsOf(word, languages)
    if (isStopWord(word)) {
      termsByText.set(word, { text: word, variants, weight: TERM_WEIGHTS.stopWord, source: 'stop-word' })
    } else {
      const weight = LANGUAGE_NAMES.test(word) ? TERM_WEIGHTS.languageName : TERM_WEIGHTS[source]
      termsByText.set(word, { text: word, variants, weight, source })
    }
  }
  for (const chunk of chunks) {
    const { words, wholes } = chunkParts(chunk.text)
    for (const word of words) add(word, 'word')
    for (const whole of wholes) add(whole, 'identifier')
  }
  const terms = mergeSameStems([...termsByText.values()])
  for (const date of dates) {
    terms.push({
      text: date.text,
      variants: date.tokens.map(token => ({ token, weight: 1 })),
      weight: date.certain ? TERM_WEIGHTS.date : TERM_WEIGHTS.weekday,
      source: 'date',
    })
  }
  return mostSignificant(terms)
}

function variantsOf(word: string, languages: ReadonlySet<Language>): Variant[] {
  const stems = new Set(Array.from(languages, language => stemWord(word, language)))
  return Array.from(stems, token => ({ token, weight: 1 }))
}

/** `retry` and `retries` are one term. */
function mergeSameStems(terms: readonly QueryTerm[]): QueryTerm[] {
  const termByStem = new Map<string, QueryTerm>()
  for (const term of terms) {
    const stem = term.variants[0]?.token ?? term.text
    const known = termByStem.get(stem)
    if (known === undefined || known.weight < term.weight) termByStem.set(stem, term)
  }
  return [...termByStem.values()]
}

/** Stop words of the question's language; of both if it could be either. */
function stopWordTest(words: readonly string[]): (word: string) => boolean {
  const votes = voteLanguage(words)
  const english = votes.en >= votes.pt ? stopWords('en') : undefined
  const portuguese = votes.pt >= votes.en ? stopWords('pt') : undefined
  return word => english?.has(word) === true || portuguese?.has(word) === true
}

/**
 * A question of only stop words is searched by them. A question of more than 64 terms keeps the most significant ones before any entry is
 * known: dates, identifiers, then the longest words.
 */
function mostSignificant(terms: readonly QueryTerm[]): QueryTerm[] {
  if (terms.every(term => term.source === 'stop-word')) {
    return terms.slice(0, MAX_TERMS).map(term => ({ ...term, weight: TERM_WEIGHTS.word }))
  }
  if (terms.length <= MAX_TERMS) return [...terms]
  const telling = [...terms].sort((a, b) => b.weight - a.weight || lengthRank(b) - lengthRank(a))
  const kept = new Set(telling.slice(0, MAX_TERMS))
  return terms.filter(term => kept.has(term))
}

function lengthRank(term: QueryTerm): number {
  return term.source === 'date' ? 1_000 : term.text.length + (term.source === 'identifier' ? 100 : 0)
}
