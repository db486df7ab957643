import * as path from 'node:path'
import type { Disk } from '../../kernel/system/disk.ts'

const MAX_LEVELS_UP = 40
const COMMIT = /^[0-9a-f]{40,64}$/
/** The length of an abbreviated commit. */
const SHOWN_DIGITS = 12

/** The commit of HEAD, from git's own files: no process is started. */
export function headCommit(root: string, disk: Disk): string | undefined {
  const folder = findGitFolder(root, disk)
  if (folder === undefined) return undefined
  const head = readLine(disk, path.join(folder, 'HEAD'))
  const ref = head?.startsWith('ref: ') ? head.slice(5).trim() : undefined
  const commit = ref === undefined ? head : readRef(folder, ref, disk)
  return commit !== undefined && COMMIT.test(commit) ? commit.slice(0, SHOWN_DIGITS) : undefined
}

export function findGitFolder(root: string, disk: Disk): string | undefined {
  return findCheckout(root, disk)?.gitFolder
}

/**
 * `.git` of the project or of a folder above, and that folder, the root of git's paths; in a worktree `.git` is a file with the path of the folder.
 */
export function findCheckout(
  root: string,
  disk: Disk,
): { readonly gitFolder: string; readonly top: string } | undefined {
  let folder = path.resolve(root)
  for (let level = 0; level < MAX_LEVELS_UP; level++) {
    const git = path.join(folder, '.git')
    const isFolder = disk.isFolder(git)
    if (isFolder === true) return { gitFolder: git, top: folder }
    if (isFolder === false) {
      const line = readLine(disk, git)
      return line?.startsWith('gitdir: ')
        ? { gitFolder: path.resolve(folder, line.slice(8)), top: folder }
        : undefined
    }
    if (folder === path.dirname(folder)) return undefined
    folder = path.dirname(folder)
  }
  return undefined
}

/** A branch is in a file of its own or in `packed-refs`; those of a worktree in the main repository. */
function readRef(folder: string, ref: string, disk: Disk): string | undefined {
  if (!/^refs\/[^\0]+$/.test(ref) || ref.includes('..')) return undefined
  const main = readLine(disk, path.join(folder, 'commondir'))
  for (const base of main === undefined ? [folder] : [folder, path.resolve(folder, main)]) {
    const own = readLine(disk, path.join(base, ref))
    if (own !== undefined) return own
    const packed = readText(disk, path.join(base, 'packed-refs'))
    const line = packed?.split('\n').find(text => text.endsWith(` ${ref}`))
    if (line !== undefined) return line.split(' ')[0]
  }
  return undefined
}

function readLine(disk: Disk, file: string): string | undefined {
  return readText(disk, file)?.split('\n')[0]?.trim()
}

function readText(disk: Disk, file: string): string | undefined {
  const bytes = disk.readFile(file)
  return bytes && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
}
