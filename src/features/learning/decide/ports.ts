import type { ConsentStanding } from '../../../kernel/model/consent-standing.ts'
import type { ModelTerms } from '../../../kernel/model/model-settings.ts'
import type { SessionFinding, SessionMemory } from '../../../kernel/model/session.ts'
import type { BriefPorts } from '../../brief/decide/ports.ts'
import type { FreshnessPorts } from '../../freshness/decide/ports.ts'
import type { MeaningPorts, SearchPorts } from '../../search/decide/ports.ts'
import type { SessionPorts } from '../../sessions/decide/ports.ts'
import type { SpendLog } from './spend-log.ts'

export interface LearningPorts {
  /** What closed sessions found, for looking up. */
  readonly findings: FindingIndex
}

export interface ModelPorts {
  /** A language model that goes over what was distilled: off unless it is configured and allowed. */
  readonly model: ModelUse
  /** What models were paid. */
  readonly spend: SpendLog
}

/** Which model is configured, whether this user allowed it on this machine, and the model itself, opened when it is asked for. */
export interface ModelUse {
  standing(): Promise<ModelStanding>
  /** Says yes to the settings that have this code. Throws `model_off`, or `not_confirmed` when it is the code of others. */
  allow(code: string): Promise<ModelStanding>
  /** Takes the yes back; false: there was none. */
  forbid(): Promise<boolean>
  /** Throws `model_off` or `not_confirmed`. */
  distiller(): Promise<Distiller>
}

export type ModelStanding = ConsentStanding<ModelTerms>

/** What closing a session needs. */
export interface ClosingPorts
  extends SearchPorts,
    MeaningPorts,
    BriefPorts,
    SessionPorts,
    LearningPorts,
    FreshnessPorts {}

/** A language model that can be asked one thing at a time. It knows nothing of findings. */
export interface Distiller {
  /** `anthropic:…`, `openai:…`, `cli:claude`. */
  readonly name: string
  /**
   * Throws `model_failed`; `details.spent` then says whether it can have cost anything: `nothing`, or `unknown`.
   */
  ask(request: DistillerRequest): Promise<DistillerAnswer>
}

export interface DistillerRequest {
  readonly instruction: string
  readonly content: string
  readonly maxOutputTokens: number
}

export interface DistillerAnswer {
  readonly text: string
  /** undefined: it did not tell. */
  readonly inputTokens: number | undefined
  readonly outputTokens: number | undefined
  /** Where it says what it cost. */
  readonly costMicroUsd?: number
  /** It stopped because the answer became too long. */
  readonly isCut: boolean
}

/** A finding of a closed session, as the index keeps it. */
export interface KnownFinding extends SessionFinding {
  readonly session: string
  /** The first of the sessions that this one was forked from, or itself: forks are no evidence for each other. */
  readonly root: string
  readonly agent: string
  readonly finalizedAt: number
}

/**
 * What sessions found, for looking up: a cache of `sessions/*.memory.json`. Each file is read in once, when its stamp is another
 * than the one it was read with.
 */
export interface FindingIndex {
  /** Session → the stamp of its file when it was read in. */
  stamps(): Promise<ReadonlyMap<string, string>>
  /** Takes the place of what was known of the session. */
  put(read: {
    readonly memory: SessionMemory
    readonly stamp: string
    /** The first of the sessions that it was forked from, or itself. */
    readonly root: string
  }): Promise<void>
  drop(sessions: readonly string[]): Promise<void>
  /** Findings with this fingerprint, newest first. */
  findSame(fingerprint: string, limit: number): Promise<readonly KnownFinding[]>
  /** Those that are no entry, newest session first. */
  pending(options: {
    readonly limit: number
    readonly offset: number
  }): Promise<{ readonly findings: readonly KnownFinding[]; readonly total: number }>
  /** The first of the sessions that this one descends from; undefined when it was not read in. */
  rootOf(session: string): Promise<string | undefined>
  /** The finding that became this entry. */
  findByEntry(entry: string): Promise<KnownFinding | undefined>
  /** By its id, which names it within all sessions. */
  find(id: string): Promise<KnownFinding | undefined>
}
