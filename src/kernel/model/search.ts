import type { Category } from './category.ts'
import type { Entry, Status } from './entry.ts'
import type { Freshness } from './freshness.ts'
import type { NoticeCode } from './notice-codes.ts'
import type { Marks } from './selection.ts'
import type { DocumentReference } from './workspace.ts'

/** Which entries may match. Every field narrows the search; a list means "any of". */
export interface EntryFilter {
  readonly agent?: string
  /** What this agent reads: its own vault, `shared` and `private`. */
  readonly reader?: string
  /** Without the vault `private`, which is never sent outside its project. */
  readonly exceptPrivate?: true
  /** Without suggestions (`isSuggestion`): entries that may be injected. */
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

/** Which documents of workspaces may match. They have a scope instead of a vault, and name no files. */
export interface DocumentFilter extends Pick<EntryFilter, 'kind' | 'tags' | 'since' | 'until'> {
  /** `devtools/common`: its documents, those below it, and those above that apply to it. */
  readonly scope?: string
}

/** The position of a query word in the snippet, as offsets. */
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
  /** Set if the hit is a document of a workspace: `entry` is then a read-only view of it, of the agent `workspace`. */
  readonly document?: DocumentReference
  /** Warnings about it: superseded, in conflict, drifted. Absent if there are none. */
  readonly marks?: Marks
  /** For an entry whose files changed a lot or are gone. */
  readonly freshness?: Freshness
}

/** An optional leg that failed or was skipped. It is named, so that an empty answer is never mistaken for "no memories". */
export interface Degradation {
  readonly code: NoticeCode
  readonly message: string
}

/** A file or document that needs a person's attention: reported by status, doctor and search, never silently skipped. */
export interface Problem {
  readonly code: NoticeCode
  readonly path: string
  readonly line?: number
  readonly entry?: string
  readonly message: string
  readonly hint: string
}

/** An entry that may answer a prompt, with its evidence. */
export interface RankedCandidate {
  readonly id: string
  /** 0 to 1. */
  readonly score: number
  /** 0 to 1: the share of the prompt's words that it has. */
  readonly words: number
  /** 0 to 1: its semantic similarity. */
  readonly meaning: number
}

/** Reorders the best candidates before they are cut. Scores may change; a candidate that is not returned is dropped. */
export interface Reranker {
  readonly name: string
  rerank(best: readonly RankedCandidate[], given: RerankInput): Promise<readonly RankedCandidate[]>
}

export interface RerankInput {
  readonly prompt: string
  /** Cosine of two entries; undefined if one has no vector. */
  readonly similarity: (a: string, b: string) => Promise<number | undefined>
}
