import type { GraphIndex, SearchIndex, VectorIndex } from '../../../features/search/decide/ports.ts'
import type { ProjectName } from '../../../kernel/model/across.ts'
import type { Degradation, EntryFilter } from '../../../kernel/model/search.ts'
import type { DocumentReference } from '../../../kernel/model/workspace.ts'

/** The projects that the caller may read. */
export interface AcrossProjects {
  /** Memories queried in parallel: 1 where queries block the thread. */
  readonly atOnce: number
  /** Whether there may be other projects: without any, the verbs are not offered. */
  hasOthers(): Promise<boolean>
  /** The current project first, then the most recently used. */
  readable(): Promise<ReadableProjects>
}

/** Without a vector only words decide: search by meaning is off or unavailable, which is reported. */
export interface AskedMeaning {
  readonly asked?: { readonly vector: Float32Array; readonly model: string } | undefined
  readonly degraded: readonly Degradation[]
}

export interface ReadableProjects {
  readonly rooms: readonly Room[]
  /** How many more projects exist that may not be read. */
  readonly closed: number
  readonly degraded: readonly Degradation[]
  /** The vector of a query, from the caller's embedder. */
  meaningOf(question: string): Promise<AskedMeaning>
}

/** A memory that may be read; opened when its turn comes. */
export interface Room {
  readonly project: ProjectName
  /**
   * `closed`: its own configuration forbids reading from other projects. Throws a `CairnError` if it cannot be read; the others are still
   * read.
   */
  open(): Promise<OpenRoom | 'closed'>
}

/** The documents of the workspaces of a project. */
interface RoomDocuments {
  readonly search: SearchIndex
  readonly vectors: VectorIndex
  references(ids: readonly string[]): Promise<ReadonlyMap<string, DocumentReference>>
}

/** Read-only. */
export interface OpenRoom {
  readonly search: SearchIndex
  readonly graph: GraphIndex
  readonly vectors: VectorIndex
  /** Absent: there are none. */
  readonly documents?: RoomDocuments
  /** Limits every query to what other projects may read. */
  readonly boundary: EntryFilter
  /** By id, the newer entry that replaced it, if there is one. */
  replaced(ids: readonly string[]): Promise<ReadonlyMap<string, string>>
  readonly degraded: readonly Degradation[]
  /** Warnings of comparing vectors there since the last call. */
  takeDegraded(): readonly Degradation[]
  close(): Promise<void>
}

export interface AcrossPorts {
  /** The other projects that may be read: only by explicit verbs, never for a brief. */
  readonly across: AcrossProjects
}
