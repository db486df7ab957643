import type { DocumentReference } from './document-reference.ts'
import type { Entry, Origin, Status } from './entry.ts'
import type { ConflictSide } from './unmerged.ts'

/** The tiers of a brief, by priority: what stands first is filled first. */
export const PROMPT_TIERS = [
  'always-inject',
  'preferences',
  'context-bridge',
  'retrieval',
  'session-summary',
] as const
export const START_TIERS = [
  'always-inject',
  'preferences',
  'rules',
  'handoff',
  'tasks',
  'decisions',
  'lessons',
  'recovery',
  'project',
] as const
/** Pinned entries that a brief injects; the others are named in `left`. */
export const MAX_PINNED = 5
export type PromptTierName = (typeof PROMPT_TIERS)[number]
export type StartTierName = (typeof START_TIERS)[number]
export type TierName = PromptTierName | StartTierName

/** Where an item came from and what is to be said about it; shown with it, never part of its text. */
export interface ItemOrigin {
  readonly kind: string
  readonly date: string
  readonly agent: string
  readonly status?: Status
  readonly origin?: Origin
  readonly session?: string
  /** Read from this side of a git conflict that nobody has resolved yet. */
  readonly unmerged?: ConflictSide
  readonly marks?: Marks
  /** Of a document: its scope and its path are told instead of an agent and an id. */
  readonly document?: DocumentReference
}

export interface Marks {
  /** Files the entry names that changed since it was written. */
  readonly changedFiles?: readonly string[]
  /** Files the entry names that are no longer there. */
  readonly goneFiles?: readonly string[]
  /** The id of the newer entry that replaces this one. */
  readonly supersededBy?: string
  /** The id of a newer entry that says it replaces this one; a person has not decided yet. */
  readonly newerClaim?: string
  readonly conflictsWith?: { readonly id: string; readonly content: string }
  /** It has no word of the question, but stands beside an entry of its session that has. */
  readonly besideMatch?: true
}

/** An entry on its way into a brief. */
export interface MarkedEntry {
  readonly entry: Entry
  readonly marks?: Marks
  /** Where it is a document of a workspace, and `entry` a view of it. */
  readonly document?: DocumentReference
  /** 0 to 1; kept with what was included, for `why`. */
  readonly score?: number
}

export interface BriefItem {
  /** Absent for what is no entry: the project text, a message of the last session. */
  readonly id?: string
  readonly text: string
  /** As it will stand in the brief, with what is written around the text. */
  readonly tokens: number
  /** A part of it is still worth having: it may be cut to fit. */
  readonly mayCut?: boolean
  readonly provenance?: ItemOrigin
  readonly score?: number
}

export interface Tier {
  readonly name: TierName
  /** What it may take before the tiers after it had their turn. */
  readonly softLimit: number
  readonly items: readonly BriefItem[]
}

export interface IncludedItem extends BriefItem {
  readonly tier: TierName
  readonly isCut: boolean
}

export type LeftReason =
  | 'no room'
  | 'already in context'
  | 'already in this brief'
  | 'over the limit of its kind'
  | 'superseded'
  | 'more than 5 entries are pinned: unpin one'
  | 'below the floor'
  | 'not new since the last brief'
  | 'empty'

export interface LeftItem {
  readonly id?: string
  readonly tier: TierName
  readonly reason: LeftReason
}

/** What fits the budget, in the order of the tiers, and what does not. */
export interface Selection {
  readonly included: readonly IncludedItem[]
  readonly left: readonly LeftItem[]
  readonly tokens: number
}

/** The text that a host receives, with what is in it and what was left out. */
export interface Brief extends Selection {
  readonly text: string
}

export const BRIEF_FORMATS = ['xml', 'markdown', 'plain'] as const
export type BriefFormat = (typeof BRIEF_FORMATS)[number]
