import type { BundleCheckpoint, ProjectState } from '../../../kernel/model/bundle.ts'
import type { Problem } from '../../../kernel/model/search.ts'

export interface StatePorts {
  /** What is known of the project in a few lines, and what was known before. */
  readonly state: StateFiles
  /** Import sources that recall may take in first. */
  readonly importSync: ImportSync
}

/** Takes in what is new in the import sources of this memory, before recall. */
export interface ImportSync {
  sync(): Promise<{ readonly imported: number; readonly problems: readonly Problem[] }>
  /** How many sources there are. */
  count(): Promise<number>
}

export type StateReading =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'read'
      readonly state: ProjectState
      /** Somebody changed the bundle by hand: `bundleHash` is not its hash. */
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

/** `state.json` and `history/checkpoints/`: keeps and fetches, decides nothing. Both can be lost: recall makes them again from what is still there. */
export interface StateFiles {
  read(): Promise<StateReading>
  /**
   * Reads, decides and writes as one step among all processes. The checkpoint is on disk before the state names it; a damaged state
   * that is replaced is kept beside. undefined: nothing changes.
   */
  update(
    decide: (
      reading: StateReading,
    ) => Promise<{ readonly state: ProjectState; readonly checkpoint?: BundleCheckpoint } | undefined>,
  ): Promise<void>
  /** Newest first. */
  checkpoints(): Promise<readonly CheckpointFile[]>
  /** undefined: there is none of that id. */
  readCheckpoint(
    id: string,
  ): Promise<
    | { readonly kind: 'read'; readonly checkpoint: BundleCheckpoint }
    | { readonly kind: 'damaged'; readonly problem: Problem }
    | undefined
  >
}
