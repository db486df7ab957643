import type { Category } from '../model/category.ts'
import { CairnError } from '../model/errors.ts'
import type { Problem } from '../model/search.ts'

/** A file or a folder on disk. `path` is relative to `.memory/`, with `/`; that folder itself is `.`. */
export interface Scanned {
  readonly path: string
  readonly size: number
  readonly mtimeMs: number
  readonly inode: number
}

export interface ScannedFile extends Scanned {
  readonly agent: string
  readonly category: Category
}

export interface VaultScan {
  readonly files: readonly ScannedFile[]
  /** The listed folders, as they were before. */
  readonly folders: readonly Scanned[]
  /** Files behind a link change without a trace in these folders. */
  readonly hasLinks: boolean
  readonly problems: readonly Problem[]
  /** Temporary files of writers that died. */
  readonly leftovers: readonly string[]
}

/** bytes null: the file is removed. */
export interface FileWrite {
  readonly path: string
  readonly bytes: Uint8Array | null
  /** The hash of the text that this write is based on; null: the file did not exist. Absent: any content is replaced. */
  readonly replaces?: string | null | undefined
}

/** A file was saved while a write of it was prepared. The file has that text. */
export class ChangedMeanwhile extends Error {
  constructor(
    readonly path: string,
    /** True: no file of this write was replaced. */
    readonly untouched: boolean,
  ) {
    super(`${path} was changed meanwhile`)
  }
}

/**
 * The vault's files. `write` uses the given order: files that gain an entry before files that lose it. Throws `ChangedMeanwhile` if a
 * file is not what the write is based on.
 */
export interface VaultFolder {
  /** Stops after `maxFiles`: a caller that only asks whether there are more needs no complete list. */
  scan(limits?: { readonly maxFiles?: number }): VaultScan
  read(path: string): Uint8Array | undefined
  write(writes: readonly FileWrite[]): void
  stamp(path: string): Omit<Scanned, 'path'> | undefined
  removeLeftover(path: string): void
}

/** True if a failed `write` changed no file. */
export function leftUntouched(error: unknown): boolean {
  return (
    error instanceof CairnError ||
    (error instanceof Error && 'untouched' in error && error.untouched === true)
  )
}
