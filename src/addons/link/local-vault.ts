import type { Entry } from '../../kernel/model/entry.ts'
import type { Documents, SharedDocument } from './decide/protocol.ts'

/** What a sync does with the memory here. */
export interface LocalVault {
  /** Every entry, also those that are not shared, in pages. */
  entries(): AsyncIterable<readonly Entry[]>
  find(ids: readonly string[]): Promise<ReadonlyMap<string, Entry>>
  documents(): Promise<Documents>
  /** Decides on what is there now, then does it as one step. The answer is the journal's record. */
  write(decide: (view: VaultView) => Promise<LocalChanges | null>): Promise<string | null>
  /** Which of these versions were here once and are not any more, since the version that was agreed. */
  hadSince(asked: readonly HadQuestion[]): Promise<ReadonlySet<string>>
  /** The versions that each of these had here since the one that was agreed, the newest first; it may have that one now. */
  formerly(asked: readonly Omit<HadQuestion, 'print'>[]): Promise<ReadonlyMap<string, readonly string[]>>
  /** The last record of the journal. */
  lastRecord(): Promise<string | null>
}

export interface VaultView {
  find(id: string): Promise<Entry | undefined>
  newId(): string
  document(name: SharedDocument): Promise<string | null>
}

export interface LocalChanges {
  readonly entries: readonly { readonly before: Entry | null; readonly after: Entry | null }[]
  readonly documents: readonly { readonly name: SharedDocument; readonly body: string | null }[]
}

export interface HadQuestion {
  readonly id: string
  readonly print: string
  /** undefined: nothing was agreed. */
  readonly agreed: string | null | undefined
}
