import * as fs from 'node:fs'
import * as path from 'node:path'
import { absentAsUndefined, errnoOf } from '../../kernel/system/disk.ts'

/** A path; what is longer was not written by git. */
const MAX_BYTES = 8_192

export interface LinkedWorktree {
  /** The real path of the git folder that all worktrees of the repository share. */
  readonly gitFolder: string
  /** The checkout that the git folder belongs to; undefined for a bare repository. */
  readonly main: string | undefined
}

/**
 * The repository that a checkout is a linked worktree of, read from git's own files. Both ways are followed:
 *
 *   checkout/.git               gitdir: <common>/worktrees/<name>
 *   <common>/worktrees/<name>/  commondir → <common>,  gitdir → checkout/.git
 *
 * A `.git` file that came with an archive can name any repository of this machine, and that repository does not name it.
 * undefined: it is none (a checkout of its own, a submodule), or the way back leads elsewhere.
 */
export function linkedWorktree(top: string): LinkedWorktree | undefined {
  const own = path.join(top, '.git')
  const pointer = readLine(own)
  if (pointer?.startsWith('gitdir: ') !== true) return undefined
  const admin = realPath(path.resolve(top, pointer.slice('gitdir: '.length).trim()))
  const common = admin && readLine(path.join(admin, 'commondir'))
  if (admin === undefined || common === undefined) return undefined
  const gitFolder = realPath(path.resolve(admin, common))
  if (gitFolder === undefined || path.dirname(admin) !== path.join(gitFolder, 'worktrees')) return undefined
  const back = readLine(path.join(admin, 'gitdir'))
  if (back === undefined || realPath(path.resolve(admin, back)) !== realPath(own)) return undefined
  return { gitFolder, main: mainCheckout(gitFolder) }
}

/** A repository whose folder is not called `.git` says itself where its files are: that of a submodule does, a bare one does not. */
function mainCheckout(gitFolder: string): string | undefined {
  if (path.basename(gitFolder) === '.git') return path.dirname(gitFolder)
  const config = readText(path.join(gitFolder, 'config'), 65_536)
  const worktree =
    config === undefined ? undefined : /^\s*worktree\s*=\s*"?([^"\n\r]+)"?\s*$/m.exec(config)?.[1]
  return worktree === undefined ? undefined : realPath(path.resolve(gitFolder, worktree.trim()))
}

/** The git folder of a checkout, whatever kind it is; real. */
export function gitFolderOf(top: string): string | undefined {
  const own = path.join(top, '.git')
  const stat = fs.statSync(own, { throwIfNoEntry: false })
  if (stat?.isDirectory() === true) return realPath(own)
  const worktree = linkedWorktree(top)
  if (worktree !== undefined) return worktree.gitFolder
  const pointer = stat?.isFile() === true ? readLine(own) : undefined
  return pointer?.startsWith('gitdir: ') === true
    ? realPath(path.resolve(top, pointer.slice('gitdir: '.length).trim()))
    : undefined
}

export function realPath(file: string): string | undefined {
  try {
    return absentAsUndefined(() => fs.realpathSync.native(file))
  } catch (error) {
    // Links in a circle, or a folder that is not ours to see: there is nothing for us.
    if (errnoOf(error) === undefined) throw error
    return undefined
  }
}

function readLine(file: string): string | undefined {
  return readText(file, MAX_BYTES)?.split('\n')[0]?.trim()
}

function readText(file: string, maxBytes: number): string | undefined {
  try {
    const stat = fs.statSync(file, { throwIfNoEntry: false })
    if (stat?.isFile() !== true || stat.size > maxBytes) return undefined
    return fs.readFileSync(file, 'utf8')
  } catch (error) {
    if (errnoOf(error) === undefined) throw error
    return undefined
  }
}
