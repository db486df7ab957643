import type { GraphIndex } from '../../../features/search/decide/graph-index.ts'
import type { SearchIndex } from '../../../features/search/decide/search-index.ts'
import type { VectorShelf } from '../../../features/search/decide/vector-index.ts'
import type { ProjectName } from '../../../kernel/model/across.ts'
import type { Degradation, EntryFilter } from '../../../kernel/model/search.ts'
import type { DocumentReference } from '../../../kernel/model/workspace.ts'

/** Whose memories whoever asks may look into, and nothing of any other. */
export interface AcrossProjects {
  /** Memories that are asked at the same time: 1 where asking holds up the thread anyway. */
  readonly atOnce: number
  /** Whether there may be any other: where there is none, nobody is offered to ask. */
  hasOthers(): Promise<boolean>
  /** The one that is asked in comes first, then what was used last. */
  readable(): Promise<ReadableProjects>
}

/** Without a vector words alone decide: search by meaning is switched off, or cannot be had, which is told. */
export interface AskedMeaning {
  readonly asked?: { readonly vector: Float32Array; readonly model: string } | undefined
  readonly degraded: readonly Degradation[]
}

export interface ReadableProjects {
  readonly rooms: readonly Room[]
  /** How many more there are that may not be read from here. */
  readonly closed: number
  readonly degraded: readonly Degradation[]
  /** What a question means, by the embedder of whoever asks. */
  meaningOf(question: string): Promise<AskedMeaning>
}

/** A memory that may be looked into; it is opened when it is its turn. */
export interface Room {
  readonly project: ProjectName
  /**
   * `closed`: it says itself that it is not to be read from others. Throws a `CairnError` where it cannot be read; the others are read all
   * the same.
   */
  open(): Promise<OpenRoom | 'closed'>
}

/** The documents of the workspaces of a project. */
export interface RoomDocuments {
  readonly search: SearchIndex
  readonly vectors: VectorShelf
  references(ids: readonly string[]): Promise<ReadonlyMap<string, DocumentReference>>
}

/** Nothing is changed through it. */
export interface OpenRoom {
  readonly search: SearchIndex
  readonly graph: GraphIndex
  readonly vectors: VectorShelf
  /** Absent: there are none. */
  readonly documents?: RoomDocuments
  /** Narrows every question to what may be told outside. */
  readonly boundary: EntryFilter
  /** By id, the newer entry that took the place of each of these, where one did. */
  replaced(ids: readonly string[]): Promise<ReadonlyMap<string, string>>
  readonly degraded: readonly Degradation[]
  /** What comparing meanings there ran into since this was last asked. */
  takeDegraded(): readonly Degradation[]
  close(): Promise<void>
}
