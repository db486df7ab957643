import type { Category, Kind } from './category.ts'
import type { Origin, Status } from './entry.ts'
import type { Anchor, Anchoring } from './freshness.ts'
import type { Lineage, Provenance } from './provenance.ts'

/** The input of a caller. Everything except the content has a default. */
export interface NewEntry {
  readonly content: string
  readonly agent?: string | undefined
  readonly category?: Category | undefined
  readonly kind?: Kind | undefined
  readonly tags?: readonly string[] | undefined
  readonly files?: readonly string[] | undefined
  readonly importance?: number | undefined
  readonly confidence?: number | undefined
  readonly session?: string | undefined
  readonly status?: Status | undefined
  readonly origin?: Origin | undefined
  /** `2026-03-16`, or with a time; UTC unless it has a time zone. */
  readonly date?: string | undefined
  /** For an exported entry; a new one gets its own. */
  readonly anchors?: readonly Anchor[] | undefined
  readonly commit?: string | undefined
  /** For an entry that another tool stored. */
  readonly provenance?: Provenance | undefined
  readonly lineage?: Lineage | undefined
}

/** A removed part: its type and position. Never its value. */
export interface RedactedPart {
  readonly type: string
  readonly field: 'content' | 'tags' | 'files' | 'session'
  /** From 1, in the text as passed in. */
  readonly line: number
  readonly column: number
  readonly length: number
}

/** A validated entry without secrets, which only lacks its id. */
export interface CapturedEntry extends Anchoring {
  readonly agent: string
  readonly category: Category
  readonly kind: Kind
  readonly status: Status
  readonly origin: Origin
  readonly dateMs: number | undefined
  readonly content: string
  readonly tags: readonly string[]
  readonly files: readonly string[]
  readonly importance: number
  readonly confidence: number | undefined
  readonly session: string | undefined
  readonly extra?: Readonly<Record<string, string>>
}
