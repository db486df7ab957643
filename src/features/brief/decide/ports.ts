import type { TellablePreferences } from '../../../kernel/model/preference.ts'
import type { Reranker } from '../../../kernel/model/reranker.ts'
import type { LeftItem, Marks, TierName } from '../../../kernel/model/selection.ts'
import type { ConflictPorts } from '../../conflicts/decide/ports.ts'
import type { DocumentPorts, MeaningPorts, SearchPorts } from '../../search/decide/ports.ts'
import type { Profiles } from '../../search/decide/profiles.ts'

export interface BriefPorts {
  readonly briefs: BriefLog
  /** What a brief is made of beside entries. */
  readonly sources: BriefSources
  /** What tasks need: those that come with Cairn, and the project's own. */
  readonly profiles: () => Promise<Profiles>
  /** In place of the one that `brief.reranker` names. */
  readonly reranker?: Reranker
  /** What people and agents said of entries, by id. */
  readonly feedback: () => Promise<Readonly<Record<string, Feedback>>>
}

export interface Feedback {
  readonly useful: number
  readonly wrong: number
}

/** What a brief is made of beside entries (compose-sources.ts). */
export interface BriefSources {
  /** The files that the agent edited in the last turns of this session, newest first. */
  editedFiles(session: string, agent: string): Promise<readonly string[]>
  /** What the user wants in every project, best first, as far as the reader sees it. Throws `store_io` when it cannot be read. */
  preferences(reader?: string): Promise<TellablePreferences>
  /** The last messages of the agent's last session, when it was never closed and is not this one. */
  recovery(
    agent: string,
    session?: string,
  ): Promise<readonly { readonly role: string; readonly text: string }[]>
  /** Conflicts and drift of these entries, as far as the reader sees both sides; without one, every vault is read. */
  marks(ids: readonly string[], reader?: string): Promise<ReadonlyMap<string, Marks>>
}

/** What a brief for a prompt needs. */
export interface PromptPorts extends SearchPorts, MeaningPorts, DocumentPorts, ConflictPorts, BriefPorts {}

/** A brief that a host has received. */
export interface LoggedBrief {
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

interface Accesses {
  readonly accessCount: number
  readonly lastAccessMs: number
}

/** What was told to whom: counters and a short memory, kept in the index alone. */
export interface BriefLog {
  /** Keeps the last 200, and what each session was told. `sessionKey` stands for the session, whose own name may be a secret. Whoever measured how long it took hands the latencies in, to be put in the same breath. */
  record(brief: LoggedBrief, sessionKey?: string, latencies?: Latencies): Promise<void>
  /** Newest first. */
  list(limit: number): Promise<readonly LoggedBrief[]>
  find(id: string): Promise<LoggedBrief | undefined>
  totals(): Promise<BriefTotals>
  /** Ids that the context of this session holds. */
  sentIn(sessionKey: string): Promise<ReadonlySet<string>>
  /** Whether the context of this session holds a start brief, also one in which no entry was told. */
  hasStartBrief(sessionKey: string): Promise<boolean>
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
