import type { QueryTerm, TermSource, Variant } from '../../../kernel/text/query-terms.ts'
import { expandTerm, type Guesses } from './expansion.ts'

/**
 * Any of these parts. A part wants every of its words, each in any of its forms:
 *
 *   raft OR (test AND error)   [[['raft']], [['test'], ['error']]]
 *
 * A part has two words at most: more would read more postings than they save.
 */
export type Match = readonly MatchPart[]
type MatchPart = readonly (readonly string[])[]

/** A term with what the index knows about it. */
export interface PlannedTerm {
  readonly text: string
  readonly source: TermSource
  readonly weight: number
  /** Place in the question. */
  readonly position: number
  /** Maximum entries that a lookup returns: the sum over the variants that are looked up. */
  readonly df: number
  readonly idf: number
  readonly variants: readonly PlannedVariant[]
}

export interface PlannedVariant extends Variant {
  readonly df: number
  /** Never above the term's own: a rare guess must not outweigh the word that was asked for. */
  readonly idf: number
  /** False for a frequent guess about a word that is in the index: it only counts in the ranking. */
  readonly isLookedUp: boolean
}

/** One full-text lookup. */
export interface Lookup {
  /** Empty when no word of the question is in the index. */
  readonly match: Match
  /** How to cut the matches to the candidates. `newest` when to rank them all would take too long. */
  readonly order: 'bm25' | 'newest'
}

export interface QueryPlan extends Lookup {
  /** To ask in addition when `match` gives fewer entries than are wanted. */
  readonly fallback?: Lookup
  /** In the match. */
  readonly terms: readonly PlannedTerm[]
  /** Too frequent to be looked up; they still count when candidates are ranked. */
  readonly pruned: readonly PlannedTerm[]
  /** Every word of the question at its full worth: the maximum with which scores are compared. */
  readonly ceiling: number
  /** The share of the question's content words, by their rarity, that occur in the index at all: 0 to 1. */
  readonly knownShare: number
  /** The idf of a word that one entry has. */
  readonly rareIdf: number
  /** A sentence, not keywords: its answer may be next to the entry that has its words. */
  readonly isQuestion: boolean
}

interface PlanInput {
  readonly terms: readonly QueryTerm[]
  readonly documentCount: number
  readonly dfOf: (token: string) => number
  readonly guesses?: Guesses
}

/** FTS5 takes about 1 µs to rank an entry, and 0.1 µs to read a posting (a million entries, pages in memory). */
const PRUNING = {
  /** Entries that one lookup may rank: a tenth of all, within these bounds. On the bench sets a tenth loses nothing. */
  minRanked: 5_000,
  maxRanked: 60_000,
  /** Maximum postings to read for entries that have two words. */
  read: 200_000,
  /** A guess in more entries than this is not worth looking up in addition to the word itself. */
  guessed: 5_000,
} as const

/**
 * Any of the words, as long as their entries can all be ranked. Beyond that the frequent words are looked up in pairs
 * or not at all:
 *
 *   rare and common words     "raft" OR "snapshot"               the common ones only count in the ranking
 *   one rare word, two common "raft" OR ("error" AND "test")     so that entries without the rare one are seen
 *   common words only         "error" AND "test"                 fallback: the newest with the rarer of them
 *   one common word           "error", newest first
 */
export function planQuery(input: PlanInput): QueryPlan {
  const guesses = input.guesses ?? { vocabulary: new Map(), spellings: new Map() }
  const planned = input.terms.map((term, position) =>
    planTerm(expandTerm(term, input, guesses), position, input),
  )
  const present = planned.filter(term => term.variants.length > 0)
  const asked = present.filter(term => term.source !== 'stop-word')
  const { lookup, used } = planLookup(asked.length > 0 ? asked : present, rankable(input.documentCount))
  return {
    ...lookup,
    terms: present.filter(term => used.has(term)),
    pruned: present.filter(term => !used.has(term)),
    ceiling: planned.reduce((sum, term) => sum + term.weight * term.idf, 0),
    knownShare: knownShareOf(planned),
    rareIdf: inverseDocumentFrequency(1, input.documentCount),
    isQuestion: isQuestion(input.terms),
  }
}

function isQuestion(terms: readonly QueryTerm[]): boolean {
  const fillers = terms.filter(({ source }) => source === 'stop-word').length
  return fillers > 0 && fillers < terms.length
}

/** A typo is known by the word it is taken for, as far as that guess is trusted. */
function knownShareOf(planned: readonly PlannedTerm[]): number {
  let known = 0
  let all = 0
  for (const { source, idf, variants } of planned) {
    if (source === 'stop-word') continue
    all += idf
    known += idf * Math.max(0, ...variants.map(({ weight }) => weight))
  }
  return all === 0 ? 0 : Math.min(1, known / all)
}

function rankable(documentCount: number): number {
  return Math.min(Math.max(documentCount / 10, PRUNING.minRanked), PRUNING.maxRanked)
}

interface PlannedLookup {
  readonly lookup: Lookup & { readonly fallback?: Lookup }
  readonly used: ReadonlySet<PlannedTerm>
}

function planLookup(terms: readonly PlannedTerm[], most: number): PlannedLookup {
  const byRarity = [...terms].sort((a, b) => a.df - b.df || (a.text < b.text ? -1 : 1))
  const kept: PlannedTerm[] = []
  let ranked = 0
  for (const term of byRarity) {
    if (ranked + term.df > most) break
    kept.push(term)
    ranked += term.df
  }
  const parts = kept.map(term => [formsOf(term)])
  const [first, second] = byRarity.slice(kept.length)
  if (first === undefined || kept.length > 1) return { lookup: anyOf(parts), used: new Set(kept) }
  const isPairCheap = second !== undefined && first.df + second.df <= PRUNING.read
  if (kept.length === 1) {
    if (!isPairCheap) return { lookup: anyOf(parts), used: new Set(kept) }
    return { lookup: anyOf([...parts, bothOf(first, second)]), used: new Set([...kept, first, second]) }
  }
  const newest: Lookup = { match: [[formsOf(first)]], order: 'newest' }
  if (second === undefined) return { lookup: newest, used: new Set([first]) }
  const both: Lookup = { match: [bothOf(first, second)], order: isPairCheap ? 'bm25' : 'newest' }
  return { lookup: { ...both, fallback: newest }, used: new Set([first, second]) }
}

function anyOf(parts: readonly MatchPart[]): Lookup {
  return { match: parts, order: 'bm25' }
}

function bothOf(a: PlannedTerm, b: PlannedTerm): MatchPart {
  return [formsOf(a), formsOf(b)]
}

function formsOf({ variants }: PlannedTerm): readonly string[] {
  return variants.filter(({ isLookedUp }) => isLookedUp).map(({ token }) => token)
}

/** idf = ln(1 + (N − df + ½) / (df + ½)), never negative. */
function inverseDocumentFrequency(df: number, documentCount: number): number {
  const present = Math.min(df, documentCount)
  return Math.log(1 + (documentCount - present + 0.5) / (present + 0.5))
}

function planTerm(term: QueryTerm, position: number, input: PlanInput): PlannedTerm {
  const found = term.variants
    .map(variant => ({ ...variant, df: input.dfOf(variant.token) }))
    .filter(variant => variant.df > 0)
  const sameDf = found.reduce((sum, variant) => (variant.weight === 1 ? sum + variant.df : sum), 0)
  const idf = inverseDocumentFrequency(sameDf, input.documentCount)
  const variants = found.map(({ token, weight, df }) => ({
    token,
    weight,
    df,
    idf: weight === 1 ? idf : Math.min(idf, inverseDocumentFrequency(df, input.documentCount)),
    isLookedUp: weight === 1 || sameDf === 0 || df <= PRUNING.guessed,
  }))
  const df = variants.reduce((sum, variant) => (variant.isLookedUp ? sum + variant.df : sum), 0)
  return { text: term.text, source: term.source, weight: term.weight, position, df, idf, variants }
}
