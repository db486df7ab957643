import type { Origin, Status } from './entry.ts'

/** A preference of the user for every project: an entry of the user-level memory on its way into a brief. */
export interface Preference {
  readonly id: string
  /** The vault of the user's memory that contains it. */
  readonly agent: string
  readonly kind: string
  readonly status: Status
  readonly origin: Origin
  /** UTC, to the minute. */
  readonly date: string
  readonly importance: number
  /** Without secrets. */
  readonly text: string
}

/** The version of the cache of preferences (`LAYOUT.preferences`), which is in the user's folder and in no project. */
export const PREFERENCES_VERSION = 2

/** A file or folder of the user's memory when the preferences were read. No stamp: it did not exist. */
export interface KnownPlace {
  /** Relative to the memory. */
  readonly path: string
  readonly stamp?: { readonly size: number; readonly mtimeMs: number; readonly inode: number }
}

export interface KnownPreferences {
  readonly version: typeof PREFERENCES_VERSION
  readonly readMs: number
  readonly places: readonly KnownPlace[]
  /** Best first. */
  readonly preferences: readonly Preference[]
  /** Files that were not read, with the reason, one sentence each. */
  readonly left: readonly string[]
}

export type InjectablePreferences = Pick<KnownPreferences, 'preferences' | 'left'>
