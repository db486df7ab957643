import * as path from 'node:path'
import { trackedPaths } from '../../features/validate/decide/git-index.ts'
import type { GitTracking } from '../../features/validate/decide/memory-tree.ts'
import { type Disk, errnoOf } from '../../kernel/system/disk.ts'
import { MEMORY_FOLDER, type MemoryPaths } from '../../kernel/system/paths.ts'
import { findCheckout } from './git-folder.ts'

/** Some thousand moves of HEAD. */
const HEAD_LOG_BYTES = 512 * 1024
/** The list of a checkout with half a million files. */
const MAX_BYTES = 128 * 1_048_576

/**
 * What git knows of the memory. What it tracks is read from `.git/index` and not asked of git: a project that came as an archive may
 * bring a configuration that has git run a program. Only history is asked for, with all of that turned off.
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
      const { commitsOf } = await import('./git-blob.ts')
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
      const { readBlob } = await import('./git-blob.ts')
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
    // A repository in which nothing was ever added.
    if (stamp === undefined) return { kind: 'read', paths: [] }
    if (stamp.size > MAX_BYTES) return { kind: 'unreadable', why: 'its list of files is too long' }
    const bytes = disk.readFile(file)
    if (bytes === undefined) return { kind: 'read', paths: [] }
    // Links on the way up would make the two differ.
    const [top, memory] = [checkout.top, paths.root].map(folder => disk.realPath(folder) ?? folder)
    const below = path
      .relative(top ?? '', memory ?? '')
      .split(path.sep)
      .join('/')
    const prefix = `${below === '' ? '' : `${below}/`}.memory/`
    const tracked = trackedPaths(bytes, prefix, usesSha256(checkout.gitFolder) ? 32 : 20)
    return tracked === undefined
      ? { kind: 'unreadable', why: 'its list of files is written in a way we do not know' }
      : { kind: 'read', paths: tracked }
  }

  /** Said in the configuration, which a worktree shares with its repository. */
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
