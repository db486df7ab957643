import * as fs from 'node:fs'
import * as path from 'node:path'
import { CairnError } from '../model/errors.ts'
import type { Disk } from './disk.ts'

export const MEMORY_FOLDER = '.memory'
/** Where a memory lies for the moment in which a restore exchanges it. */
export const REPLACED_FOLDER = '.memory-replaced'
/** What every agent is told of the project, from the project's root. */
export const PROJECT_TEXT = `${MEMORY_FOLDER}/_project.md`

/** Every path Cairn uses below a project, in one place. */
export interface MemoryPaths {
  readonly root: string
  readonly memory: string
  readonly vaultData: string
  readonly index: string
  readonly lock: string
  /** The work board: not to be made anew from files. */
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
  const vaultData = path.join(memory, '.vault')
  return {
    root: path.resolve(root),
    memory,
    vaultData,
    index: path.join(vaultData, 'index.db'),
    lock: path.join(vaultData, 'lock.db'),
    work: path.join(vaultData, 'work.db'),
    backups: path.join(vaultData, 'backup'),
    journal: path.join(memory, 'history', 'audit.jsonl'),
    archive: path.join(memory, 'archive'),
    conversations: path.join(memory, 'conversations'),
    sessions: path.join(memory, 'sessions'),
    checkpoints: path.join(vaultData, 'checkpoints'),
    gitignore: path.join(memory, '.gitignore'),
    config: path.join(memory, 'config.json'),
  }
}

/**
 * The project a person means when standing in `from`: the nearest folder upwards with a memory, up to the root of the
 * git checkout; else that root; else `from` itself.
 */
export function findProjectRoot(from: string): string {
  const start = path.resolve(from)
  for (let folder = start; ; folder = path.dirname(folder)) {
    if (isOwn(path.join(folder, MEMORY_FOLDER), folder === start)) return folder
    if (fs.existsSync(path.join(folder, '.git'))) return folder
    if (folder === path.dirname(folder)) return start
  }
}

/** A memory further up counts only when it is this user's: `/tmp/.memory` of somebody else is not our project's. */
function isOwn(memory: string, isHere: boolean): boolean {
  const stat = fs.statSync(memory, { throwIfNoEntry: false })
  if (stat === undefined) return false
  return isHere || process.getuid === undefined || stat.uid === process.getuid()
}

/** A memory folder that is a file, or that leads out of the project, is refused before anything is read or written. */
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
        message: `There is no folder ${paths.root}.`,
        hint: 'Create it first, or name another with --root.',
      })
    }
    // Only where there is no memory yet: whoever has one does not pay for the question.
    if (disk.isOfKernel(paths.root)) throw ofKernel(paths.root)
    return { exists: false }
  }
  if (!isFolder) {
    throw new CairnError({
      code: 'memory_not_a_folder',
      message: `${paths.memory} is a file, and Cairn keeps its memory in a folder of that name.`,
      hint: 'Move the file away, then try again.',
    })
  }
  checkLink(paths.memory, paths.root, disk, {
    outside: 'the project',
    hint: 'Replace the link by a folder, or open the project that the link points to.',
  })
  for (const part of OWN_PLACES) {
    checkLink(`${paths.memory}/${part}`, paths.memory, disk, {
      outside: 'the memory',
      hint: 'Replace the link by what it points to, or remove it.',
    })
  }
  return { exists: true }
}

/** A restore that was killed between its two renames left no memory, and the whole of it beside its place. */
function putBack({ root, memory }: MemoryPaths, disk: Disk): true | undefined {
  const replaced = path.join(root, REPLACED_FOLDER)
  if (disk.isFolder(replaced) !== true) return undefined
  disk.rename(replaced, memory)
  return true
}

function ofKernel(root: string): CairnError {
  return new CairnError({
    code: 'not_a_project_folder',
    message: `${root} is made by the system and keeps no files: it cannot be a project.`,
    hint: 'Go to the folder of your project, or name it with --root.',
  })
}

/**
 * What Cairn reads or opens by its name besides the vaults: a link there would lead out of the project, and a clone can
 * carry one. Folders first. Every process asks, so only what most of them touch is here: whoever opens another file
 * checks it itself (`safePaths`), and nothing is ever written through a link (`Disk`). A hard link cannot be told from a file.
 */
const OWN_PLACES = [
  ...['.vault', 'history', 'archive', 'conversations', 'sessions', '.vault/backup'],
  ...['.vault/index.db', '.vault/lock.db', 'history/audit.jsonl'],
  ...['config.json', 'curation.json', 'local', 'local/curation.json', '_project.md'],
]

/** What is no link lies where its path says. */
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
