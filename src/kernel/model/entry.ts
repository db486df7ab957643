import type { Category, Kind } from './category.ts'
import type { Anchoring } from './freshness.ts'

export const STATUSES = ['candidate', 'confirmed', 'pinned'] as const
export type Status = (typeof STATUSES)[number]

export const ORIGINS = ['person', 'agent', 'machine'] as const
/**
 * Whose words these are: a person's, those of the session's agent (an explicit save), or those of a rule or an import.
 * Upkeep may retire the last two; what a person wrote stays until a person removes it.
 */
export type Origin = (typeof ORIGINS)[number]

/**
 * A suggestion: a rule or an import produced it and no person has accepted it. It is shown in the review and never injected.
 * The candidates of an agent, and a person's own words, are not suggestions.
 */
export function isSuggestion({ status, origin }: Pick<Entry, 'status' | 'origin'>): boolean {
  return status === 'candidate' && origin === 'machine'
}

/** An agent pinned its own candidate. No person confirmed it: `pinnedBy:agent` in its comment says so. */
export function isPinnedByAgent({ status, extra }: Pick<Entry, 'status' | 'extra'>): boolean {
  return status === 'pinned' && extra?.pinnedBy === 'agent'
}

export function isPinnedByPerson(entry: Pick<Entry, 'status' | 'extra'>): boolean {
  return entry.status === 'pinned' && !isPinnedByAgent(entry)
}

/** The entry as a person's word leaves it, or with the note that an agent pinned it. */
export function withPinnedBy(entry: Entry, by: 'person' | 'agent'): Entry {
  const { pinnedBy: _, ...others } = entry.extra ?? {}
  const { extra: _extra, ...rest } = entry
  const extra = by === 'agent' ? { ...others, pinnedBy: by } : others
  return Object.keys(extra).length === 0 ? rest : { ...rest, extra }
}

export const DEFAULT_IMPORTANCE = 0.5
/** What one entry holds of tags and files, and of characters in each. */
export const MAX_TAGS = 50
export const MAX_FILES = 100
export const MAX_FIELD_LENGTH = 500

/** One memory. Everything here is stable and lives in the Markdown file; counters live in the index. */
export interface Entry extends Anchoring {
  readonly id: string
  readonly agent: string
  readonly category: Category
  readonly kind: Kind
  readonly status: Status
  readonly origin: Origin
  /** UTC, to the minute: `2026-03-16T16:51`. */
  readonly date: string
  /** UTC, to the second; absent until the entry is changed. */
  readonly updated?: string
  readonly content: string
  readonly tags: readonly string[]
  readonly files: readonly string[]
  /** 0 to 1. */
  readonly importance: number
  /** 0 to 1: how sure the extraction was. Absent on what a person wrote. */
  readonly confidence?: number
  readonly session?: string
  /** Keys of the comment that this version does not know; kept as they were, in order. */
  readonly extra?: Readonly<Record<string, string>>
}

/** Who is doing something: recorded with every mutation. */
export interface Actor {
  readonly host: string
  readonly agent?: string
  readonly session?: string
  /** An agent called a tool; no person did it. `undo` by an agent takes back only such records. */
  readonly isAgent?: true
  /** On a hub: whose token it was. */
  readonly principal?: string
}

/** Cairn itself, for what nobody was asked about: `cairn undo` without a name passes over it, as nobody did it. */
export const AUTOMATIC: Actor = { host: 'cairn' }
