import * as path from 'node:path'
import type { GitTracking } from '../../features/validate/decide/ports.ts'
import { type Disk, errnoOf } from '../../kernel/system/disk.ts'
import { MEMORY_FOLDER, type MemoryPaths } from '../../kernel/system/paths.ts'
import { findCheckout } from './git-folder.ts'

/** Some thousand moves of HEAD. */
const HEAD_LOG_BYTES = 512 * 1024
/** The list of a checkout with half a million files. */
const MAX_BYTES = 128 * 1_048_576
const SIGNATURE = 0x44495243 // DIRC
const HEADER_BYTES = 12
/** Times, device, inode, mode, owner, size; the object's name and two bytes of flags follow. */
const STAT_BYTES = 40
const LONG_NAME = 0xfff
const EXTENDED = 0x4000

/**
 * Git's data about the memory. Tracked files are read from `.git/index` without starting git: the configuration of a downloaded project can
 * make git run a program. Only history needs git, with such settings turned off.
 */
export function gitIndexFile(paths: MemoryPaths, disk: Disk): GitTracking {
  return {
    isCheckout: async () => findCheckout(paths.root, disk) !== undefined,

    async tracked() {
      try {
        return read()
      } catch (error) {
        const errno = errnoOf(error)
        if (errno === undefined) throw error
        return { kind: 'unreadable', why: `the system refuses it (${errno})` }
      }
    },

    async headLog() {
      const checkout = findCheckout(paths.root, disk)
      const read = checkout && disk.readTail(path.join(checkout.gitFolder, 'logs', 'HEAD'), HEAD_LOG_BYTES)
      return read && Buffer.from(read.tail).toString('utf8')
    },

    async commitsOf(files, most) {
      if (findCheckout(paths.root, disk) === undefined) return { kind: 'known', commits: [] }
      const { commitsOf } = await import('./git-history.ts')
      const found = await commitsOf(
        paths.root,
        files.map(file => `${MEMORY_FOLDER}/${file}`),
        most,
      )
      if (found.kind === 'failed') return found
      return {
        kind: 'known',
        commits: found.commits.map(({ commit, paths: changed }) => ({
          commit,
          paths: changed.map(file => file.slice(MEMORY_FOLDER.length + 1)),
        })),
      }
    },

    async readAt(commit, file, patienceMs) {
      const { readBlob } = await import('./git-history.ts')
      const found = await readBlob(paths.root, commit, `${MEMORY_FOLDER}/${file}`, patienceMs)
      if (found.kind === 'read') return found
      if (found.kind === 'unknown' && found.code === 'git_failed') return { kind: 'failed', why: found.why }
      return { kind: 'absent' }
    },
  }

  function read(): Awaited<ReturnType<GitTracking['tracked']>> {
    const checkout = findCheckout(paths.root, disk)
    if (checkout === undefined) return { kind: 'no_checkout' }
    const file = path.join(checkout.gitFolder, 'index')
    const stamp = disk.stamp(file)
    // A repository without any added file.
    if (stamp === undefined) return { kind: 'read', paths: [] }
    if (stamp.size > MAX_BYTES) return { kind: 'unreadable', why: 'its list of files is too long' }
    const bytes = disk.readFile(file)
    if (bytes === undefined) return { kind: 'read', paths: [] }
    // Real paths, so that links do not make the two differ.
    const [top, memory] = [checkout.top, paths.root].map(folder => disk.realPath(folder) ?? folder)
    const below = path
      .relative(top ?? '', memory ?? '')
      .split(path.sep)
      .join('/')
    const prefix = `${below === '' ? '' : `${below}/`}.memory/`
    const tracked = trackedPaths(bytes, prefix, usesSha256(checkout.gitFolder) ? 32 : 20)
    return tracked === undefined
      ? { kind: 'unreadable', why: 'its list of files has an unknown format' }
      : { kind: 'read', paths: tracked }
  }

  /** From the configuration, which a worktree shares with its repository. */
  function usesSha256(gitFolder: string): boolean {
    const main = disk.readFile(path.join(gitFolder, 'commondir'))
    const folder =
      main === undefined ? gitFolder : path.resolve(gitFolder, Buffer.from(main).toString().trim())
    const config = disk.readFile(path.join(folder, 'config'))
    return (
      config !== undefined && /^\s*objectformat\s*=\s*sha256/im.test(Buffer.from(config).toString('utf8'))
    )
  }
}

/**
 * The paths below `prefix` in git's list of tracked files (`.git/index`). undefined: an unknown format.
 *
 *   DIRC version count   then, an entry: 40 bytes of stat, the object's name, flags (their low 12 bits: how long the path is),
 *                        two more bytes of flags in version 3, the path; versions 2 and 3 pad to eight bytes,
 *                        version 4 says how much of the path before to drop and what to add
 *
 * A repository with SHA-256 has names of 32 bytes: its configuration says so.
 */
function trackedPaths(bytes: Uint8Array, prefix: string, nameBytes: 20 | 32 = 20): string[] | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < HEADER_BYTES || view.getUint32(0) !== SIGNATURE) return undefined
  const version = view.getUint32(4)
  if (version < 2 || version > 4) return undefined
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  // One search excludes a checkout without our files.
  if (version < 4 && !buffer.includes(prefix)) return []
  const wanted = Buffer.from(prefix, 'utf8').toString('latin1')
  const count = view.getUint32(8)
  const paths: string[] = []
  let before = ''
  let at = HEADER_BYTES
  for (let n = 0; n < count; n++) {
    const flagsAt = at + STAT_BYTES + nameBytes
    if (flagsAt + 2 > bytes.length) return undefined
    const flags = view.getUint16(flagsAt)
    let nameAt = flagsAt + 2 + (version >= 3 && (flags & EXTENDED) !== 0 ? 2 : 0)
    let dropped = 0
    if (version === 4) {
      const read = readVarint(bytes, nameAt)
      if (read === undefined) return undefined
      dropped = read.value
      nameAt = read.next
    }
    const length = flags & LONG_NAME
    const end = version < 4 && length < LONG_NAME ? nameAt + length : bytes.indexOf(0, nameAt)
    if (end < nameAt || end >= bytes.length) return undefined
    // One character a byte: removed lengths are in bytes.
    const name = buffer.toString('latin1', nameAt, end)
    const path: string = version === 4 ? before.slice(0, before.length - dropped) + name : name
    if (path.startsWith(wanted)) paths.push(Buffer.from(path.slice(wanted.length), 'latin1').toString('utf8'))
    before = path
    at = version === 4 ? end + 1 : at + ((end - at + 8) & ~7)
  }
  return paths
}

/** The offset format of git: seven bits a byte, plus one for each following byte. */
function readVarint(bytes: Uint8Array, from: number): { value: number; next: number } | undefined {
  let value = 0
  for (let at = from; at < Math.min(bytes.length, from + 5); at++) {
    const byte = bytes[at] as number
    value = value * 128 + (byte & 0x7f)
    if ((byte & 0x80) === 0) return { value, next: at + 1 }
    value++
  }
  return undefined
}
