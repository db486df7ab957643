import type { Entry } from '../../../kernel/model/entry.ts'
import type { EntryFilter } from '../../../kernel/model/search.ts'
import type { Candidate } from './rank.ts'

export interface VectorState {
  /** What the vectors were made with; undefined before the first. */
  readonly model: string | undefined
  readonly count: number
  /** Entries whose vector is still to be made. */
  readonly waiting: number
}

/** An entry that has no vector yet. `version` tells whether it is still the same when the vector comes. */
export interface WaitingEntry {
  readonly entry: Entry
  readonly version: string
}

export interface MadeVector {
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

export interface Measurement extends VectorMean {
  /** An entry without a vector is left out. */
  readonly measuredById: ReadonlyMap<string, Measured>
}

/** Vectors of one collection: kept and compared, never made here. All are of one model. */
export interface VectorShelf {
  state(): Promise<VectorState>
  /** From now on vectors are of this model: those of another are dropped, and every entry waits again. */
  startModel(model: string): Promise<void>
  /** Newest first: what was just learnt is asked for soonest. */
  waiting(limit: number): Promise<readonly WaitingEntry[]>
  /** An entry that has changed since it was handed out keeps waiting. */
  put(vectors: readonly MadeVector[]): Promise<void>
  findNearest(query: NearestQuery): Promise<readonly Candidate[]>
  mean(): Promise<VectorMean>
  /** Against the mean of the collection, or another: that of two collections together. */
  measure(vector: Float32Array, ids: readonly string[], around?: VectorMean): Promise<Measurement>
  vectorOf(id: string): Promise<Float32Array | undefined>
}
