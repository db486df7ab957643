import type { Entry } from '../../kernel/model/entry.ts'
import type { Documents, SharedDocument } from './decide/protocol.ts'

/** The local memory as a sync uses it. */
export interface LocalVault {
  /** All entries in pages, including private ones. */
  entries(): AsyncIterable<readonly Entry[]>
  find(ids: readonly string[]): Promise<ReadonlyMap<string, Entry>>
  documents(): Promise<Documents>
  /** Plans on the current entries and applies the plan as one step. Returns the id of the journal record. */
  write(decide: (view: VaultView) => Promise<LocalChanges | null>): Promise<string | null>
  /** Which of these versions existed here since the agreed version, and no longer do. */
  hadSince(asked: readonly HadQuestion[]): Promise<ReadonlySet<string>>
  /** The versions that each of these had here since the agreed one, newest first; the current one may be the agreed one again. */
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
