import type { Degradation } from '../../kernel/model/search.ts'
import { asStorageError, type Disk } from '../../kernel/system/disk.ts'
import { makeLocalFolder } from '../../kernel/system/local-folder.ts'
import type { MemoryPaths } from '../../kernel/system/paths.ts'
import type { EntryIndex } from '../../kernel/vault/entry-index.ts'

/** Opens an index and translates its errors: the only part of this store that depends on the database. */
export interface IndexOpener<Index extends EntryIndex> {
  /** undefined: a newer Cairn wrote it. */
  open(location: string): Index | undefined
  isDamaged(error: unknown): boolean
  /** An error that damage or a bug of Cairn may have caused. */
  isSuspect(error: unknown): boolean
  isReadOnly(error: unknown): boolean
  /** Translates a database error into one with a next step; any other error is returned as it is. */
  explain(error: unknown): unknown
}

/**
 * disk       the normal case
 * absent     there is no memory yet: an empty index, nothing on disk
 * read_only  the folder cannot be written: an index in memory, built from the files for this process
 * newer      a newer Cairn wrote the index: likewise, and nothing is written
 */
type IndexMode = 'disk' | 'absent' | 'read_only' | 'newer'

const MODE_NOTES: Partial<Record<IndexMode, Degradation>> = {
  newer: {
    code: 'index_newer',
    message:
      'A newer Cairn wrote this index, so one was built in memory for this call. Update Cairn to write here.',
  },
}

const WHY_NOT: Readonly<Record<string, string>> = {
  disk_full: 'the disk is full',
  vault_read_only: 'it is read-only',
}

interface OpenIndex<Index> {
  readonly index: Index
  readonly mode: IndexMode
  readonly inode: number
  /** Why the index on disk cannot be written. */
  readonly why?: string | undefined
}

export class IndexHolder<Index extends EntryIndex> {
  #open: OpenIndex<Index> | undefined

  constructor(
    readonly paths: MemoryPaths,
    readonly disk: Disk,
    readonly opener: IndexOpener<Index>,
  ) {}

  get mode(): IndexMode {
    return this.#current().mode
  }

  get(): Index {
    return this.#current().index
  }

  /** Called after an answer: does not open an index that was not used. */
  noteIfOpen(): Degradation | undefined {
    return this.#open === undefined ? undefined : this.note()
  }

  note(): Degradation | undefined {
    const { mode, why } = this.#current()
    if (mode !== 'read_only') return MODE_NOTES[mode]
    return {
      code: 'index_in_memory',
      message: `The index in .memory/.vault cannot be written (${why}), so it was built in memory for this call.`,
    }
  }

  /** A suspect error is damage only if the index fails its check, which a caller with a deadline does not wait for. */
  isDamagedBy(error: unknown, patienceMs: number | undefined): boolean {
    if (this.opener.isDamaged(error)) return true
    if (!this.opener.isSuspect(error) || patienceMs !== undefined) return false
    try {
      this.get().check()
      return false
    } catch (found) {
      return this.opener.isDamaged(found) || this.opener.isSuspect(found)
    }
  }

  /** Renames a damaged index. The caller holds the writer lock. */
  renameDamaged(): void {
    this.close()
    const damaged = `${this.paths.index}.damaged`
    this.disk.remove(damaged)
    if (this.disk.stamp(this.paths.index) !== undefined) this.disk.rename(this.paths.index, damaged)
    for (const suffix of ['-wal', '-shm']) this.disk.remove(this.paths.index + suffix)
  }

  close(): void {
    this.#open?.index.close()
    this.#open = undefined
  }

  #current(): OpenIndex<Index> {
    const inode = this.disk.stamp(this.paths.index)?.inode ?? -1
    // `.vault/` was deleted or replaced, or the first write created the folder: the open index is another file.
    const open = this.#open
    const replaced = open !== undefined && open.mode !== 'read_only' && open.inode !== inode
    const created = open?.mode === 'absent' && this.disk.isFolder(this.paths.memory) === true
    if (replaced || created) this.close()
    this.#open ??= this.#openIndex()
    return this.#open
  }

  #openIndex(): OpenIndex<Index> {
    if (this.disk.isFolder(this.paths.memory) !== true) return this.#inMemory('absent')
    try {
      if (this.disk.isFolder(this.paths.vaultData) !== true) makeLocalFolder(this.disk, this.paths.vaultData)
      const index = this.opener.open(this.paths.index)
      if (index === undefined) return this.#inMemory('newer')
      return { index, mode: 'disk', inode: this.disk.stamp(this.paths.index)?.inode ?? -1 }
    } catch (error) {
      const { code, message } = asStorageError(this.opener.explain(error), this.paths.index)
      const cannotWrite = code === 'vault_read_only' || code === 'disk_full'
      if (!cannotWrite && !this.opener.isReadOnly(error)) throw error
      return this.#inMemory('read_only', WHY_NOT[code] ?? message.replace(/\.$/, ''))
    }
  }

  #inMemory(mode: IndexMode, why?: string): OpenIndex<Index> {
    const index = this.opener.open(':memory:')
    if (index === undefined) throw new Error('an empty index cannot be newer')
    return { index, mode, why, inode: this.disk.stamp(this.paths.index)?.inode ?? -1 }
  }
}
