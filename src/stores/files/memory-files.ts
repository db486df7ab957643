import * as path from 'node:path'
import { isPlainPath } from '../../features/upkeep/decide/archive.ts'
import { EMPTY_LOG, parseLog, renderLog } from '../../features/upkeep/decide/compaction-log.ts'
import type { ConversationFile, MemoryFiles } from '../../features/upkeep/decide/ports.ts'
import { LAYOUT } from '../../kernel/layout.ts'
import { isTaken } from '../../kernel/model/agent-id.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import { asStorageError, type Disk } from '../../kernel/system/disk.ts'
import { isInside, type MemoryPaths } from '../../kernel/system/paths.ts'
import { seedSessionOf, sessionFileName } from '../../kernel/system/session-names.ts'

const TEMPORARY = '.cairn-tmp'
const CONVERSATIONS = LAYOUT.conversations.path.slice(0, -1)
const SESSIONS = LAYOUT.sessions.path.slice(0, -1)

/** Files of the memory as bytes. */
export function memoryFiles(parts: {
  readonly paths: MemoryPaths
  readonly disk: Disk
  /** Runs under the lock of this memory. */
  readonly exclusively: <T>(work: () => T | Promise<T>) => Promise<T>
}): MemoryFiles {
  const { paths, disk, exclusively } = parts
  const absolute = (file: string) => path.join(paths.memory, file)

  return {
    async survey() {
      const items = disk.listFolder(paths.memory) ?? []
      const names = items.filter(item => item.isFile()).map(item => item.name)
      const backups = names.filter(name => name.endsWith('.md.bak'))
      const flat = names.filter(
        name =>
          name.endsWith('.md') &&
          !/^[._]/.test(name) &&
          !isTaken(name.replace(/\.md$/, '').toLowerCase()) &&
          backups.includes(`${name}.bak`) &&
          saysTheSame(name, `${name}.bak`),
      )
      const inVaults = items
        .filter(item => item.isDirectory() && !/^[._]/.test(item.name) && !isTaken(item.name))
        .flatMap(({ name: folder }) =>
          (disk.listFolder(absolute(folder)) ?? [])
            .filter(item => item.isFile() && item.name.endsWith('.md.bak'))
            .map(item => `${folder}/${item.name}`),
        )
      const conversations = foldersIn(CONVERSATIONS).flatMap(agent =>
        filesIn(`${CONVERSATIONS}/${agent}`, /^(?<name>.+)\.json(?<open>l)?$/).map(({ open, ...file }) => ({
          ...file,
          agent,
          isClosed: open === undefined,
        })),
      )
      return {
        backups: [...backups, ...inVaults],
        flatFiles: flat,
        conversations: [...conversations, ...seedConversations(conversations)],
        memories: filesIn(SESSIONS, /^(?<name>.+)\.memory\.json$/).map(({ path, stamp, name }) => ({
          path,
          stamp,
          name,
        })),
      }
    },

    read: async file => disk.readFile(checked(file)),

    removeUnchanged: (file, bytes) => exclusively(() => removeUnchanged(file, bytes)),

    removeTogether: (files, mayGo) =>
      exclusively(async () => {
        const hasChanged = files.some(file => {
          const now = disk.readFile(checked(file.path))
          return now !== undefined && !equal(now, file.bytes)
        })
        if (hasChanged || !(await mayGo())) return 0
        return files.filter(file => removeUnchanged(file.path, file.bytes)).length
      }),

    put: (file, bytes, instead) =>
      exclusively(() => {
        const now = disk.readFile(checked(file))
        if (now !== undefined && equal(now, bytes)) return 'same'
        if (now !== undefined && !(instead !== undefined && equal(now, instead))) return 'taken'
        write(file, bytes)
        return 'written'
      }),

    readLog: async () => readLog(),

    editLog: edit =>
      exclusively(() => {
        const edited = edit(readLog())
        if (edited !== undefined) write(LAYOUT.compactLog.path, new TextEncoder().encode(renderLog(edited)))
      }),
  }

  function readLog() {
    const bytes = disk.readFile(checked(LAYOUT.compactLog.path))
    return bytes === undefined ? EMPTY_LOG : parseLog(new TextDecoder().decode(bytes))
  }

  function removeUnchanged(file: string, bytes: Uint8Array): boolean {
    const now = disk.readFile(checked(file))
    if (now === undefined || !equal(now, bytes)) return false
    return storing(file, () => {
      disk.remove(absolute(file))
      disk.syncFolder(path.dirname(absolute(file)))
      return true
    })
  }

  function write(file: string, bytes: Uint8Array): void {
    storing(file, () => {
      const target = absolute(file)
      disk.makeFolder(path.dirname(target))
      disk.writeFile(`${target}${TEMPORARY}`, bytes)
      disk.rename(`${target}${TEMPORARY}`, target)
      disk.syncFolder(path.dirname(target))
    })
  }

  function foldersIn(folder: string): string[] {
    return (disk.listFolder(absolute(folder)) ?? []).filter(item => item.isDirectory()).map(item => item.name)
  }

  function filesIn(folder: string, pattern: RegExp) {
    return (disk.listFolder(absolute(folder)) ?? []).flatMap(item => {
      const groups = item.isFile() ? pattern.exec(item.name)?.groups : undefined
      const stamp = groups && disk.stamp(absolute(`${folder}/${item.name}`))
      if (groups === undefined || stamp === undefined) return []
      return [
        {
          path: `${folder}/${item.name}`,
          stamp: `${stamp.size} ${stamp.mtimeMs} ${stamp.inode}`,
          name: groups.name ?? '',
          open: groups.open,
        },
      ]
    })
  }

  /** A vault next to a flat file does not prove that the file was migrated: any handoff makes a vault. */
  function saysTheSame(one: string, other: string): boolean {
    const [a, b] = [disk.readFile(absolute(one)), disk.readFile(absolute(other))]
    return a !== undefined && b !== undefined && equal(a, b)
  }

  /** Older format: one file for each agent. A newer file in a folder replaces it. */
  function seedConversations(others: readonly ConversationFile[]): ConversationFile[] {
    const paths = new Set(others.map(({ path }) => path))
    return filesIn(CONVERSATIONS, /^(?<name>.+)\.json$/).flatMap(({ path, stamp, name: agent }) => {
      const session = seedSessionOf(agent)
      const name = sessionFileName(session)
      if (paths.has(`${CONVERSATIONS}/${sessionFileName(agent)}/${name}.json`)) return []
      return [{ path, stamp, name, agent, isClosed: true, seed: { session, agent } }]
    })
  }

  /** A manifest may name anything: a file outside the memory, or behind a link that leads there, is not ours. */
  function checked(file: string): string {
    const target = absolute(file)
    const real = disk.realPath(path.dirname(target))
    const realMemory = disk.realPath(paths.memory)
    const leadsOut = real !== undefined && realMemory !== undefined && !isInside(real, realMemory)
    if (isPlainPath(file) && !leadsOut && !disk.isLink(target)) return target
    throw new CairnError({
      code: 'memory_outside_project',
      message: `${file} is not inside the memory.`,
      hint: 'Nothing was changed.',
    })
  }

  function storing<T>(file: string, work: () => T): T {
    try {
      return work()
    } catch (error) {
      throw asStorageError(error, `.memory/${file}`)
    }
  }
}

function equal(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && Buffer.compare(a, b) === 0
}
