import type { Category } from '../model/category.ts'
import { CairnError } from '../model/errors.ts'
import type { Problem } from '../model/search.ts'

/** A file or a folder as it lies on disk now. `path` is relative to `.memory/`, with `/`; that folder itself is `.`. */
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
  /** The folders that were listed, as they were before. */
  readonly folders: readonly Scanned[]
  /** What lies behind a link changes without a trace in these folders. */
  readonly hasLinks: boolean
  readonly problems: readonly Problem[]
  /** Temporary files of writers that died. */
  readonly leftovers: readonly string[]
}

/** bytes null: the file goes. */
export interface FileWrite {
  readonly path: string
  readonly bytes: Uint8Array | null
  /** The hash of the text that this write was made from; null: there was no file. Absent: whatever is there is replaced. */
  readonly replaces?: string | null | undefined
}

/** Somebody saved a file while a write of it was prepared. Their text is in the file. */
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
 * The vault's files. `write` keeps the order given: what is gained is written before what is lost. Throws `ChangedMeanwhile` where a file
 * is not what the write was made from.
 */
export interface VaultFolder {
  /** With `maxFiles` it stops there: who only asks whether there are more needs no list of all. */
  scan(limits?: { readonly maxFiles?: number }): VaultScan
  read(path: string): Uint8Array | undefined
  write(writes: readonly FileWrite[]): void
  stamp(path: string): Omit<Scanned, 'path'> | undefined
  removeLeftover(path: string): void
}

/** True when a failed `write` left every file as it was. */
export function leftUntouched(error: unknown): boolean {
  return (
    error instanceof CairnError ||
    (error instanceof Error && 'untouched' in error && error.untouched === true)
  )
}
