import type { Category, Kind } from './category.ts'
import type { Anchoring } from './freshness.ts'

export const STATUSES = ['candidate', 'confirmed', 'pinned'] as const
export type Status = (typeof STATUSES)[number]

export const ORIGINS = ['person', 'agent', 'machine'] as const
/**
 * Who wrote the text: a person, the session's agent (an explicit save), or a rule or an import. Upkeep may remove the last two; what a
 * person wrote stays until a person removes it.
 */
export type Origin = (typeof ORIGINS)[number]

/**
 * A suggestion: a rule or an import produced it and no person has accepted it. It is shown in the review and never injected. Candidates
 * of an agent and a person's own words are not suggestions.
 */
export function isSuggestion({ status, origin }: Pick<Entry, 'status' | 'origin'>): boolean {
  return status === 'candidate' && origin === 'machine'
}

/** An agent pinned its own candidate and no person confirmed it, as `pinnedBy:agent` in its comment records. */
export function isPinnedByAgent({ status, extra }: Pick<Entry, 'status' | 'extra'>): boolean {
  return status === 'pinned' && extra?.pinnedBy === 'agent'
}

export function isPinnedByPerson(entry: Pick<Entry, 'status' | 'extra'>): boolean {
  return entry.status === 'pinned' && !isPinnedByAgent(entry)
}

/** The entry after a person pinned it, or with the note that an agent pinned it. */
export function withPinnedBy(entry: Entry, by: 'person' | 'agent'): Entry {
  const { pinnedBy: _, ...others } = entry.extra ?? {}
  const { extra: _extra, ...rest } = entry
  const extra = by === 'agent' ? { ...others, pinnedBy: by } : others
  return Object.keys(extra).length === 0 ? rest : { ...rest, extra }
}

export const DEFAULT_IMPORTANCE = 0.5
/** Limits of one entry: tags, files, and characters in each of them. */
export const MAX_TAGS = 50
export const MAX_FILES = 100
export const MAX_FIELD_LENGTH = 500

/** One memory. All of these fields are stable and stored in the Markdown file; counters are in the index. */
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
  /** 0 to 1: how certain the extraction was. Absent if a person wrote it. */
  readonly confidence?: number
  readonly session?: string
  /** Keys of the comment that this version does not know, preserved in order. */
  readonly extra?: Readonly<Record<string, string>>
}

/** Who makes a change: recorded with every mutation. */
export interface Actor {
  readonly host: string
  readonly agent?: string
  readonly session?: string
  /** An agent called a tool; no person was involved. `undo` by an agent only undoes such records. */
  readonly isAgent?: true
  /** On a hub: the owner of the token. */
  readonly principal?: string
}

/** Cairn itself, for changes that no user requested. `cairn undo` without a name skips them. */
export const AUTOMATIC: Actor = { host: 'cairn' }

/** Every agent reads these in addition to its own vault. */
const COMMON_VAULTS: ReadonlySet<string> = new Set(['shared', 'private'])

/** Whether this agent reads the entry; without one, every vault is read. */
export function isReadBy({ agent }: Pick<Entry, 'agent'>, reader: string | undefined): boolean {
  return reader === undefined || agent === reader || COMMON_VAULTS.has(agent)
}

export function isCommonVault(agent: string): boolean {
  return COMMON_VAULTS.has(agent)
}

/** Whether any agent reads both. */
export function haveOneReader(a: Pick<Entry, 'agent'>, b: Pick<Entry, 'agent'>): boolean {
  return isReadBy(a, b.agent) || isReadBy(b, a.agent)
}
