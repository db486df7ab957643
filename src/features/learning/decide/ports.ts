import type { ConsentState } from '../../../kernel/model/consent.ts'
import type { ModelTerms } from '../../../kernel/model/model-settings.ts'
import type { SessionFinding, SessionMemory } from '../../../kernel/model/session.ts'
import type { BriefPorts } from '../../brief/decide/ports.ts'
import type { FreshnessPorts } from '../../freshness/decide/ports.ts'
import type { MeaningPorts, SearchPorts } from '../../search/decide/ports.ts'
import type { SessionPorts } from '../../sessions/decide/ports.ts'
import type { SpendLog } from './spend-log.ts'

export interface LearningPorts {
  /** An index of the findings of closed sessions. */
  readonly findings: FindingIndex
}

export interface ModelPorts {
  /** A language model that reviews findings. Off unless it is configured and allowed. */
  readonly model: ModelUse
  /** What the model calls cost. */
  readonly spend: SpendLog
}

/** The configured model: its settings, the consent of this user on this machine, and the client, opened when it is needed. */
export interface ModelUse {
  standing(): Promise<ModelStanding>
  /** Allows the settings with this code. Throws `model_off`, or `not_confirmed` if the code belongs to other settings. */
  allow(code: string): Promise<ModelStanding>
  /** Revokes the consent; false: there was none. */
  forbid(): Promise<boolean>
  /** Throws `model_off` or `not_confirmed`. */
  distiller(): Promise<Distiller>
}

export type ModelStanding = ConsentState<ModelTerms>

/** The ports that closing a session needs. */
export interface ClosingPorts
  extends SearchPorts,
    MeaningPorts,
    BriefPorts,
    SessionPorts,
    LearningPorts,
    FreshnessPorts {}

/** A language model that answers one request at a time. It knows nothing about findings. */
export interface Distiller {
  /** `anthropic:…`, `openai:…`, `cli:claude`. */
  readonly name: string
  /** Throws `model_failed`. `details.spent` says whether the call can have cost anything: `nothing` or `unknown`. */
  ask(request: DistillerRequest): Promise<DistillerAnswer>
}

interface DistillerRequest {
  readonly instruction: string
  readonly content: string
  readonly maxOutputTokens: number
}

export interface DistillerAnswer {
  readonly text: string
  /** undefined: the model did not report it. */
  readonly inputTokens: number | undefined
  readonly outputTokens: number | undefined
  /** The cost, if the model reports it. */
  readonly costMicroUsd?: number
  /** The answer was cut off at the maximum length. */
  readonly isCut: boolean
}

/** A finding of a closed session as the index stores it. */
export interface KnownFinding extends SessionFinding {
  readonly session: string
  /** The session at the root of its forks, or the session itself: forks are not evidence for each other. */
  readonly root: string
  readonly agent: string
  readonly finalizedAt: number
}

/**
 * An index of `sessions/*.memory.json`, rebuilt from the files. A file is read again when its stamp changes.
 */
export interface FindingIndex {
  /** Session → the stamp of its file when it was read. */
  stamps(): Promise<ReadonlyMap<string, string>>
  /** Replaces the stored data of the session. */
  put(read: {
    readonly memory: SessionMemory
    readonly stamp: string
    /** The session at the root of its forks, or the session itself. */
    readonly root: string
  }): Promise<void>
  drop(sessions: readonly string[]): Promise<void>
  /** Findings with this fingerprint, newest first. */
  findSame(fingerprint: string, limit: number): Promise<readonly KnownFinding[]>
  /** Findings that are not entries, newest session first. */
  pending(options: {
    readonly limit: number
    readonly offset: number
  }): Promise<{ readonly findings: readonly KnownFinding[]; readonly total: number }>
  /** The root of the forks of this session; undefined: the session is not in the index. */
  rootOf(session: string): Promise<string | undefined>
  /** The finding that became this entry. */
  findByEntry(entry: string): Promise<KnownFinding | undefined>
  /** By its id, which is unique across sessions. */
  find(id: string): Promise<KnownFinding | undefined>
}
