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
 * Which statements the bundle takes:
 *
 *   conservative   entries that a person wrote or confirmed, and handoffs
 *   balanced       also warnings, errors and lessons that agents saved
 *   eager          also their discoveries
 */
export const RECALL_POLICIES = ['conservative', 'balanced', 'eager'] as const
export type RecallPolicy = (typeof RECALL_POLICIES)[number]

/** The input of the bundle. */
export interface RecallInput {
  /** undefined: there is none yet. */
  readonly bundle: Bundle | undefined
  /** A model worded the bundle: its words stay while their entries are unchanged since this time, UTC ISO. */
  readonly wordedAt?: string | undefined
  /** Not folded in yet, in the order of the log: outcomes of checks. */
  readonly events: readonly MemoryEvent[]
  /** Lessons, tasks and handoffs as they are now; undefined: not read this time. */
  readonly entries: readonly RecallEntry[] | undefined
  /** Entries that a restored checkpoint does not have. */
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
 * Every limit of the bundle. Every session starts with it and pays its tokens: it has about what a person would explain to a colleague in
 * two minutes.
 */
export const BUNDLE_LIMITS = {
  /** Requests of the last real handoff. */
  focusItems: 2,
  gotchas: 10,
  nextSteps: 12,
  /** Open steps of a handoff. */
  handoffSteps: 4,
  validationCommands: 8,
  /** Sources that an item names: enough to look it up. */
  sources: 5,
  files: 5,
  /** A statement is a sentence or two. */
  textCharacters: 240,
  commandCharacters: 120,
  /** The newest events with results of checks: recall takes a bounded time for any history. */
  observedEvents: 4_000,
} as const

/** A check whose last run is this much older than the newest run is not listed. */
export const COMMAND_DAYS = 60
