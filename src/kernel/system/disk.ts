import * as fs from 'node:fs'
import * as path from 'node:path'
import { CairnError } from '../model/errors.ts'
import { chunksOf, writeAll } from './file-bytes.ts'
import { type FileRights, OPEN, PRIVATE, rightsInMemories } from './file-rights.ts'

/** Distinguishes one version of a file from another without reading it. */
export interface FileStamp {
  readonly size: number
  readonly mtimeMs: number
  readonly inode: number
}

interface FileInfo extends FileStamp {
  readonly kind: 'file' | 'folder' | 'link' | 'other'
  /** Every user of the machine may write to it. Windows has other permissions, which are not checked. */
  readonly isWorldWritable: boolean
}

type PlainReading =
  | { readonly kind: 'read'; readonly bytes: Uint8Array }
  | { readonly kind: 'too_large'; readonly size: number }
  | { readonly kind: 'unreadable'; readonly why: string }

/**
 * Every disk access of the store goes through here, one method per IO step, so that a test can fail the nth one. Synchronous on purpose:
 * a hook is a short process, and a critical section that never yields cannot interleave.
 */
export interface Disk {
  /** undefined if the file does not exist. */
  readFile(file: string): Uint8Array | undefined
  /** A regular file only: a link is reported and not followed, and a file that is too large is not read. */
  readPlain(file: string, maxBytes: number): PlainReading | 'link' | undefined
  readTail(file: string, bytes: number): { tail: Uint8Array; size: number } | undefined
  readRange(file: string, from: number, bytes: number): Uint8Array | undefined
  /** A file of any size, in chunks. An open file is read to its end even if it is removed meanwhile. */
  readChunks(file: string, chunkBytes: number): Iterable<Uint8Array> | undefined
  /**
   * Writes and fsyncs a new file, with the permissions of another one if that exists. Like `append` and `truncate`, it never follows a
   * link: `memory_outside_project`.
   */
  writeFile(file: string, bytes: Uint8Array, rightsOf?: string): void
  /** Creates and fsyncs a file. False: the name exists already; if several processes try, one succeeds. */
  createFile(file: string, bytes: Uint8Array): boolean
  /** Appends and fsyncs; returns the size before. */
  append(file: string, bytes: Uint8Array): number
  /**
   * Appends with one write and without fsync: for data of a process that a user waits for. False: the file was removed meanwhile, so the
   * data will not be read.
   */
  appendSoon(file: string, bytes: Uint8Array): boolean
  truncate(file: string, size: number): void
  rename(from: string, to: string): void
  /** A second name for the same file. False: the file does not exist, or the file system has no hard links. */
  link(from: string, to: string): boolean
  /** No error if it does not exist. */
  remove(file: string): void
  /** With its contents; no error if it does not exist. */
  removeFolder(folder: string): void
  /** False: it is not empty, or is not a folder. */
  removeEmptyFolder(folder: string): boolean
  /** With its parents. */
  makeFolder(folder: string): void
  /** Makes renames and removals in it durable. */
  syncFolder(folder: string): void
  /** undefined if the folder does not exist. Stops after `maxItems`. */
  listFolder(folder: string, maxItems?: number): readonly fs.Dirent[] | undefined
  stamp(file: string): FileStamp | undefined
  /** The kind of a name, not following links; undefined if it does not exist. */
  fileInfo(file: string): FileInfo | undefined
  /** The real path behind links, or undefined if it does not exist. */
  realPath(file: string): string | undefined
  isFolder(file: string): boolean | undefined
  /** A folder of a kernel file system, such as /proc and /sys, which store nothing. */
  isOfKernel(folder: string): boolean
  isLink(file: string): boolean
  /** The target of a link, as written; undefined if it is not a link. */
  readLink(file: string): string | undefined
  /** A new link at a free path. EPERM if the system does not allow it to this user. */
  makeLink(file: string, target: string): void
}

const NOT_EMPTIED = new Set(['ENOTEMPTY', 'EEXIST', 'ENOENT', 'ENOTDIR', 'EBUSY', 'EPERM', 'EACCES'])
const NOT_LINKED = new Set('ENOENT EPERM EACCES ENOTSUP EOPNOTSUPP ENOSYS EMLINK EXDEV EINVAL'.split(' '))
const isWindows = process.platform === 'win32'
const RENAME_ATTEMPTS = 20
const RENAME_PAUSE_MS = 25

export const nodeDisk: Disk = diskThatMakes(() => OPEN)

/** For files of the user that belong to no project. */
export const privateDisk: Disk = diskThatMakes(() => PRIVATE)

/** For a memory, or for copies of one. */
export function memoryDisk(...memories: readonly string[]): Disk {
  return diskThatMakes(rightsInMemories(memories))
}

function diskThatMakes(rightsOf: (file: string) => FileRights): Disk {
  return {
    // Checked first: an exception for a file that is normally absent costs a cold start more than the check.
    readFile: file => (fs.existsSync(file) ? readWhole(file) : undefined),

    readPlain,

    readTail(file, bytes) {
      const fd = openToRead(file)
      if (fd === undefined) return undefined
      try {
        const size = fs.fstatSync(fd).size
        const length = Math.min(bytes, size)
        const tail = new Uint8Array(length)
        fs.readSync(fd, tail, 0, length, size - length)
        return { tail, size }
      } finally {
        fs.closeSync(fd)
      }
    },

    readRange(file, from, bytes) {
      const fd = openToRead(file)
      if (fd === undefined) return undefined
      try {
        const range = new Uint8Array(Math.max(0, Math.min(bytes, fs.fstatSync(fd).size - from)))
        return range.subarray(0, fs.readSync(fd, range, 0, range.length, from))
      } finally {
        fs.closeSync(fd)
      }
    },

    readChunks(file, chunkBytes) {
      const fd = openToRead(file)
      return fd === undefined ? undefined : chunksOf(fd, chunkBytes)
    },

    writeFile(file, bytes, like) {
      const fd = openPlain(
        file,
        fs.constants.O_WRONLY | fs.constants.O_CREAT | fs.constants.O_TRUNC,
        rightsOf(file).file,
      )
      try {
        const other = like === undefined ? undefined : fs.statSync(like, { throwIfNoEntry: false })
        // Before it has any content to read.
        if (other !== undefined && !isWindows) fs.fchmodSync(fd, other.mode & 0o777)
        writeAll(fd, bytes)
        fs.fsyncSync(fd)
      } finally {
        fs.closeSync(fd)
      }
    },

    createFile(file, bytes) {
      let fd: number
      try {
        fd = openPlain(
          file,
          fs.constants.O_WRONLY | fs.constants.O_CREAT | fs.constants.O_EXCL,
          rightsOf(file).file,
        )
      } catch (error) {
        if (errnoOf(error) === 'EEXIST') return false
        throw error
      }
      try {
        writeAll(fd, bytes)
        fs.fsyncSync(fd)
      } finally {
        fs.closeSync(fd)
      }
      return true
    },

    append(file, bytes) {
      const fd = openPlain(
        file,
        fs.constants.O_WRONLY | fs.constants.O_CREAT | fs.constants.O_APPEND,
        rightsOf(file).file,
      )
      try {
        const before = fs.fstatSync(fd).size
        writeAll(fd, bytes)
        fs.fdatasyncSync(fd)
        return before
      } finally {
        fs.closeSync(fd)
      }
    },

    appendSoon(file, bytes) {
      const fd = openPlain(
        file,
        fs.constants.O_WRONLY | fs.constants.O_CREAT | fs.constants.O_APPEND,
        rightsOf(file).file,
      )
      try {
        writeAll(fd, bytes)
        return fs.fstatSync(fd).nlink > 0
      } finally {
        fs.closeSync(fd)
      }
    },

    truncate(file, size) {
      const fd = openPlain(file, fs.constants.O_RDWR, rightsOf(file).file)
      try {
        fs.ftruncateSync(fd, size)
      } finally {
        fs.closeSync(fd)
      }
    },

    rename(from, to) {
      // Windows refuses to replace a file that a scanner or an editor has open at the moment.
      for (let attempt = 1; ; attempt++) {
        try {
          return fs.renameSync(from, to)
        } catch (error) {
          const code = errnoOf(error)
          const transient = isWindows && (code === 'EPERM' || code === 'EACCES' || code === 'EBUSY')
          if (!transient || attempt === RENAME_ATTEMPTS) throw error
          pauseMs(RENAME_PAUSE_MS)
        }
      }
    },

    link(from, to) {
      try {
        fs.linkSync(from, to)
        return true
      } catch (error) {
        if (!NOT_LINKED.has(errnoOf(error) ?? '')) throw error
        return false
      }
    },

    // Node's `rmSync` reports a refusal as ENOTDIR, because it then tries the file as a folder.
    remove: file => void absentAsUndefined(() => fs.unlinkSync(file)),
    removeFolder: folder => fs.rmSync(folder, { recursive: true, force: true }),

    removeEmptyFolder(folder) {
      try {
        fs.rmdirSync(folder)
        return true
      } catch (error) {
        if (NOT_EMPTIED.has(errnoOf(error) ?? '')) return false
        throw error
      }
    },

    makeFolder: folder => makeFolders(folder, each => rightsOf(each).folder),

    syncFolder(folder) {
      if (isWindows) return // a folder cannot be opened for fsync on Windows; NTFS journals the rename itself
      const fd = fs.openSync(folder, 'r')
      try {
        fs.fsyncSync(fd)
      } finally {
        fs.closeSync(fd)
      }
    },

    listFolder: (folder, maxItems) =>
      fs.existsSync(folder)
        ? absentAsUndefined(() =>
            maxItems === undefined
              ? fs.readdirSync(folder, { withFileTypes: true })
              : firstItems(folder, maxItems),
          )
        : undefined,

    stamp(file) {
      const stat = fs.statSync(file, { throwIfNoEntry: false })
      return stat && { size: stat.size, mtimeMs: stat.mtimeMs, inode: isWindows ? 0 : stat.ino }
    },

    fileInfo,
    realPath: file => absentAsUndefined(() => fs.realpathSync.native(file)),
    isFolder: file => fs.statSync(file, { throwIfNoEntry: false })?.isDirectory(),
    isOfKernel,
    isLink: linkAt,
    readLink: file => absentAsUndefined(() => (linkAt(file) ? fs.readlinkSync(file) : undefined)),
    makeLink: (file, target) => fs.symlinkSync(target, file),
  }
}

/** Windows has no such flag; there the file is checked first. */
const NO_FOLLOW = fs.constants.O_NOFOLLOW ?? 0
/** Does not wait for a writer at the other end of a pipe. */
const NO_WAITING = fs.constants.O_NONBLOCK ?? 0

function readPlain(file: string, maxBytes: number): PlainReading | 'link' | undefined {
  if (NO_FOLLOW === 0 && linkAt(file)) return 'link'
  const flags = fs.constants.O_RDONLY | NO_FOLLOW | NO_WAITING
  let fd: number | undefined
  try {
    fd = absentAsUndefined(() => fs.openSync(file, flags))
    if (fd === undefined) return undefined
    const stat = fs.fstatSync(fd)
    if (!stat.isFile()) return { kind: 'unreadable', why: 'it is no file' }
    if (stat.size > maxBytes) return { kind: 'too_large', size: stat.size }
    const bytes = Buffer.allocUnsafe(stat.size)
    let length = 0
    for (let read = -1; read !== 0 && length < bytes.length; length += read)
      read = fs.readSync(fd, bytes, length, bytes.length - length, null)
    return { kind: 'read', bytes: bytes.subarray(0, length) }
  } catch (error) {
    if (errnoOf(error) === 'ELOOP' || errnoOf(error) === 'EMLINK') return 'link'
    throw error
  } finally {
    if (fd !== undefined) fs.closeSync(fd)
  }
}

/** undefined: it does not exist. Reading a pipe could block forever, a device has no end. */
function openToRead(file: string): number | undefined {
  const fd = absentAsUndefined(() => fs.openSync(file, fs.constants.O_RDONLY | NO_WAITING))
  if (fd === undefined) return undefined
  const stat = fs.fstatSync(fd)
  if (stat.isFile() || stat.isDirectory()) return fd
  fs.closeSync(fd)
  throw new CairnError({
    code: 'store_io',
    message: `${file} is a pipe or a device instead of a file.`,
    hint: 'Remove it; `cairn validate` shows what else is wrong.',
  })
}

function readWhole(file: string): Uint8Array | undefined {
  const fd = openToRead(file)
  if (fd === undefined) return undefined
  try {
    return fs.readFileSync(fd)
  } finally {
    fs.closeSync(fd)
  }
}

/**
 * One level at a time. Node's recursive form reports a read-only file system as ENOENT, and loops forever in a folder where none can be
 * created, such as /proc.
 */
function makeFolders(folder: string, modeOf: (folder: string) => number): void {
  if (isMade(folder, modeOf(folder))) return
  makeFolders(path.dirname(folder), modeOf)
  // Any other obstacle throws here, such as a broken link in the path.
  if (!isMade(folder, modeOf(folder))) fs.mkdirSync(folder, { mode: modeOf(folder) })
}

/** False: the parent does not exist. */
function isMade(folder: string, mode: number): boolean {
  try {
    fs.mkdirSync(folder, { mode })
    return true
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return true
    const above = path.dirname(folder)
    if (errnoOf(error) !== 'ENOENT' || above === folder || fs.existsSync(above)) throw error
    return false
  }
}

function firstItems(folder: string, maxItems: number): fs.Dirent[] {
  const opened = fs.opendirSync(folder, { bufferSize: Math.min(1_024, maxItems) })
  try {
    const items: fs.Dirent[] = []
    for (let item = opened.readSync(); item !== null && items.length < maxItems; item = opened.readSync())
      items.push(item)
    return items
  } finally {
    opened.closeSync()
  }
}

/** File systems that contain no user files, by their numbers in Linux' magic.h. */
const KERNEL_FILE_SYSTEMS: ReadonlySet<number> = new Set([
  0x9fa0, // proc
  0x62656572, // sysfs
  0x27e0eb, // cgroup: a folder made there is a group of processes
  0x63677270, // cgroup2
  0x64626720, // debugfs
  0x74726163, // tracefs
  0x73636673, // securityfs
  0x62656570, // configfs
  0x1cd1, // devpts
])

function isOfKernel(folder: string): boolean {
  if (process.platform !== 'linux' || !fs.existsSync(folder)) return false
  return KERNEL_FILE_SYSTEMS.has(fs.statfsSync(folder).type)
}

function kindOf(stat: fs.Stats): FileInfo['kind'] {
  if (stat.isFile()) return 'file'
  if (stat.isDirectory()) return 'folder'
  return stat.isSymbolicLink() ? 'link' : 'other'
}

function fileInfo(file: string): FileInfo | undefined {
  const stat = absentAsUndefined(() => fs.lstatSync(file, { throwIfNoEntry: false }))
  if (stat === undefined) return undefined
  return {
    kind: kindOf(stat),
    size: stat.size,
    mtimeMs: stat.mtimeMs,
    inode: isWindows ? 0 : stat.ino,
    isWorldWritable: !isWindows && (stat.mode & 0o002) !== 0,
  }
}

/** Writes go to a file, never to the target of a link: a clone can contain a link to any path. */
function openPlain(file: string, flags: number, mode: number): number {
  if (NO_FOLLOW === 0 && linkAt(file)) throw throughLink(file)
  try {
    return fs.openSync(file, flags | NO_FOLLOW | NO_WAITING, mode)
  } catch (error) {
    if (errnoOf(error) === 'ELOOP' || errnoOf(error) === 'EMLINK') throw throughLink(file, error)
    throw error
  }
}

function linkAt(file: string): boolean {
  return absentAsUndefined(() => fs.lstatSync(file, { throwIfNoEntry: false }))?.isSymbolicLink() === true
}

function throughLink(file: string, cause?: unknown): CairnError {
  return new CairnError({
    code: 'memory_outside_project',
    message: `${file} is a link. Cairn does not write through links.`,
    hint: 'Replace the link with a file, or remove it.',
    cause,
  })
}

/** Blocks the thread: only for the few callers that may not yield. */
export function pauseMs(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

export function errnoOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

export function absentAsUndefined<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return undefined
    throw error
  }
}

/** Turns a system error into one that a person can act on. A CairnError is returned unchanged. */
export function asStorageError(error: unknown, subject: string): CairnError {
  if (error instanceof CairnError) return error
  const errno = errnoOf(error)
  if (errno === 'ENOSPC' || errno === 'EDQUOT') {
    return new CairnError({
      code: 'disk_full',
      message: `No space left while writing ${subject}; nothing was changed.`,
      hint: 'Free some space and try again.',
      cause: error,
    })
  }
  if (errno === 'EACCES' || errno === 'EPERM' || errno === 'EROFS') {
    return new CairnError({
      code: 'vault_read_only',
      message: `${subject} cannot be written (${errno}).`,
      hint: 'Check the permissions of the .memory folder, or work on a copy of the project.',
      cause: error,
    })
  }
  // Node's code for a NUL in a path.
  if (errno === 'ERR_INVALID_ARG_VALUE') {
    return new CairnError({
      code: 'invalid_input',
      message: 'A path contains a NUL character, which no path may have.',
      hint: 'Correct the path.',
      cause: error,
    })
  }
  if (errno === 'ENAMETOOLONG') {
    return new CairnError({
      code: 'invalid_input',
      message: 'A path is longer than this system allows.',
      hint: 'Use a shorter path.',
      cause: error,
    })
  }
  return new CairnError({
    code: 'store_io',
    message: `${subject}: ${error instanceof Error ? error.message : String(error)}`,
    hint: 'Run `cairn doctor` to check the memory folder.',
    cause: error,
  })
}
