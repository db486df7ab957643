import * as fs from 'node:fs'
import { absentAsUndefined, errnoOf } from './disk.ts'

export interface PlainFile {
  /** With all links resolved. */
  readonly realPath: string
  readonly size: number
  readonly mtimeMs: number
  readonly inode: number
}

const isWindows = process.platform === 'win32'
const UNREADABLE: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'ELOOP', 'ENAMETOOLONG', 'EIO', 'EINVAL'])

/** undefined: it does not exist or is not a regular file; a pipe or a device must never be opened. */
export function plainFileInfo(file: string): PlainFile | undefined {
  const realPath = absentAsUndefined(() => fs.realpathSync.native(file))
  const stat = realPath === undefined ? undefined : fs.statSync(realPath, { throwIfNoEntry: false })
  if (realPath === undefined || stat === undefined || !stat.isFile()) return undefined
  return { realPath, size: stat.size, mtimeMs: stat.mtimeMs, inode: isWindows ? 0 : stat.ino }
}

/** True if the name itself is a regular file, not a link, pipe or device. One system call. */
export function isPlainFile(file: string): boolean {
  return stampOfPlainFile(file) !== undefined
}

/** Distinguishes one version of a regular file from another. undefined: it is gone, or is not a regular file. */
export function stampOfPlainFile(file: string): Omit<PlainFile, 'realPath'> | undefined {
  const stat = fs.lstatSync(file, { throwIfNoEntry: false })
  if (stat?.isFile() !== true) return undefined
  return { size: stat.size, mtimeMs: stat.mtimeMs, inode: isWindows ? 0 : stat.ino }
}

/** Windows has neither flag; there the file is checked first. */
const NO_LINK = fs.constants.O_NOFOLLOW ?? 0
const NO_WAITING = fs.constants.O_NONBLOCK ?? 0

/**
 * Fills the buffer from the start of a regular file and returns the number of bytes: one call to open, read and close each, for callers
 * that read thousands. undefined: it is gone, or not a regular file.
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
    // One read is enough for a regular file.
    return fs.readSync(fd, buffer, 0, buffer.length, null)
  } catch (error) {
    if (['EISDIR', 'EAGAIN'].includes(errnoOf(error) ?? '')) return undefined
    throw error
  } finally {
    fs.closeSync(fd)
  }
}

/** `length` bytes from `start`, or fewer if the file ends before. */
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

/** It exists, but we may not see or read it. */
export function isUnreadable(error: unknown): boolean {
  return UNREADABLE.has(errnoOf(error) ?? '')
}
