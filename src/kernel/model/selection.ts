import type { Entry, Origin, Status } from './entry.ts'
import type { ConflictSide } from './unmerged.ts'
import type { DocumentReference } from './workspace.ts'

/** The tiers of a brief, by priority: the first is filled first. */
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
/** How many pinned entries a brief injects; the others are listed in `left`. */
export const MAX_PINNED = 5
export type PromptTierName = (typeof PROMPT_TIERS)[number]
export type StartTierName = (typeof START_TIERS)[number]
export type TierName = PromptTierName | StartTierName

/** The origin of an item and its warnings: shown with it, never part of its text. */
export interface ItemOrigin {
  readonly kind: string
  readonly date: string
  readonly agent: string
  readonly status?: Status
  readonly origin?: Origin
  readonly session?: string
  /** Read from this side of an unresolved git conflict. */
  readonly unmerged?: ConflictSide
  readonly marks?: Marks
  /** For a document: its scope and path are shown instead of an agent and an id. */
  readonly document?: DocumentReference
}

export interface Marks {
  /** Files of the entry that changed since it was written. */
  readonly changedFiles?: readonly string[]
  /** Files of the entry that no longer exist. */
  readonly goneFiles?: readonly string[]
  /** The id of the newer entry that replaces this one. */
  readonly supersededBy?: string
  /** The id of a newer entry that claims to replace this one; a person has not decided yet. */
  readonly newerClaim?: string
  readonly conflictsWith?: { readonly id: string; readonly content: string }
  /** It has no word of the question, but is next to a matching entry of its session. */
  readonly besideMatch?: true
}

/** An entry on its way into a brief. */
export interface MarkedEntry {
  readonly entry: Entry
  readonly marks?: Marks
  /** Set if it is a document of a workspace, and `entry` a view of it. */
  readonly document?: DocumentReference
  /** 0 to 1; stored with what was included, for `why`. */
  readonly score?: number
}

export interface BriefItem {
  /** Absent if it is not an entry: the project text, a message of the last session. */
  readonly id?: string
  readonly text: string
  /** In the brief, including the text around it. */
  readonly tokens: number
  /** It may be shortened to fit: a part of it is still useful. */
  readonly mayCut?: boolean
  readonly provenance?: ItemOrigin
  readonly score?: number
}

export interface Tier {
  readonly name: TierName
  /** How many tokens it may use before the following tiers are filled. */
  readonly softLimit: number
  readonly items: readonly BriefItem[]
}

export interface IncludedItem extends BriefItem {
  readonly tier: TierName
  readonly isCut: boolean
}

type LeftReason =
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

/** The items that fit the budget, in the order of the tiers, and those that do not. */
export interface Selection {
  readonly included: readonly IncludedItem[]
  readonly left: readonly LeftItem[]
  readonly tokens: number
}

/** The text that a host receives, with the items in it and those left out. */
export interface Brief extends Selection {
  readonly text: string
}

export const BRIEF_FORMATS = ['xml', 'markdown', 'plain'] as const
export type BriefFormat = (typeof BRIEF_FORMATS)[number]
