import type {
  Bundle,
  BundleSection,
  ProjectFacts,
  ProjectMap,
  StateMaintenance,
} from '../../../kernel/model/bundle.ts'
import type { Entry } from '../../../kernel/model/entry.ts'
import type { MemoryEvent } from '../../../kernel/model/event.ts'

/**
 * Whose statements the bundle takes:
 *
 *   conservative   what a person wrote or confirmed, and handoffs
 *   balanced       also the warnings, errors and lessons that agents saved
 *   eager          also their discoveries
 */
export const RECALL_POLICIES = ['conservative', 'balanced', 'eager'] as const
export type RecallPolicy = (typeof RECALL_POLICIES)[number]

/** Everything that the bundle is made of, as data. */
export interface RecallInput {
  /** undefined: there is none yet. */
  readonly bundle: Bundle | undefined
  /** A model worded it: its words stay while the entries behind them are unchanged since this moment, UTC ISO. */
  readonly wordedAt?: string | undefined
  /** Not folded in yet, in the order of the log: how checks went. */
  readonly events: readonly MemoryEvent[]
  /** Lessons, tasks and handoffs as they are now; undefined: they are not to be read this time. */
  readonly entries: readonly RecallEntry[] | undefined
  /** Entries that a restored checkpoint does not tell of. */
  readonly setAside?: StateMaintenance['setAside'] | undefined
  readonly project: {
    readonly map: ProjectMap
    readonly facts: ProjectFacts
    readonly packageManager: string
  }
  readonly policy: RecallPolicy
  readonly sections: readonly BundleSection[]
  /** Removes secrets. */
  readonly clean: (text: string) => string
}

export interface RecallEntry {
  readonly entry: Entry
  /** A newer entry replaces it. */
  readonly isSuperseded: boolean
}
