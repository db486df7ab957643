import * as fs from 'node:fs'
import { absentAsUndefined, errnoOf } from './disk.ts'

export interface PlainFile {
  /** Behind all links. */
  readonly realPath: string
  readonly size: number
  readonly mtimeMs: number
  readonly inode: number
}

const isWindows = process.platform === 'win32'
const UNREADABLE: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'ELOOP', 'ENAMETOOLONG', 'EIO', 'EINVAL'])

/** undefined: there is nothing, or no plain file; a pipe or a device must never be opened. */
export function seePlainFile(file: string): PlainFile | undefined {
  const realPath = absentAsUndefined(() => fs.realpathSync.native(file))
  const stat = realPath === undefined ? undefined : fs.statSync(realPath, { throwIfNoEntry: false })
  if (realPath === undefined || stat === undefined || !stat.isFile()) return undefined
  return { realPath, size: stat.size, mtimeMs: stat.mtimeMs, inode: isWindows ? 0 : stat.ino }
}

/** True when the name itself is a plain file: no link, pipe or device. One question to the system. */
export function isPlainFile(file: string): boolean {
  return stampOfPlainFile(file) !== undefined
}

/** What tells one version of a plain file from another. undefined: it is gone, or the name is that of something else. */
export function stampOfPlainFile(file: string): Omit<PlainFile, 'realPath'> | undefined {
  const stat = fs.lstatSync(file, { throwIfNoEntry: false })
  if (stat?.isFile() !== true) return undefined
  return { size: stat.size, mtimeMs: stat.mtimeMs, inode: isWindows ? 0 : stat.ino }
}

/** Windows has neither flag; there the question is asked first. */
const NO_LINK = fs.constants.O_NOFOLLOW ?? 0
const NO_WAITING = fs.constants.O_NONBLOCK ?? 0

/**
 * Fills the buffer from the start of a plain file and says with how much: one call to open, read and close each, for those who read
 * thousands. undefined: it is gone, or no plain file.
 */
export function readStart(file: string, buffer: Uint8Array): number | undefined {
  if (NO_LINK === 0 && !isPlainFile(file)) return undefined
  let fd: number
  try {
    fd = fs.openSync(file, fs.constants.O_RDONLY | NO_LINK | NO_WAITING)
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ELOOP', 'EMLINK', 'ENXIO'].includes(errnoOf(error) ?? '')) return undefined
    throw error
  }
  try {
    // A plain file gives all it has in one go.
    return fs.readSync(fd, buffer, 0, buffer.length, null)
  } catch (error) {
    if (['EISDIR', 'EAGAIN'].includes(errnoOf(error) ?? '')) return undefined
    throw error
  } finally {
    fs.closeSync(fd)
  }
}

/** `length` bytes from `start`, or fewer where the file ends. */
export function readPart(file: string, start: number, length: number): Uint8Array {
  const fd = fs.openSync(file, 'r')
  try {
    const bytes = new Uint8Array(length)
    let filled = 0
    while (filled < length) {
      const read = fs.readSync(fd, bytes, filled, length - filled, start + filled)
      if (read === 0) break
      filled += read
    }
    return bytes.subarray(0, filled)
  } finally {
    fs.closeSync(fd)
  }
}

/** It is there, and we may not see or read it. */
export function isUnreadable(error: unknown): boolean {
  return UNREADABLE.has(errnoOf(error) ?? '')
}
