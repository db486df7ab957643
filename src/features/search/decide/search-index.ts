import type { Entry } from '../../../kernel/model/entry.ts'
import type { EntryFilter } from '../../../kernel/model/search.ts'
import type { VocabularyNeed, VocabularyWord } from './expansion.ts'
import type { Match } from './match.ts'
import type { Candidate, Neighbourhood, NeighbourNeed, RankedField } from './rank.ts'

export interface SearchStatistics {
  readonly documentCount: number
  /** Tokens in all entries, by field: the mean length is this over documentCount. */
  readonly totalLength: Readonly<Record<RankedField, number>>
  readonly documentsByLanguage: Readonly<Record<string, number>>
}

export interface CandidateQuery {
  readonly match: Match
  /** `newest`: the match is too broad to rank in time, so the latest entries are taken. */
  readonly order: 'bm25' | 'newest'
  readonly weights: Readonly<Record<RankedField, number>>
  readonly filter: EntryFilter
  readonly limit: number
}

export interface ListedOptions {
  readonly filter: EntryFilter
  readonly limit: number
  readonly offset: number
}

/** What retrieval needs from a store. Everything that ranks is above this line. */
export interface SearchIndex {
  statistics(): Promise<SearchStatistics>
  /** In how many entries each token stands; a token in none is left out. */
  documentFrequencies(tokens: readonly string[]): Promise<ReadonlyMap<string, number>>
  /** The most frequent words of a range of the vocabulary. */
  vocabulary(need: VocabularyNeed, limit: number): Promise<readonly VocabularyWord[]>
  findCandidates(query: CandidateQuery): Promise<Candidate[]>
  findNeighbourhoods(needs: readonly NeighbourNeed[], filter: EntryFilter): Promise<Neighbourhood[]>
  /** Newest first, as of the last refresh: whoever asks several things of one state refreshes once. */
  listEntries(options: ListedOptions): Promise<{ entries: Entry[]; total: number }>
  loadEntries(ids: readonly string[]): Promise<ReadonlyMap<string, Entry>>
}
