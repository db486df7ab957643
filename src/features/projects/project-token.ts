import * as fs from 'node:fs'
import * as path from 'node:path'
import { LAYOUT } from '../../kernel/layout.ts'
import { errnoOf } from '../../kernel/system/disk.ts'
import { MEMORY_FOLDER, placeIn } from '../../kernel/system/paths.ts'

const TOKEN = /^[0-9a-f]{32}$/
const MAX_BYTES = 64
const NO_FOLLOW = (fs.constants.O_NOFOLLOW ?? 0) | (fs.constants.O_NONBLOCK ?? 0)

export function tokenFile(root: string): string {
  return placeIn(path.join(root, MEMORY_FOLDER), LAYOUT.projectToken)
}

/** What tells this memory from any other on this machine. undefined: it has none, or what is there is none of ours. */
export function readToken(root: string): string | undefined {
  const buffer = Buffer.alloc(MAX_BYTES)
  const length = readStart(tokenFile(root), buffer)
  const token = buffer.toString('latin1', 0, length).trim()
  return TOKEN.test(token) ? token : undefined
}

/** Asked first: an exception costs a prompt more than a question. */
function readStart(file: string, buffer: Buffer): number {
  if (!fs.existsSync(file)) return 0
  let fd: number | undefined
  try {
    if (!fs.lstatSync(file).isFile()) return 0
    fd = fs.openSync(file, fs.constants.O_RDONLY | NO_FOLLOW)
    return fs.readSync(fd, buffer, 0, buffer.length, 0)
  } catch (error) {
    // Nobody is trusted for a file that cannot be read.
    if (errnoOf(error) === undefined) throw error
    return 0
  } finally {
    if (fd !== undefined) fs.closeSync(fd)
  }
}

/** Tells a folder from one that took its place: a new one has another birth, also where the system gives it the old number. */
export function folderMark(folder: string): string | undefined {
  const stat = fs.existsSync(folder) ? fs.statSync(folder, { throwIfNoEntry: false }) : undefined
  return stat === undefined ? undefined : `${stat.ino}-${Math.round(stat.birthtimeMs)}`
}

export function memoryMark(root: string): string | undefined {
  return folderMark(path.join(root, MEMORY_FOLDER))
}

/** Of a checkout, by its `.git`; of another folder, by itself. */
export function checkoutMark(checkout: string): string | undefined {
  return folderMark(path.join(checkout, '.git')) ?? folderMark(checkout)
}
