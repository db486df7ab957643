import type { BackupLine } from './backup-line.ts'

export interface RowsWish {
  /** undefined: all. */
  readonly project: string | undefined
  /** Who has tokens, and the digests of those: whoever has the file can check a token against them, and not make one of it. */
  readonly withTokens: boolean
  readonly onProgress?: (rows: number) => void
}

export interface RestoreWish {
  /** undefined: all that the backup has. */
  readonly project: string | undefined
  /** What it is called here. */
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
  /** All of it as it is at one moment, however long it takes and whoever writes meanwhile. */
  write(wish: RowsWish, line: (line: BackupLine) => Promise<void>): Promise<void>
  /** All or nothing, in one transaction; what `lines` throws takes everything back. */
  restore(lines: AsyncIterable<BackupLine>, wish: RestoreWish): Promise<RestoredRows>
}
