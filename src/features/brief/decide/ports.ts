import type { InjectablePreferences } from '../../../kernel/model/preference.ts'
import type { Reranker } from '../../../kernel/model/search.ts'
import type { LeftItem, Marks, TierName } from '../../../kernel/model/selection.ts'
import type { ConflictPorts } from '../../conflicts/decide/ports.ts'
import type { DocumentPorts, MeaningPorts, SearchPorts } from '../../search/decide/ports.ts'
import type { Profiles } from '../../search/decide/profiles.ts'

export interface BriefPorts {
  readonly briefs: BriefLog
  /** The parts of a brief other than entries. */
  readonly sources: BriefSources
  /** What tasks need: those that come with Cairn, and the project's own. */
  readonly profiles: () => Promise<Profiles>
  /** In place of the one that `brief.reranker` names. */
  readonly reranker?: Reranker
  /** Feedback of people and agents, by entry id. */
  readonly feedback: () => Promise<Readonly<Record<string, Feedback>>>
}

export interface Feedback {
  readonly useful: number
  readonly wrong: number
}

/** The parts of a brief other than entries (compose-sources.ts). */
export interface BriefSources {
  /** The files that the agent edited in the last turns of this session, newest first. */
  editedFiles(session: string, agent: string): Promise<readonly string[]>
  /** What the user wants in every project, best first, as far as the reader sees it. Throws `store_io` when it cannot be read. */
  preferences(reader?: string): Promise<InjectablePreferences>
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
  /** The prompt, shortened and redacted: enough to repeat the request. */
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
  /** Briefs without content, because nothing was relevant. */
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

/** Log of the briefs that were sent: counters and recent briefs, stored only in the index. */
export interface BriefLog {
  /**
   * Stores the last 200 briefs, and the ids that each session received. `sessionKey` identifies the session, whose own
   * name may be a secret. A caller that measured the latency passes it, so that both are written together.
   */
  record(brief: LoggedBrief, sessionKey?: string, latencies?: Latencies): Promise<void>
  /** Newest first. */
  list(limit: number): Promise<readonly LoggedBrief[]>
  find(id: string): Promise<LoggedBrief | undefined>
  totals(): Promise<BriefTotals>
  /** Ids that are in the context of this session. */
  sentIn(sessionKey: string): Promise<ReadonlySet<string>>
  /** Whether the context of this session has a start brief, even one without entries. */
  hasStartBrief(sessionKey: string): Promise<boolean>
  /** The host has compacted the session's context: everything may be sent again. */
  forgetSent(sessionKey: string): Promise<void>
  /** Latencies of the last retrievals, oldest first, and their assessment. */
  latencies(): Promise<{ readonly samplesMs: readonly number[]; readonly state: string | undefined }>
  putLatencies(samplesMs: readonly number[], state: string): Promise<void>
  /** How often each entry was fetched, and when last. For an entry that was never fetched: when it was indexed. */
  accesses(ids: readonly string[]): Promise<ReadonlyMap<string, Accesses>>
  /** Of all entries together. */
  totalAccesses(): Promise<number>
}
