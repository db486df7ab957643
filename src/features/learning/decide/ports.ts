import type { ConsentState } from '../../../kernel/model/consent.ts'
import type { ModelTerms } from '../../../kernel/model/model-settings.ts'
import type { BriefPorts } from '../../brief/decide/ports.ts'
import type { FreshnessPorts } from '../../freshness/decide/ports.ts'
import type { MeaningPorts, SearchPorts } from '../../search/decide/ports.ts'
import type { SessionPorts } from '../../sessions/decide/ports.ts'
import type { Distiller } from './distiller.ts'
import type { FindingIndex } from './finding-index.ts'
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

export type ModelStanding = ConsentState<ModelTerms>

/** What closing a session needs. */
export interface ClosingPorts
  extends SearchPorts,
    MeaningPorts,
    BriefPorts,
    SessionPorts,
    LearningPorts,
    FreshnessPorts {}
