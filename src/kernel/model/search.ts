import type { Category } from './category.ts'
import type { DocumentReference } from './document-reference.ts'
import type { Entry, Status } from './entry.ts'
import type { Freshness } from './freshness.ts'
import type { NoticeCode } from './notice-codes.ts'
import type { Marks } from './selection.ts'

/** Which entries may answer. Every field narrows; lists mean "any of". */
export interface EntryFilter {
  readonly agent?: string
  /** What this agent reads: its own vault, `shared` and `private`. */
  readonly reader?: string
  /** Without the vault `private`, which is never told outside its project. */
  readonly exceptPrivate?: true
  /** Without suggestions (`isSuggestion`): what may be injected. */
  readonly exceptSuggestions?: true
  readonly category?: Category
  readonly kind?: string
  readonly tags?: readonly string[]
  readonly status?: Status
  /** The session that it comes from. */
  readonly session?: string
  /** Inclusive, compared with the entry's date: `2026-03` or `2026-03-16` or `2026-03-16T10:00`. */
  readonly since?: string
  readonly until?: string
  /** A path, the end of one (`auth.ts`), or a folder (`src/auth/`). */
  readonly file?: string
}

/** Which documents of workspaces may answer. They have a scope and no vault, and name no files. */
export interface DocumentFilter extends Pick<EntryFilter, 'kind' | 'tags' | 'since' | 'until'> {
  /** `devtools/common`: what lies in it and below, and what holds for it from above. */
  readonly scope?: string
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
  /** Set where the hit is no entry but a document of a workspace: `entry` is a view of it then, of the agent `workspace`, and cannot be changed. */
  readonly document?: DocumentReference
  /** What is to be said of it: superseded, in conflict, drifted. Absent when there is nothing. */
  readonly marks?: Marks
  /** Of an entry whose files changed a lot or are gone. */
  readonly freshness?: Freshness
}

/** An optional leg that failed or was skipped: named, so that an empty answer is never mistaken for "nothing there". */
export interface Degradation {
  readonly code: NoticeCode
  readonly message: string
}

/** A file or document that needs a person's eye: reported by status, doctor and search, never silently skipped. */
export interface Problem {
  readonly code: NoticeCode
  readonly path: string
  readonly line?: number
  readonly entry?: string
  readonly message: string
  readonly hint: string
}
