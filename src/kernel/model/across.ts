import type { DocumentReference } from './document-reference.ts'
import type { Entry } from './entry.ts'
import type { EntityRef, StatedRelation } from './graph.ts'
import type { Degradation, Snippet } from './search.ts'

/** A project as an answer from several names it. */
export interface ProjectName {
  /** Of the registry on this machine; on a hub its name. */
  readonly id: string
  readonly name: string
  /** Its folder; null on a hub. */
  readonly root: string | null
  /** The one that the question was asked in. */
  readonly isHere: boolean
}

/** Where something stands: in which project, as which entry, who wrote it, when, in which session, about which files. */
export interface FoundIn {
  readonly project: ProjectName
  readonly entry: string
  readonly agent: string
  readonly kind: string
  readonly status: Entry['status']
  readonly date: string
  readonly session?: string
  readonly files: readonly string[]
  /** Set where it is no entry but a document of a workspace. */
  readonly document?: DocumentReference
  /** The newer entry of the same project that took its place. */
  readonly replacedBy?: string
}

/** What was found, once: the same text in several projects is one, with several places. */
export interface FoundAcross extends Snippet {
  /** 0 to 1: how much of what is asked it has, by how rare the words are in all of the projects together. */
  readonly score: number
  readonly content: string
  readonly kind: string
  readonly tags: readonly string[]
  /** Here first, then the newest. */
  readonly from: readonly FoundIn[]
}

/** What was looked at for an answer. What was not is in `degraded`, or is no business of whoever asks. */
export interface LookedAt {
  readonly projects: readonly (ProjectName & { readonly found: number })[]
  readonly searched: number
  /** Projects of this user that are not trusted, or that are not to be read from others. They are counted and not named. */
  readonly closed: number
  readonly degraded: readonly Degradation[]
}

export interface Everywhere extends LookedAt {
  readonly hits: readonly FoundAcross[]
}

/** Somebody has met it: what they found, and the sentence that says what was done or decided. */
export interface MetBefore extends FoundAcross {
  /** Where the entry tells what helped, or what was decided, in its own words. */
  readonly says?: string
  readonly tells: 'solution' | 'mention'
}

export interface WhoMet extends LookedAt {
  /** What the text was read as, and what of it was looked for. */
  readonly sort: 'error' | 'statement'
  readonly query: string
  /** How the error is called wherever it happens: `ECONNREFUSED`, `TypeError`, `TS2345`. */
  readonly names: readonly string[]
  readonly hits: readonly MetBefore[]
}

/** One entity in all projects that mention it. */
export interface EntityAcross extends EntityRef {
  /** In how many entries it stands, of all projects. */
  readonly entries: number
  readonly in: readonly {
    readonly project: ProjectName
    readonly entries: number
    /** The newest that mention it. */
    readonly newest: readonly { readonly id: string; readonly headline: string; readonly date: string }[]
  }[]
  /** What stands in the same entries, the most often first. */
  readonly related: readonly (EntityRef & { readonly entries: number; readonly projects: number })[]
  /** What entries state about it. */
  readonly relations: readonly {
    readonly from: EntityRef
    readonly relation: StatedRelation
    readonly to: EntityRef
    /** The ids of the projects that say so. */
    readonly projects: readonly string[]
  }[]
}

export interface EntityEverywhere extends LookedAt {
  readonly entities: readonly EntityAcross[]
}
