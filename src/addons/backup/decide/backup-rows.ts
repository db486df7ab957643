import type { BackupLine } from './backup-line.ts'

export interface RowsWish {
  /** undefined: all. */
  readonly project: string | undefined
  /** Who has tokens, with the digests of these. A token can be checked against its digest, and not made from it. */
  readonly withTokens: boolean
  readonly onProgress?: (rows: number) => void
}

export interface RestoreWish {
  /** undefined: all that the backup has. */
  readonly project: string | undefined
  /** Its name here. */
  readonly as: string | undefined
  readonly withTokens: boolean
  readonly onProgress?: (rows: number) => void
}

export interface RestoredRows {
  readonly projects: readonly { readonly name: string; readonly entries: number }[]
  readonly rows: number
  readonly tokens: number
}

/** The rows of a hub, to be put into a backup and to be taken from one. */
export interface BackupRows {
  /** The version of the tables. */
  readonly schema: number
  /** All rows as they are at one moment, however long it takes and whatever other processes write. */
  write(wish: RowsWish, line: (line: BackupLine) => Promise<void>): Promise<void>
  /** All or nothing, in one transaction; an error of `lines` rolls it back. */
  restore(lines: AsyncIterable<BackupLine>, wish: RestoreWish): Promise<RestoredRows>
}
