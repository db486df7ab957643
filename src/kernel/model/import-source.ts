import { isObject } from './json-value.ts'

export const SYNC_STATUSES = ['succeeded', 'partial', 'failed'] as const
/** `partial`: some of it could not be imported, and the rest was. */
export type SyncStatus = (typeof SYNC_STATUSES)[number]

/** A place that is imported from repeatedly (seed D, sources.json). */
export interface ImportSource {
  /** The prefix of its events. Lower-case letters, digits and `-`. */
  readonly id: string
  /** A format that `cairn import` knows. */
  readonly type: string
  /** A file or a folder, absolute. */
  readonly path: string
  /** The vault for entries that do not name an agent. */
  readonly agent?: string
  /** UTC ISO, like all times here. */
  readonly createdAt: string
  readonly updatedAt: string
  readonly lastSyncedAt: string | null
  readonly lastSyncStatus: SyncStatus | null
  /** What went wrong, without secrets. */
  readonly lastSyncError: string | null
  /** How many items the last sync added. */
  readonly lastImportedCount: number
}

/** Equal for sources that would read the same: what the user agrees to. */
export function sourceTerms({ id, type, path, agent }: ImportSource): string {
  return JSON.stringify([id, type, path, agent ?? null])
}

type Test = (value: unknown) => boolean
/** Limits what a file from a repository can add to the memory. */
const MAX_TEXT_LENGTH = 4_096
const isId: Test = value => typeof value === 'string' && /^[a-z0-9][a-z0-9-]{0,63}$/.test(value)
const isText: Test = value =>
  typeof value === 'string' && value !== '' && value.length <= MAX_TEXT_LENGTH && !value.includes('\0')
const isMoment: Test = value => isText(value) && !Number.isNaN(Date.parse(value as string))
const isStatus: Test = value => (SYNC_STATUSES as readonly unknown[]).includes(value)
const isCount: Test = value => Number.isSafeInteger(value) && (value as number) >= 0
const orNull =
  (test: Test): Test =>
  value =>
    value === undefined || value === null || test(value)

/** The fields of a source in `sources.json`. A source without the required ones is not used; the others have a default. */
export const SOURCE_FIELDS: Readonly<
  Record<keyof ImportSource, { readonly isGood: Test; readonly expected: string; readonly isNeeded?: true }>
> = {
  id: { isGood: isId, expected: 'small letters, digits and `-`, at most 64', isNeeded: true },
  type: { isGood: isText, expected: 'a text', isNeeded: true },
  path: { isGood: isText, expected: 'a text', isNeeded: true },
  agent: { isGood: value => value === undefined || isText(value), expected: 'a text', isNeeded: true },
  createdAt: { isGood: isMoment, expected: 'a date and time in UTC' },
  updatedAt: { isGood: isMoment, expected: 'a date and time in UTC' },
  lastSyncedAt: { isGood: orNull(isMoment), expected: 'a date and time in UTC, or null' },
  lastSyncStatus: { isGood: orNull(isStatus), expected: `${SYNC_STATUSES.join(', ')} or null` },
  lastSyncError: { isGood: orNull(value => typeof value === 'string'), expected: 'a text, or null' },
  lastImportedCount: { isGood: orNull(isCount), expected: 'a whole number, or null' },
}
export const SOURCES_VERSION = 1
/** More than any user has. */
export const MAX_SOURCES = 1_000

/** `sources.json` is an object with a list, or the list alone. undefined: neither. */
export function sourceList(document: unknown): readonly unknown[] | undefined {
  const list = isObject(document) ? document.sources : document
  return Array.isArray(list) ? list : undefined
}
