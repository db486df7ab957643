import type { Problem } from '../../../kernel/model/search.ts'

/** Takes in what is new in the import sources of this memory, before recall. */
export interface ImportSync {
  sync(): Promise<{ readonly imported: number; readonly problems: readonly Problem[] }>
  /** How many sources there are. */
  count(): Promise<number>
}
