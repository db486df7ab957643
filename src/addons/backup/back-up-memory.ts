import { createHash } from 'node:crypto'
import * as path from 'node:path'
import { CairnError } from '../../kernel/model/errors.ts'
import type { Disk, FileStamp } from '../../kernel/system/disk.ts'
import { type BackupWriter, writeBackup } from './backup-archive.ts'
import { backupOf } from './decide/backup-line.ts'

/** What a backup of files needs of a memory. */
export interface MemoryToBackUp {
  /** `.memory` */
  readonly memory: string
  readonly disk: Disk
  readonly version: string
  readonly now: () => Date
  /** No other process writes while this runs. */
  exclusively<T>(work: () => Promise<T>): Promise<T>
  /** A whole copy of a database that other processes may be writing to. */
  copyDatabase(from: string, to: string): void
}

interface BackedUp {
  readonly files: number
  readonly bytes: number
  /** The size of the backup; 0: it was not written. */
  readonly size: number
  /** Links, devices and other special files: not followed, and not in the backup. */
  readonly left: readonly string[]
}

interface BackUpOptions {
  readonly file: string
  readonly isDryRun: boolean
  readonly onProgress?: (done: number, total: number) => void
}

const CHUNK_BYTES = 192 * 1024
const MAX_LEVELS = 16

interface Found {
  readonly path: string
  readonly stamp: FileStamp
}

/**
 * Everything in `.memory/` that cannot be rebuilt, as it was at one moment:
 *
 *   read every file, while others write  →  lock  →  read again what changed, note what is gone
 *
 * so writers wait only for what changed, however large the memory is.
 */
export async function backUpMemory(
  from: MemoryToBackUp,
  { file, isDryRun, onProgress }: BackUpOptions,
): Promise<BackedUp> {
  const { memory, disk, now, version } = from
  if (disk.isFolder(memory) !== true)
    throw new CairnError({
      code: 'not_initialised',
      message: `${path.dirname(memory)} has no memory.`,
      hint: 'Name the project with --root. `cairn init` begins a memory.',
    })
  const first = listFiles(memory, disk)
  if (isDryRun) return { ...tally(first.files), size: 0, left: first.left }
  let written: readonly Found[] = []
  const head = {
    of: 'memory',
    version,
    at: now().toISOString(),
    name: path.basename(path.dirname(memory)),
  } as const
  const size = await writeBackup(file, head, async writer => {
    const stampByPath = new Map<string, FileStamp>()
    for (const [at, found] of first.files.entries()) {
      onProgress?.(at + 1, first.files.length)
      if (await writeFile(from, found.path, writer)) stampByPath.set(found.path, found.stamp)
    }
    written = await locked(from, async () => {
      const second = listFiles(memory, disk).files
      for (const { path: each, stamp } of second)
        if (!isSame(stampByPath.get(each), stamp)) await writeFile(from, each, writer)
      const there = new Set(second.map(each => each.path))
      for (const each of stampByPath.keys())
        if (!there.has(each)) await writer.write({ is: 'gone', path: each })
      return second
    })
  })
  return { ...tally(written), size, left: first.left }
}

/** A memory that is not writable needs no lock. */
async function locked<T>({ exclusively }: MemoryToBackUp, work: () => Promise<T>): Promise<T> {
  try {
    return await exclusively(work)
  } catch (error) {
    if (error instanceof CairnError && error.code === 'vault_read_only') return work()
    throw error
  }
}

function tally(files: readonly Found[]): { files: number; bytes: number } {
  return { files: files.length, bytes: files.reduce((sum, { stamp }) => sum + stamp.size, 0) }
}

function isSame(before: FileStamp | undefined, now: FileStamp): boolean {
  return (
    before !== undefined &&
    before.size === now.size &&
    before.mtimeMs === now.mtimeMs &&
    before.inode === now.inode
  )
}

function listFiles(
  memory: string,
  disk: Disk,
): { readonly files: readonly Found[]; readonly left: readonly string[] } {
  const files: Found[] = []
  const left: string[] = []
  const walk = (folder: string, level: number) => {
    for (const item of disk.listFolder(`${memory}${folder}`) ?? []) {
      const whole = `${folder}/${item.name}`
      const relative = whole.slice(1)
      if (backupOf(relative) === 'none') continue
      if (item.isDirectory() && level < MAX_LEVELS) walk(whole, level + 1)
      else if (item.isFile()) {
        const stamp = disk.stamp(`${memory}${whole}`)
        if (stamp !== undefined) files.push({ path: relative, stamp })
      } else left.push(relative)
    }
  }
  walk('', 0)
  files.sort((a, b) => (a.path < b.path ? -1 : 1))
  return { files, left }
}

/** False: the file no longer exists. */
async function writeFile(from: MemoryToBackUp, relative: string, writer: BackupWriter): Promise<boolean> {
  const { memory, disk } = from
  const file = `${memory}/${relative}`
  if (backupOf(relative) === 'copy') return writeChunks(disk, file, relative, writer)
  const copy = `${file}.${process.pid}.cairn-tmp`
  disk.remove(copy)
  try {
    from.copyDatabase(file, copy)
    return await writeChunks(disk, copy, relative, writer)
  } finally {
    disk.remove(copy)
  }
}

async function writeChunks(
  disk: Disk,
  file: string,
  relative: string,
  writer: BackupWriter,
): Promise<boolean> {
  const chunks = disk.readChunks(file, CHUNK_BYTES)
  if (chunks === undefined) return false
  const hash = createHash('sha256')
  let size = 0
  await writer.write({ is: 'file', path: relative })
  for (const chunk of chunks) {
    hash.update(chunk)
    size += chunk.length
    await writer.write({ is: 'piece', data: Buffer.from(chunk).toString('base64') })
  }
  await writer.write({ is: 'fileEnd', size, sha256: hash.digest('hex') })
  return true
}
