import * as fs from 'node:fs'
import * as path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ResolvedProject } from '../../kernel/model/project.ts'

/** The folders that an agent may work in. */
interface HostFolders {
  /** Where the server was started. */
  readonly cwd: string
  /** The folders that the host named: its project, its roots. */
  readonly named: readonly string[]
}

/**
 * The folder that an agent works in. A host may start servers in any folder: where it names folders, it is one of those, and the current
 * folder only if it is in one of them.
 */
export function chooseFolder(
  { cwd, named }: HostFolders,
  standingOf: (folder: string) => ResolvedProject['standing'],
): string {
  const [first] = named
  if (first === undefined || named.some(folder => contains(folder, cwd))) return cwd
  return named.find(folder => standingOf(folder) === 'trusted') ?? first
}

function contains(folder: string, inner: string): boolean {
  const way = path.relative(realOf(folder), realOf(inner))
  return way === '' || !(way === '..' || way.startsWith(`..${path.sep}`) || path.isAbsolute(way))
}

function realOf(folder: string): string {
  return isFolder(folder) ? fs.realpathSync(folder) : path.resolve(folder)
}

/** A root of a client, or undefined where it is not a folder of this machine. */
export function folderOfRoot(uri: string): string | undefined {
  if (!uri.startsWith('file:')) return undefined
  try {
    return existingFolder(fileURLToPath(uri))
  } catch (error) {
    // A host may send anything; a root that is not a path is ignored.
    if (error instanceof TypeError) return undefined
    throw error
  }
}

/** A folder that the host named, if it exists. */
export function existingFolder(named: string | undefined): string | undefined {
  return named !== undefined && path.isAbsolute(named) && !named.includes('\0') && isFolder(named)
    ? named
    : undefined
}

function isFolder(named: string): boolean {
  return fs.statSync(named, { throwIfNoEntry: false })?.isDirectory() === true
}
