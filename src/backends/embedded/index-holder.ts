import * as path from 'node:path'
import type { Degradation } from '../../model/search.ts'
import type { EntryIndex } from '../../pipeline/store/entry-index.ts'
import { asStorageError, type Disk } from '../../system/disk.ts'
import type { MemoryPaths } from '../../system/paths.ts'
import { LOCAL_GITIGNORE } from './layout.ts'

/** How to open an index and to read its errors: the one thing this backend needs to know of its engine. */
export interface IndexOpener<Index extends EntryIndex> {
  /** undefined: a newer Cairn has written it. */
  open(location: string): Index | undefined
  isDamaged(error: unknown): boolean
  isReadOnly(error: unknown): boolean
  /** The engine's error as one that a person can act on; anything else as it is. */
  explain(error: unknown): unknown
}

/**
 * disk       the normal case
 * absent     there is no memory here yet: an empty index, nothing on disk
 * read_only  the folder cannot be written: an index in memory, built from the files for this process
 * newer      a newer Cairn keeps the index: likewise, and nothing is written
 */
export type IndexMode = 'disk' | 'absent' | 'read_only' | 'newer'

const MODE_NOTES: Partial<Record<IndexMode, Degradation>> = {
  read_only: {
    code: 'index_in_memory',
    message: 'The index in .memory/.vault cannot be written, so it was built in memory for this call.',
  },
  newer: {
    code: 'index_newer',
    message:
      'A newer Cairn keeps this index, so one was built in memory for this call. Update Cairn to write here.',
  },
}

export class IndexHolder<Index extends EntryIndex> {
  #open: { index: Index; mode: IndexMode; inode: number } | undefined

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

  note(): Degradation | undefined {
    return MODE_NOTES[this.mode]
  }

  /** Puts a damaged index aside. The caller holds the writer's lock. */
  putAside(): void {
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

  #current(): { index: Index; mode: IndexMode; inode: number } {
    const inode = this.disk.stamp(this.paths.index)?.inode ?? -1
    // Someone deleted or replaced `.vault/`, or the first write has created the folder: what we hold is not it.
    const open = this.#open
    const replaced = open !== undefined && open.mode !== 'read_only' && open.inode !== inode
    const created = open?.mode === 'absent' && this.disk.isFolder(this.paths.memory) === true
    if (replaced || created) this.close()
    this.#open ??= this.#openIndex()
    return this.#open
  }

  #openIndex(): { index: Index; mode: IndexMode; inode: number } {
    if (this.disk.isFolder(this.paths.memory) !== true) return this.#inMemory('absent')
    try {
      if (this.disk.isFolder(this.paths.vaultData) !== true) this.#makeFolder()
      const index = this.opener.open(this.paths.index)
      if (index === undefined) return this.#inMemory('newer')
      return { index, mode: 'disk', inode: this.disk.stamp(this.paths.index)?.inode ?? -1 }
    } catch (error) {
      const readOnly =
        this.opener.isReadOnly(error) || asStorageError(error, this.paths.index).code === 'vault_read_only'
      if (readOnly) return this.#inMemory('read_only')
      throw error
    }
  }

  /** A memory of another tool that is only read has no `.gitignore`: then the folder brings its own, so that git shows nothing new. */
  #makeFolder(): void {
    const { memory, vaultData } = this.paths
    this.disk.makeFolder(vaultData)
    if (this.disk.stamp(path.join(memory, '.gitignore')) === undefined)
      this.disk.writeFile(path.join(vaultData, '.gitignore'), new TextEncoder().encode(LOCAL_GITIGNORE))
  }

  #inMemory(mode: IndexMode): { index: Index; mode: IndexMode; inode: number } {
    const index = this.opener.open(':memory:')
    if (index === undefined) throw new Error('an empty index cannot be newer')
    return { index, mode, inode: this.disk.stamp(this.paths.index)?.inode ?? -1 }
  }
}
