import type { ConsentState, EmbedderTerms } from '../../../kernel/model/consent.ts'
import type { Entry } from '../../../kernel/model/entry.ts'
import type {
  Backlink,
  EntityRef,
  EntityUse,
  Graph,
  Link,
  Neighbour,
  Relation,
} from '../../../kernel/model/graph.ts'
import type { Degradation, EntryFilter, Problem } from '../../../kernel/model/search.ts'
import type { DocumentReference } from '../../../kernel/model/workspace.ts'
import type { ConflictPorts } from '../../conflicts/decide/ports.ts'
import type { FreshnessPorts } from '../../freshness/decide/ports.ts'
import type { VocabularyNeed, VocabularyWord } from './expansion.ts'
import type { Match } from './query-plan.ts'
import type { Candidate, Neighbourhood, NeighbourNeed, RankedField } from './rank.ts'

export interface SearchPorts {
  readonly search: SearchIndex
  /** Links, entities and what they tie together. */
  readonly graph: GraphIndex
}

export interface MeaningPorts {
  /** Search by meaning: optional, and named in `degraded` if it is missing. */
  readonly semantics: Semantics
  /** Whether an embedder behind HTTP was allowed on this machine. */
  readonly embedder: EmbedderUse
}

export interface DocumentPorts {
  /** The documents of the workspaces, in the same index. */
  readonly documentSearch: DocumentSearch
}

/** Documents of workspaces: found and injected together with entries, but never listed, counted or changed as entries. */
export interface DocumentSearch {
  /** Indexes changed files. False if there are no documents. Files that are not read by the deadline wait, and are reported. */
  refresh(options?: { readonly deadlineMs?: number }): Promise<boolean>
  readonly search: SearchIndex
  readonly vectors: VectorIndex
  /** By id; `isCut`: only the beginning of its text is in the index. */
  references(
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, DocumentReference & { readonly isCut: boolean }>>
  /** Every scope that has a document. */
  scopes(): Promise<readonly string[]>
  state(): Promise<{ readonly documents: number; readonly problems: readonly Problem[] }>
  /** Whether something was taken in since this was last asked: it may wait for its vector. */
  takeUnembedded(): boolean
  takeDegraded(): readonly Degradation[]
}

/** Search by meaning: the vectors of the entries, and the embedder that makes them, loaded on demand. */
export interface Semantics {
  readonly vectors: VectorIndex
  /** False when search by meaning is switched off. */
  isOn(): Promise<boolean>
  /** True if texts would be sent to a server: only after the user allowed it. */
  isRemote(): Promise<boolean>
  /** undefined: switched off or unavailable; `takeDegraded` then returns the reason. */
  embedder(): Promise<Embedder | undefined>
  /** Many texts in one call, in other threads if that is faster. */
  embedMany(texts: readonly string[], onProgress?: (done: number) => void): Promise<readonly Float32Array[]>
  note(degradation: Degradation): void
  takeDegraded(): readonly Degradation[]
}

/** An embedder behind HTTP gets every entry: the same question as for a model. */
export interface EmbedderUse {
  standing(): Promise<ConsentState<EmbedderTerms>>
  /** Throws `not_confirmed` when it is the code of other settings. */
  allow(code: string): Promise<ConsentState<EmbedderTerms>>
  /** Withdraws the permission; false if there was none. */
  forbid(): Promise<boolean>
}

/** Turns texts into unit vectors. Vectors of different `model`s are never compared. */
export interface Embedder {
  /** Changes whenever the vectors of the same texts would. */
  readonly model: string
  /** Of every vector; 0 while unknown (a server reports it with its first answer). */
  readonly dimensions: number
  /** False: the text is in a script that the model has not learned, and its vector is near to any other such text. Absent: it reads all. */
  reads?(text: string): boolean
  /** A vector for each text, in their order. A text is read up to `maxTokens`, by default as far as the model can. */
  embed(texts: readonly string[], options?: EmbedderOptions): Promise<Float32Array[]>
  close(): Promise<void>
}

interface EmbedderOptions {
  readonly maxTokens?: number
}

export interface VectorState {
  /** The model of the vectors; undefined before the first. */
  readonly model: string | undefined
  readonly count: number
  /** Entries whose vector is still to be made. */
  readonly waiting: number
}

/** An entry without a vector. `version` shows whether it has changed when the vector is stored. */
interface WaitingEntry {
  readonly entry: Entry
  readonly version: string
}

interface MadeVector {
  readonly id: string
  readonly version: string
  /** Unit length. */
  readonly vector: Float32Array
}

export interface NearestQuery {
  /** Unit length, by the model of the index. */
  readonly vector: Float32Array
  readonly filter: EntryFilter
  readonly limit: number
}

export interface Measured {
  readonly cosine: number
  /** Dot product with the mean of all vectors. */
  readonly toMean: number
}

/** The mean of all vectors, not of unit length, and how many they are. */
export interface VectorMean {
  readonly mean: Float32Array
  readonly count: number
}

interface Measurement extends VectorMean {
  /** An entry without a vector is left out. */
  readonly measuredById: ReadonlyMap<string, Measured>
}

/** Stores and compares vectors of one collection; does not make them. All have the same model. */
export interface VectorIndex {
  state(): Promise<VectorState>
  /** From now on vectors are of this model: those of another are dropped, and every entry waits again. */
  startModel(model: string): Promise<void>
  /** Newest first: recent entries are queried soonest. */
  waiting(limit: number): Promise<readonly WaitingEntry[]>
  /** An entry that has changed since `waiting` returned it stays in the queue. */
  put(vectors: readonly MadeVector[]): Promise<void>
  findNearest(query: NearestQuery): Promise<readonly Candidate[]>
  mean(): Promise<VectorMean>
  /** Against the mean of the collection, or another: that of two collections together. */
  measure(vector: Float32Array, ids: readonly string[], around?: VectorMean): Promise<Measurement>
  vectorOf(id: string): Promise<Float32Array | undefined>
}

export interface SearchStatistics {
  readonly documentCount: number
  /** Tokens in all entries, by field: the mean length is this over documentCount. */
  readonly totalLength: Readonly<Record<RankedField, number>>
  readonly documentsByLanguage: Readonly<Record<string, number>>
}

interface CandidateQuery {
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
  /** How many entries have each token; a token in no entry is omitted. */
  documentFrequencies(tokens: readonly string[]): Promise<ReadonlyMap<string, number>>
  /** The most frequent words of a range of the vocabulary. */
  vocabulary(need: VocabularyNeed, limit: number): Promise<readonly VocabularyWord[]>
  findCandidates(query: CandidateQuery): Promise<Candidate[]>
  findNeighbourhoods(needs: readonly NeighbourNeed[], filter: EntryFilter): Promise<Neighbourhood[]>
  /** Newest first, as of the last refresh: a caller with several queries on one state refreshes once. */
  listEntries(options: ListedOptions): Promise<{ entries: Entry[]; total: number }>
  loadEntries(ids: readonly string[]): Promise<ReadonlyMap<string, Entry>>
}

export interface GraphQuery {
  readonly filter: EntryFilter
  /** Only what is around this entity. */
  readonly entity?: EntityRef | undefined
  /** Steps from the entries that are asked for: 1 shows them alone, 2 their neighbours as well. */
  readonly depth: number
  /** Entries, and as many entities. */
  readonly limit: number
}

/** The connections between entries. Links are resolved on request. */
export interface GraphIndex {
  /** In the order of the text; one that leads nowhere is among them. */
  linksOf(id: string): Promise<Link[]>
  backlinksOf(id: string): Promise<Backlink[]>
  /** By the id of the entry; in the order of the text. */
  entitiesOf(ids: readonly string[]): Promise<ReadonlyMap<string, readonly EntityUse[]>>
  /** What an entry states between its entities. */
  relationsOf(id: string): Promise<Relation[]>
  /** The entities that a name means, the most used first: of one type, or of every. */
  findEntities(name: string, limit: number): Promise<EntityUse[]>
  /** Newest first. */
  entriesWith(entity: EntityRef, limit: number, filter?: EntryFilter): Promise<string[]>
  /** Entries that a link or a rare entity ties to one of these, the strongest first. None of `ids` is among them. */
  neighbours(ids: readonly string[], limit: number, filter?: EntryFilter): Promise<Neighbour[]>
  graph(query: GraphQuery): Promise<Graph>
}

/** What a search by words and meaning needs, with marks and freshness on its hits. */
export interface FullSearchPorts
  extends SearchPorts,
    MeaningPorts,
    DocumentPorts,
    ConflictPorts,
    FreshnessPorts {}
