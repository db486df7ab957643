import type { LeftItem, TierName } from '../../../kernel/model/selection.ts'

/** A brief that a host has received. */
export interface GivenBrief {
  readonly id: string
  /** UTC ISO. */
  readonly at: string
  readonly kind: 'start' | 'prompt'
  readonly host: string
  readonly session?: string
  readonly agent?: string
  readonly profile?: string
  /** What was asked, shortened and freed of secrets: enough to ask again. */
  readonly prompt: string
  readonly files: readonly string[]
  readonly tokens: number
  readonly ms: number
  readonly included: readonly {
    readonly id?: string
    readonly tier: TierName
    readonly tokens: number
    readonly score?: number
  }[]
  readonly left: readonly LeftItem[]
  readonly degraded: readonly string[]
}

export interface BriefTotals {
  readonly briefs: number
  /** Briefs that told nothing, because nothing fitted. */
  readonly silent: number
  readonly tokens: number
}

export interface Latencies {
  readonly samplesMs: readonly number[]
  readonly state: string
}

export interface Accesses {
  readonly accessCount: number
  readonly lastAccessMs: number
}

/** What was told to whom: counters and a short memory, kept in the index alone. */
export interface BriefLog {
  /** Keeps the last 200, and what each session was told. `sessionKey` stands for the session, whose own name may be a secret. Whoever measured how long it took hands the latencies in, to be put in the same breath. */
  record(brief: GivenBrief, sessionKey?: string, latencies?: Latencies): Promise<void>
  /** Newest first. */
  list(limit: number): Promise<readonly GivenBrief[]>
  find(id: string): Promise<GivenBrief | undefined>
  totals(): Promise<BriefTotals>
  /** Ids that the context of this session holds. */
  sentIn(sessionKey: string): Promise<ReadonlySet<string>>
  /** Whether the context of this session holds a start brief, also one in which no entry was told. */
  isStartTold(sessionKey: string): Promise<boolean>
  /** The host has compacted the session's context away: everything may be told again. */
  forgetSent(sessionKey: string): Promise<void>
  /** Latencies of the last retrievals, oldest first, and what was thought of them. */
  latencies(): Promise<{ readonly samplesMs: readonly number[]; readonly state: string | undefined }>
  putLatencies(samplesMs: readonly number[], state: string): Promise<void>
  /** How often each of these was fetched, and when it was last; one that nobody fetched came into the index then. */
  accesses(ids: readonly string[]): Promise<ReadonlyMap<string, Accesses>>
  /** Of all entries together. */
  totalAccesses(): Promise<number>
}
