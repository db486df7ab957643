import type { BackupLine } from './backup-line.ts'

export interface BackupRowsRequest {
  /** undefined: all. */
  readonly project: string | undefined
  /** Include who has tokens, with their digests. A digest can verify a token but not recreate it. */
  readonly withTokens: boolean
  readonly onProgress?: (rows: number) => void
}

export interface RestoreRowsRequest {
  /** undefined: every project in the backup. */
  readonly project: string | undefined
  /** Its new name. */
  readonly as: string | undefined
  readonly withTokens: boolean
  readonly onProgress?: (rows: number) => void
}

export interface RestoredRows {
  readonly projects: readonly { readonly name: string; readonly entries: number }[]
  readonly rows: number
  readonly tokens: number
}

/** The rows of a hub, written to a backup and restored from one. */
export interface BackupRows {
  /** The version of the tables. */
  readonly schema: number
  /** All rows of one moment, whatever other processes write in the meantime. */
  write(wish: BackupRowsRequest, line: (line: BackupLine) => Promise<void>): Promise<void>
  /** All or nothing, in one transaction; an error of `lines` rolls it back. */
  restore(lines: AsyncIterable<BackupLine>, wish: RestoreRowsRequest): Promise<RestoredRows>
}
