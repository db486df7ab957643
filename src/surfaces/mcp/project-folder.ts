import * as fs from 'node:fs'
import * as path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ResolvedProject } from '../../kernel/model/project.ts'

/** What a host says about where its agent works. */
export interface ToldFolders {
  /** Where the server was started. */
  readonly cwd: string
  /** The folders that the host named: its project, its roots. */
  readonly told: readonly string[]
}

/**
 * The folder that an agent works in. A host may start servers anywhere: where it names folders, one of those is meant, and the folder we
 * stand in only as far as it lies in one of them.
 */
export function chooseFolder(
  { cwd, told }: ToldFolders,
  standingOf: (folder: string) => ResolvedProject['standing'],
): string {
  const [first] = told
  if (first === undefined || told.some(folder => holds(folder, cwd))) return cwd
  return told.find(folder => standingOf(folder) === 'trusted') ?? first
}

function holds(folder: string, inner: string): boolean {
  const way = path.relative(realOf(folder), realOf(inner))
  return way === '' || !(way === '..' || way.startsWith(`..${path.sep}`) || path.isAbsolute(way))
}

function realOf(folder: string): string {
  return isFolder(folder) ? fs.realpathSync(folder) : path.resolve(folder)
}

/** A root of a client, or undefined where it is no folder of this machine. */
export function folderOfRoot(uri: string): string | undefined {
  if (!uri.startsWith('file:')) return undefined
  try {
    return existingFolder(fileURLToPath(uri))
  } catch (error) {
    // A host may say anything; a root that is no path is none.
    if (error instanceof TypeError) return undefined
    throw error
  }
}

/** A folder that somebody else named, if there is one. */
export function existingFolder(named: string | undefined): string | undefined {
  return named !== undefined && path.isAbsolute(named) && !named.includes('\0') && isFolder(named)
    ? named
    : undefined
}

function isFolder(named: string): boolean {
  return fs.statSync(named, { throwIfNoEntry: false })?.isDirectory() === true
}
