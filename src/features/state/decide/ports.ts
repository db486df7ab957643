import type { BundleCheckpoint, ProjectState } from '../../../kernel/model/bundle.ts'
import type { Problem } from '../../../kernel/model/search.ts'

export interface StatePorts {
  /** The state of the project and its checkpoints. */
  readonly state: StateFiles
  /** Imports new records of the sources before recall. */
  readonly importSync: ImportSync
}

/** Imports new records of the sources of this memory, before recall. */
export interface ImportSync {
  sync(): Promise<{ readonly imported: number; readonly problems: readonly Problem[] }>
  /** The number of sources. */
  count(): Promise<number>
}

export type StateReading =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'read'
      readonly state: ProjectState
      /** The bundle was changed by hand: `bundleHash` is not its hash. */
      readonly isHandEdited?: boolean
    }
  | { readonly kind: 'newer'; readonly version: number }
  /** `problem` names the field that is wrong. */
  | { readonly kind: 'damaged'; readonly problem: Problem }

export interface CheckpointFile {
  readonly id: string
  /** UTC ISO. */
  readonly createdAt: string
  /** Relative to `.memory/`. */
  readonly path: string
}

/** `state.json` and `history/checkpoints/`: storage without decisions. Both can be lost: recall rebuilds them from entries and events. */
export interface StateFiles {
  read(): Promise<StateReading>
  /**
   * Reads, decides and writes as one step among all processes. The checkpoint is on disk before the state names it; a damaged state is
   * saved next to the new one. undefined: nothing changes.
   */
  update(
    decide: (
      reading: StateReading,
    ) => Promise<{ readonly state: ProjectState; readonly checkpoint?: BundleCheckpoint } | undefined>,
  ): Promise<void>
  /** Newest first. */
  checkpoints(): Promise<readonly CheckpointFile[]>
  /** undefined: there is no checkpoint with that id. */
  readCheckpoint(
    id: string,
  ): Promise<
    | { readonly kind: 'read'; readonly checkpoint: BundleCheckpoint }
    | { readonly kind: 'damaged'; readonly problem: Problem }
    | undefined
  >
}
