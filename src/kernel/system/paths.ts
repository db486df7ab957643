import * as path from 'node:path'
import { checkedFirst, LAYOUT, type MemoryFile } from '../layout.ts'
import { CairnError } from '../model/errors.ts'
import type { Disk } from './disk.ts'

export const MEMORY_FOLDER = '.memory'
/** Where a memory is while a restore replaces it. */
export const REPLACED_FOLDER = '.memory-replaced'
/** The text about the project that is sent to every agent, relative to the project's root. */
export const PROJECT_TEXT = `${MEMORY_FOLDER}/${LAYOUT.projectText.path}`

/** The most used paths; `src/kernel/layout.ts` has all files of a memory. */
export interface MemoryPaths {
  readonly root: string
  readonly memory: string
  readonly vaultData: string
  readonly index: string
  readonly lock: string
  /** The work board, which cannot be rebuilt from files. */
  readonly work: string
  readonly backups: string
  readonly journal: string
  readonly archive: string
  readonly conversations: string
  readonly sessions: string
  readonly checkpoints: string
  readonly gitignore: string
  readonly config: string
}

export function memoryPaths(root: string): MemoryPaths {
  const memory = path.join(path.resolve(root), MEMORY_FOLDER)
  const at = (file: MemoryFile) => placeIn(memory, file)
  return {
    root: path.resolve(root),
    memory,
    vaultData: at(LAYOUT.data),
    index: at(LAYOUT.index),
    lock: at(LAYOUT.writerLock),
    work: at(LAYOUT.work),
    backups: at(LAYOUT.documentBackups),
    journal: at(LAYOUT.journal),
    archive: at(LAYOUT.archive),
    conversations: at(LAYOUT.conversations),
    sessions: at(LAYOUT.sessions),
    checkpoints: at(LAYOUT.checkpoints),
    gitignore: at(LAYOUT.gitignore),
    config: at(LAYOUT.config),
  }
}

/** The absolute path of a file or a folder of a memory. */
export function placeIn(memory: string, { path: name }: MemoryFile): string {
  return path.join(memory, name.endsWith('/') ? name.slice(0, -1) : name)
}

/** Rejects a memory folder that is a file, or that leads out of the project, before anything is read or written. */
export function checkMemoryFolder(
  paths: MemoryPaths,
  disk: Disk,
  { rootMayBeMissing = false } = {},
): { exists: boolean } {
  const isFolder = disk.isFolder(paths.memory) ?? putBack(paths, disk)
  if (isFolder === undefined) {
    if (!rootMayBeMissing && disk.isFolder(paths.root) !== true) {
      throw new CairnError({
        code: 'file_not_found',
        message: `The folder ${paths.root} does not exist.`,
        hint: 'Create it first, or name another one with --root.',
      })
    }
    // Only if there is no memory yet: with one, this check is not worth its time.
    if (disk.isOfKernel(paths.root)) throw ofKernel(paths.root)
    return { exists: false }
  }
  if (!isFolder) {
    throw new CairnError({
      code: 'memory_not_a_folder',
      message: `${paths.memory} is a file, but Cairn needs a folder of this name for the memory.`,
      hint: 'Move the file away, then try again.',
    })
  }
  checkLink(paths.memory, paths.root, disk, {
    outside: 'the project',
    hint: 'Replace the link with a folder, or open the project that the link points to.',
  })
  // Every process runs this, so only the paths that most processes open are checked: `safePaths` checks the rest, and nothing is ever
  // written through a link (`Disk`). A hard link cannot be distinguished from a file.
  for (const part of checkedFirst()) {
    checkLink(`${paths.memory}/${part}`, paths.memory, disk, {
      outside: 'the memory',
      hint: 'Replace the link with its target, or remove it.',
    })
  }
  return { exists: true }
}

/** A restore that was killed between its two renames left no memory, but a complete one next to its place. */
function putBack({ root, memory }: MemoryPaths, disk: Disk): true | undefined {
  const replaced = path.join(root, REPLACED_FOLDER)
  if (disk.isFolder(replaced) !== true) return undefined
  disk.rename(replaced, memory)
  return true
}

function ofKernel(root: string): CairnError {
  return new CairnError({
    code: 'not_a_project_folder',
    message: `${root} belongs to a system file system without stored files, so it cannot be a project.`,
    hint: 'Run this in the folder of your project, or name it with --root.',
  })
}

/** A path that is not a link leads nowhere else. */
function checkLink(
  folder: string,
  parent: string,
  disk: Disk,
  { outside, hint }: { outside: string; hint: string },
): void {
  if (!disk.isLink(folder)) return
  const real = disk.realPath(folder)
  const realParent = disk.realPath(parent)
  if (real !== undefined && realParent !== undefined && isInside(real, realParent)) return
  throw new CairnError({
    code: 'memory_outside_project',
    message: `${folder} is a link to ${real ?? 'nowhere'}, outside ${outside}.`,
    hint,
  })
}

export function isInside(child: string, parent: string): boolean {
  const relative = path.relative(parent, child)
  return relative === '' || (!relative.startsWith('..') && !path.isAbsolute(relative))
}
