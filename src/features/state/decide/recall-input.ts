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

/**
 * Every limit of the bundle, in one table. Sessions start with it, so what is in it costs tokens every time: it has about what a
 * person would tell a colleague in two minutes.
 */
export const BUNDLE_LIMITS = {
  /** What the last real handoff says was asked. */
  focusItems: 2,
  gotchas: 10,
  nextSteps: 12,
  /** Steps that a handoff names as left. */
  handoffSteps: 4,
  validationCommands: 8,
  /** Sources that an item names: enough to look it up. */
  sources: 5,
  files: 5,
  /** A statement is a sentence or two. */
  textCharacters: 240,
  commandCharacters: 120,
  /** The newest events that say how checks went: recall over any history takes a bounded time. */
  observedEvents: 4_000,
} as const

/** A check that was not run for so long, against the newest that was, is no longer listed. */
export const COMMAND_DAYS = 60
