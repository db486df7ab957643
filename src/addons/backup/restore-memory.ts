import * as path from 'node:path'
import { LAYOUT } from '../../kernel/layout.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import { asStorageError, type Disk, errnoOf } from '../../kernel/system/disk.ts'
import { REPLACED_FOLDER } from '../../kernel/system/paths.ts'
import { readBackup } from './backup-archive.ts'
import type { CheckedBackup } from './check-backup.ts'

export interface RestorePlace {
  /** The folder of the project; its memory is in `.memory`. */
  readonly root: string
  readonly memory: string
  readonly disk: Disk
  /** No other process writes to the current memory. */
  exclusively<T>(work: () => Promise<T>): Promise<T>
}

/** Next to the memory, so that a rename is enough; the name shows what a crash left. */
export const STAGED = '.memory-restoring'
const PROJECT_TOKEN = LAYOUT.projectToken.path

/**
 * Cleans up after a killed restore. Between its two renames the memory has another name; the next process that opens it renames it back
 * (`paths.ts`).
 */
export function clearRestore({ root, memory, disk }: RestorePlace): void {
  const replaced = path.join(root, REPLACED_FOLDER)
  if (disk.isFolder(replaced) === true && disk.isFolder(memory) === undefined) disk.rename(replaced, memory)
  disk.removeFolder(replaced)
  disk.removeFolder(path.join(root, STAGED))
}

/**
 * Replaces the memory with the files of a backup, all or none:
 *
 *   write them next to it  →  rename the memory  →  rename them  →  remove the old memory
 */
export async function restoreMemory(
  place: RestorePlace,
  file: string,
  checked: CheckedBackup,
  onProgress?: (done: number, total: number) => void,
): Promise<void> {
  try {
    await exchange(place, file, checked, onProgress)
  } catch (error) {
    throw errnoOf(error) === undefined ? error : asStorageError(error, place.memory)
  }
}

async function exchange(
  place: RestorePlace,
  file: string,
  { copiesByPath }: CheckedBackup,
  onProgress: ((done: number, total: number) => void) | undefined,
): Promise<void> {
  const { root, memory, disk } = place
  clearRestore(place)
  const staged = path.join(root, STAGED)
  let isDone = false
  try {
    await stage({ staged, disk }, file, copiesByPath, onProgress)
    const swap = async () => {
      copyToken(place, staged)
      const replaced = path.join(root, REPLACED_FOLDER)
      if (disk.isFolder(memory) === true) disk.rename(memory, replaced)
      disk.rename(staged, memory)
      disk.syncFolder(root)
      disk.removeFolder(replaced)
    }
    if (disk.isFolder(memory) === true) await place.exclusively(swap)
    else await swap()
    isDone = true
  } finally {
    if (!isDone) clearRestore(place)
  }
}

/** The project stays the same one; only its content changed. */
function copyToken({ memory, disk }: RestorePlace, staged: string): void {
  const token = disk.readFile(`${memory}/${PROJECT_TOKEN}`)
  if (token === undefined) return
  disk.makeFolder(path.dirname(`${staged}/${PROJECT_TOKEN}`))
  disk.writeFile(`${staged}/${PROJECT_TOKEN}`, token)
}

/** Only the last copy of a file is written; verifying has counted them. */
async function stage(
  { staged, disk }: { readonly staged: string; readonly disk: Disk },
  file: string,
  copiesByPath: ReadonlyMap<string, number>,
  onProgress: ((done: number, total: number) => void) | undefined,
): Promise<void> {
  disk.makeFolder(staged)
  const folders = new Set([staged])
  const seen = new Map<string, number>()
  let open: { path: string; chunks: Buffer[] } | undefined
  let done = 0
  for await (const line of readBackup(file)) {
    if (line.is === 'file') {
      const copy = (seen.get(line.path) ?? 0) + 1
      seen.set(line.path, copy)
      open = copy === copiesByPath.get(line.path) ? { path: line.path, chunks: [] } : undefined
    } else if (line.is === 'piece') {
      open?.chunks.push(Buffer.from(line.data, 'base64'))
      // Writes a file of any size with bounded memory.
      if (open !== undefined && open.chunks.length === MAX_CHUNKS) appendTo(staged, disk, open, folders)
    } else if (line.is === 'fileEnd' && open !== undefined) {
      appendTo(staged, disk, open, folders)
      done++
      onProgress?.(done, copiesByPath.size)
    }
  }
  if (done !== copiesByPath.size)
    throw new CairnError({
      code: 'backup_damaged',
      message: `${file} changed while it was read.`,
      hint: 'Nothing was changed. Run it again when no other process writes to the file.',
    })
  for (const folder of folders) disk.syncFolder(folder)
}

const MAX_CHUNKS = 64

function appendTo(
  staged: string,
  disk: Disk,
  open: { readonly path: string; chunks: Buffer[] },
  folders: Set<string>,
): void {
  const target = path.join(staged, open.path)
  const folder = path.dirname(target)
  if (!folders.has(folder)) disk.makeFolder(folder)
  folders.add(folder)
  disk.append(target, Buffer.concat(open.chunks))
  open.chunks = []
}
