import type { Entry } from '../../../kernel/model/entry.ts'
import type { Snippet } from '../../../kernel/model/search.ts'
import { expandAliases } from '../../../kernel/text/aliases.ts'
import { analyseEntry } from '../../../kernel/text/analyse.ts'
import { irregularFormsOf } from '../../../kernel/text/irregular-forms.ts'
import { LANGUAGES } from '../../../kernel/text/language.ts'
import { analyseQuery } from '../../../kernel/text/query-terms.ts'
import { snippetMaker } from './snippet.ts'

/** Maximum matches in memory during a scan; the weakest are dropped when there are twice as many. */
const MAX_MATCHES = 1_000
/** How fast more of the same word stops counting. */
const SATURATION = 0.5

interface ScanInput {
  readonly query: string
  readonly aliases: Readonly<Record<string, readonly string[]>>
  /** UTC to the minute: what "yesterday" refers to. */
  readonly now: string
}

export interface Scan<Item extends { readonly entry: Entry }> {
  take(item: Item): void
  /** One more is not compared, which has these of the words (`termsOf`): how rare a word is depends on it too. */
  pass(terms: readonly number[]): void
  /** Best first. */
  finish(limit: number): readonly (Item & { readonly score: number; readonly snippet: Snippet })[]
}

interface MatchedItem<Item> {
  readonly item: Item
  /** By term: how much of it the entry has, 0 to 1. */
  readonly shares: Float32Array
}

/**
 * Searches entries that are not in an index, one after the other: the archive. Words are read by the analyser of the
 * index. The rarity of words is counted during the scan.
 *
 *   score = Σ weight · idf · share ÷ Σ weight · idf         share: variant weight · tf / (tf + 0.5)
 */
export function scanEntries<Item extends { readonly entry: Entry }>(input: ScanInput): Scan<Item> {
  const terms = termsOf(input)
  const variantsByToken = new Map<string, { readonly term: number; readonly weight: number }[]>()
  terms.forEach((term, at) => {
    for (const { token, weight } of term.variants)
      variantsByToken.set(token, [...(variantsByToken.get(token) ?? []), { term: at, weight }])
  })
  const frequencies = new Float64Array(terms.length)
  let scanned = 0
  let matched: MatchedItem<Item>[] = []

  const idf = (term: number) =>
    Math.log(1 + (scanned - (frequencies[term] ?? 0) + 0.5) / ((frequencies[term] ?? 0) + 0.5))
  const worths = () => terms.map((term, at) => term.weight * idf(at))
  const scoreOf = ({ shares }: MatchedItem<Item>, worth: readonly number[]) =>
    shares.reduce((sum, share, at) => sum + share * (worth[at] ?? 0), 0) /
    Math.max(
      Number.EPSILON,
      worth.reduce((sum, value) => sum + value, 0),
    )
  const best = (limit: number) => {
    const worth = worths()
    return matched
      .map(one => ({ one, score: scoreOf(one, worth) }))
      .sort((a, b) => b.score - a.score || (a.one.item.entry.id < b.one.item.entry.id ? 1 : -1))
      .slice(0, limit)
  }

  return {
    take(item) {
      scanned++
      const { body, tags, files, kind, date } = analyseEntry(item.entry)
      const counts = new Map<string, number>()
      for (const token of `${body} ${tags} ${files} ${kind} ${date}`.split(' '))
        if (variantsByToken.has(token)) counts.set(token, (counts.get(token) ?? 0) + 1)
      if (counts.size === 0) return
      const shares = new Float32Array(terms.length)
      for (const [token, count] of counts) {
        for (const { term, weight } of variantsByToken.get(token) ?? [])
          shares[term] = Math.max(shares[term] ?? 0, (weight * count) / (count + SATURATION))
      }
      shares.forEach((share, term) => {
        if (share > 0) frequencies[term] = (frequencies[term] ?? 0) + 1
      })
      matched.push({ item, shares })
      if (matched.length >= 2 * MAX_MATCHES) matched = best(MAX_MATCHES).map(({ one }) => one)
    },

    pass(found) {
      scanned++
      for (const term of found) frequencies[term] = (frequencies[term] ?? 0) + 1
    },

    finish(limit) {
      const makeSnippet = snippetMaker(
        terms.map((term, at) => ({
          source: term.source,
          weight: term.weight,
          idf: idf(at),
          variants: term.variants.map(variant => ({
            ...variant,
            df: frequencies[at] ?? 0,
            idf: idf(at),
            isLookedUp: true,
          })),
        })),
      )
      return best(limit).map(({ one, score }) => ({
        ...one.item,
        score: Math.round(score * 10_000) / 10_000,
        snippet: makeSnippet(one.item.entry.content),
      }))
    },
  }
}

/** The terms of the query, in all languages. */
function termsOf({ query, aliases, now }: ScanInput) {
  const languages = new Set(LANGUAGES)
  return expandAliases(analyseQuery(query, { languages, now }), { aliases, languages })
}

/** Letters that folding makes one of. */
const ACCENTED: Readonly<Record<string, string>> = {
  a: 'aáàâãäå',
  c: 'cç',
  e: 'eéèêë',
  i: 'iíìîïy',
  n: 'nñ',
  o: 'oóòôõöø',
  u: 'uúùûü',
  y: 'yýÿi',
}
const KEPT_LETTERS = 2

interface WordFilter {
  /** Whether a text may have a word of the question. */
  mayHave(text: string): boolean
  /** Which of its words (`termsOf`) a text may have. */
  termsIn(text: string): readonly number[]
}

/**
 * Finds the words of a question without parsing a text: by the beginnings of their stems, ignoring case and accents.
 * It may accept a text without any of the words, but never rejects one that has a word.
 */
export function wordFilter(input: ScanInput): WordFilter {
  const terms = termsOf(input)
  const hasContentWord = terms.some(({ source }) => source !== 'stop-word')
  const patterns = terms.flatMap(({ source, variants }, term) => {
    if (hasContentWord && source === 'stop-word') return []
    const pattern = patternOfTokens(variants.map(({ token }) => token))
    return pattern === '' ? [] : [{ term, pattern: new RegExp(pattern, 'i') }]
  })
  if (patterns.length === 0) return { mayHave: () => false, termsIn: () => [] }
  const any = new RegExp(patterns.map(({ pattern }) => pattern.source).join('|'), 'i')
  return {
    mayHave: text => any.test(text),
    termsIn: text => patterns.flatMap(({ term, pattern }) => (pattern.test(text) ? [term] : [])),
  }
}

function patternOfTokens(tokens: readonly string[]): string {
  const beginnings = new Set(tokens.map(token => token.slice(0, KEPT_LETTERS)))
  const forms = [...irregularFormsOf(beginnings, KEPT_LETTERS)].filter(form => form.length > 2)
  return [...new Set([...tokens.map(startOf), ...forms])].map(patternOf).join('|')
}

/** A stem ends otherwise than the word by at most two letters (`happy`, `happi`). */
function startOf(token: string): string {
  const { length } = token
  return token.slice(0, length <= 4 ? Math.max(KEPT_LETTERS, length - 1) : length - 2)
}

/** Dates and identifiers may have separators between their parts in a text. */
function patternOf(start: string): string {
  return [...start]
    .map(letter => {
      const same = ACCENTED[letter]
      if (same !== undefined) return `[${same}]`
      return /[a-z0-9]/.test(letter) ? letter : /[\p{L}\p{N}]/u.test(letter) ? letter : '\\W?'
    })
    .join('')
}
