/**
 * Seed D: the state of the project in a few lines that an agent can start with. Stored in `state.json`, snapshots in
 * `history/checkpoints/`.
 */
export const BUNDLE_SECTIONS = [
  'project',
  'projectMap',
  'currentFocus',
  'gotchas',
  'nextSteps',
  'validationCommands',
] as const
export type BundleSection = (typeof BUNDLE_SECTIONS)[number]

export interface Bundle {
  readonly project: ProjectFacts
  /** Read from the repository itself, not reported by agents. */
  readonly projectMap: ProjectMap
  readonly currentFocus: readonly BundleItem[]
  readonly gotchas: readonly BundleItem[]
  readonly nextSteps: readonly BundleItem[]
  readonly validationCommands: readonly ValidationCommand[]
}

export interface ProjectFacts {
  readonly name: string
  readonly description?: string
}

export interface ProjectMap {
  readonly languages: readonly { readonly name: string; readonly files: number }[]
  readonly packages: readonly { readonly name: string; readonly path: string; readonly kind: string }[]
  readonly entryPoints: readonly { readonly path: string; readonly what: string }[]
  readonly scripts: readonly { readonly name: string; readonly command: string; readonly path: string }[]
  readonly folders: readonly { readonly path: string; readonly files: number }[]
}

/** One statement of the bundle, with its evidence. */
export interface BundleItem {
  readonly text: string
  /** UTC ISO: when its entry was last written. */
  readonly since: string
  /** `event:<id>` and `entry:<id>`; a validation command also has `file:<path>`. */
  readonly sources: readonly string[]
  readonly files?: readonly string[]
}

export interface ValidationCommand {
  readonly command: string
  readonly lastOutcome?: 'passed' | 'failed'
  /** UTC ISO. */
  readonly lastRunAt?: string
  readonly sources: readonly string[]
}

export const STATE_VERSION = 1

/** `state.json`, with the field names of the seed. */
export interface ProjectState {
  readonly schemaVersion: typeof STATE_VERSION
  readonly generatorVersion: string
  /** What produced the bundle: rules alone, or rules and a model. */
  readonly provider: string
  /** UTC ISO. */
  readonly generatedAt: string
  /** SHA-256 of the bundle as canonical JSON. */
  readonly bundleHash: string
  readonly bundle: Bundle
  readonly maintenance: StateMaintenance
}

export interface StateMaintenance {
  readonly lastRecalledAt: string | null
  readonly lastRecalledEventId: string | null
  readonly latestCheckpointId: string | null
  readonly historyEventCount: number
  readonly importSourceCount: number
  /** By source id (`session:…`, an import source, `entries`): how far recall has read. */
  readonly recallCursors: Readonly<Record<string, RecallCursor>>
  /**
   * Entries newer than a restored checkpoint, by id, with the fingerprint of their content. They are left out until their content
   * changes.
   */
  readonly setAside?: Readonly<Record<string, string>>
  /** From 0.1.0: entries that recall considered finished. Read, and no longer written. */
  readonly settledEntries?: Readonly<Record<string, SettledEntry>>
  /** From 0.1.0: when a statement was last made. Read, and no longer written. */
  readonly lastSaid?: Readonly<Record<string, string>>
}

interface SettledEntry {
  /** UTC ISO. */
  readonly at: string
  readonly why: string
}

export interface RecallCursor {
  /** The last event or entry that was folded in. */
  readonly id: string
  /** UTC ISO: its time. */
  readonly at: string
}

/** `history/checkpoints/<id>.json`: the bundle after a meaningful write. */
export interface BundleCheckpoint {
  readonly schemaVersion: typeof STATE_VERSION
  readonly id: string
  /** UTC ISO. */
  readonly createdAt: string
  readonly bundleHash: string
  readonly reason: string
  readonly bundle: Bundle
}
