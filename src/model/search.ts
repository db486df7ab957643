import type { Category } from './category.ts'
import type { Entry, Status } from './entry.ts'
import type { Freshness } from './freshness.ts'
import type { Marks } from './selection.ts'

/** Which entries may answer. Every field narrows; lists mean "any of". */
export interface EntryFilter {
  readonly agent?: string
  /** What this agent reads: its own vault, `shared` and `private`. */
  readonly reader?: string
  readonly category?: Category
  readonly kind?: string
  readonly tags?: readonly string[]
  readonly status?: Status
  /** Inclusive, compared with the entry's date: `2026-03` or `2026-03-16` or `2026-03-16T10:00`. */
  readonly since?: string
  readonly until?: string
  /** A path, the end of one (`auth.ts`), or a folder (`src/auth/`). */
  readonly file?: string
}

/** Where a query word stands in the snippet, as offsets into it. */
export interface MatchSpan {
  readonly start: number
  readonly end: number
}

export interface Snippet {
  readonly text: string
  readonly matches: readonly MatchSpan[]
}

export interface Hit {
  readonly id: string
  readonly score: number
  /** About 120 characters around the best match. */
  readonly snippet: string
  readonly matches: readonly MatchSpan[]
  readonly entry: Entry
  /** What is to be said of it: superseded, in conflict, drifted. Absent when there is nothing. */
  readonly marks?: Marks
  /** Of an entry whose files changed a lot or are gone. */
  readonly freshness?: Freshness
}

/** An optional leg that failed or was skipped: named, so that an empty answer is never mistaken for "nothing there". */
export interface Degradation {
  readonly code: string
  readonly message: string
}

/** A file or document that needs a person's eye: reported by status, doctor and search, never silently skipped. */
export interface Problem {
  readonly code: string
  readonly path: string
  readonly line?: number
  readonly entry?: string
  readonly message: string
  readonly hint: string
}
