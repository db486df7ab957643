import type { Entry } from './entry.ts'
import type { EntityRef, StatedRelation } from './graph.ts'
import type { Degradation, Snippet } from './search.ts'
import type { DocumentReference } from './workspace.ts'

/** How an answer from several projects identifies a project. */
export interface ProjectName {
  /** The id in the registry of this machine; on a hub, the name. */
  readonly id: string
  readonly name: string
  /** Its folder; null on a hub. */
  readonly root: string | null
  /** The project in which the question was asked. */
  readonly isHere: boolean
}

/** Where something was found: project, entry, author, date, session, files. */
export interface FoundIn {
  readonly project: ProjectName
  readonly entry: string
  readonly agent: string
  readonly kind: string
  readonly status: Entry['status']
  readonly date: string
  readonly session?: string
  readonly files: readonly string[]
  /** Set if it is a document of a workspace instead of an entry. */
  readonly document?: DocumentReference
  /** The newer entry of the same project that replaced it. */
  readonly replacedBy?: string
}

/** One result. The same text in several projects is one result with several places. */
export interface FoundAcross extends Snippet {
  /** 0 to 1: the share of the query terms that it has, weighted by how rare they are in all projects together. */
  readonly score: number
  readonly content: string
  readonly kind: string
  readonly tags: readonly string[]
  /** The current project first, then by date, newest first. */
  readonly from: readonly FoundIn[]
}

/** What was searched for an answer. What was skipped is in `degraded`, unless the caller may not know about it. */
export interface LookedAt {
  readonly projects: readonly (ProjectName & { readonly found: number })[]
  readonly searched: number
  /** Projects of this user that are not trusted, or that other projects may not read. They are counted, not named. */
  readonly closed: number
  readonly degraded: readonly Degradation[]
}

export interface Everywhere extends LookedAt {
  readonly hits: readonly FoundAcross[]
}

/** An entry about a problem met before, with the sentence that says what was done or decided. */
export interface MetBefore extends FoundAcross {
  /** The sentence of the entry that says what helped or what was decided. */
  readonly says?: string
  readonly tells: 'solution' | 'mention'
}

export interface WhoMet extends LookedAt {
  /** How the text was classified, and which parts of it were searched. */
  readonly sort: 'error' | 'statement'
  readonly query: string
  /** Identifiers of the error that do not depend on where it happens: `ECONNREFUSED`, `TypeError`, `TS2345`. */
  readonly names: readonly string[]
  readonly hits: readonly MetBefore[]
}

/** One entity, over all projects that mention it. */
export interface EntityAcross extends EntityRef {
  /** How many entries mention it, in all projects. */
  readonly entries: number
  readonly in: readonly {
    readonly project: ProjectName
    readonly entries: number
    /** The newest entries that mention it. */
    readonly newest: readonly { readonly id: string; readonly headline: string; readonly date: string }[]
  }[]
  /** Entities in the same entries, most frequent first. */
  readonly related: readonly (EntityRef & { readonly entries: number; readonly projects: number })[]
  /** Relations that entries state about it. */
  readonly relations: readonly {
    readonly from: EntityRef
    readonly relation: StatedRelation
    readonly to: EntityRef
    /** The ids of the projects that state it. */
    readonly projects: readonly string[]
  }[]
}

export interface EntityEverywhere extends LookedAt {
  readonly entities: readonly EntityAcross[]
}
