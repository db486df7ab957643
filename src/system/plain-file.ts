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
  return fs.lstatSync(file, { throwIfNoEntry: false })?.isFile() === true
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
