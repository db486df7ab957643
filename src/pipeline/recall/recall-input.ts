import type { Bundle, BundleSection, ProjectFacts, ProjectMap, SettledEntry } from '../../model/bundle.ts'
import type { Entry } from '../../model/entry.ts'
import type { MemoryEvent } from '../../model/event.ts'

export const RECALL_POLICIES = ['conservative', 'balanced', 'eager'] as const
export type RecallPolicy = (typeof RECALL_POLICIES)[number]

/** Everything that the bundle is made of, as data. */
export interface RecallInput {
  /** undefined: there is none yet. */
  readonly bundle: Bundle | undefined
  /** UTC ISO: when it was made. What was changed since counts anew. */
  readonly bundleAt: string | undefined
  /** Not folded in yet, as they stand in the log. */
  readonly events: readonly MemoryEvent[]
  /** Folded in before, and still in the log: who else has said so. */
  readonly knownEvents: readonly MemoryEvent[]
  /** Lessons, tasks, decisions and handoffs as they are now; undefined: they are not to be folded in. */
  readonly entries: readonly RecallEntry[] | undefined
  readonly settled: Readonly<Record<string, SettledEntry>>
  /** By section and fingerprint of an item of the bundle: when it was last said, where that is not its `since`. */
  readonly lastSaid: Readonly<Record<string, string>>
  /** Texts that hold no longer: superseded, forgotten. */
  readonly retired: readonly string[]
  /** What was said in sessions whose events are new. */
  readonly spoken: readonly SpokenText[]
  /** By the fingerprint of a statement of these sessions: when it was said, UTC ISO. */
  readonly saidAt: ReadonlyMap<string, string>
  readonly project: {
    readonly map: ProjectMap
    readonly facts: ProjectFacts
    readonly packageManager: string
  }
  readonly policy: RecallPolicy
  /** UTC ISO. */
  readonly now: string
  readonly sections: readonly BundleSection[]
  readonly judge: StatementJudge
  /** Takes secrets out. */
  readonly clean: (text: string) => string
}

export interface RecallEntry {
  readonly entry: Entry
  /** Something else has taken its place, or it lost a conflict. */
  readonly isRetired: boolean
}

export interface SpokenText {
  readonly text: string
  /** UTC ISO. */
  readonly at: string
}

export interface Said {
  readonly text: string
  readonly kind: string
  readonly files: readonly string[]
  /** UTC ISO. */
  readonly at: string
}

/** What two statements are to each other, by their meaning. */
export interface StatementJudge {
  isSame(a: Said, b: Said): boolean
  contradicts(older: Said, newer: Said): boolean
}
