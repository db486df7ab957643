import type { Dirent } from 'node:fs'
import * as path from 'node:path'
import { CairnError } from '../../kernel/model/errors.ts'
import type { Problem } from '../../kernel/model/search.ts'
import { categoryOf, isVaultFolder, LOCAL_FOLDER } from '../../kernel/model/vault-layout.ts'
import { contentHash } from '../../kernel/system/content-hash.ts'
import type { Disk } from '../../kernel/system/disk.ts'
import { isInside, type MemoryPaths } from '../../kernel/system/paths.ts'
import {
  ChangedMeanwhile,
  type FileWrite,
  type Scanned,
  type ScannedFile,
  type VaultFolder,
  type VaultScan,
} from '../../kernel/vault/vault-folder.ts'
import { realPathOf } from './safe-path.ts'

const TEMPORARY = '.cairn-tmp'
/** Maximum number of other files in a folder. */
const MAX_OTHER_ITEMS = 200

/** The Markdown files of `.memory/`. Lists, reads and writes them without parsing. */
export function vaultFolder(paths: MemoryPaths, disk: Disk): VaultFolder {
  // Not path.join: in a cold start it takes longer than the file system, and every system accepts a slash.
  const absolute = (file: string) => `${paths.memory}/${file}`

  return {
    scan({ maxFiles = Number.POSITIVE_INFINITY } = {}): VaultScan {
      const found: Found = { files: [], folders: [], hasLinks: false, problems: [], leftovers: [], maxFiles }
      for (const item of list('.', found)) {
        const isLocal = item.name.toLowerCase() === LOCAL_FOLDER
        if (!isLocal && !isVaultFolder(item.name)) continue
        scanFolder(item, item.name, found, isLocal ? scanLocal : scanAgent)
      }
      return found
    },

    read: file => disk.readFile(absolute(file)),

    /** Every new text is on disk before the first file changes its name. */
    write(writes) {
      refuseOutside(writes.map(({ path: file }) => file))
      const folders = new Set<string>()
      const temporary: string[] = []
      const removeTemporary = () => {
        for (const file of temporary) disk.remove(file)
      }
      try {
        for (const { path: file, bytes } of writes) {
          const target = absolute(file)
          const folder = path.dirname(target)
          if (!folders.has(folder) && disk.isFolder(folder) !== true) disk.makeFolder(folder)
          folders.add(folder)
          if (bytes === null) continue
          temporary.push(`${target}${TEMPORARY}`)
          disk.writeFile(`${target}${TEMPORARY}`, bytes)
        }
      } catch (error) {
        removeTemporary()
        throw Object.assign(new Error('nothing was renamed', { cause: error }), { untouched: true })
      }
      const inOrder = [
        ...writes.filter(({ bytes }) => bytes !== null),
        ...writes.filter(({ bytes }) => bytes === null),
      ]
      // All of them first: until a file is replaced, the whole write can start again.
      const changed = inOrder.find(write => !isAsPlanned(write))
      if (changed !== undefined) {
        removeTemporary()
        throw new ChangedMeanwhile(changed.path, true)
      }
      for (const [at, write] of inOrder.entries()) {
        if (replace(write)) continue
        removeTemporary()
        throw new ChangedMeanwhile(write.path, at === 0)
      }
      for (const folder of folders) disk.syncFolder(folder)
    },

    stamp: file => disk.stamp(absolute(file)),
    removeLeftover: file => disk.remove(absolute(file)),
  }

  /**
   * False: an editor saved the file just before it was replaced, and its text was restored. A hard link, made right before, keeps the
   * replaced file until it was compared. Only a rename by an editor between these two system calls is missed: Node has no call that swaps
   * two files.
   */
  function replace(write: FileWrite): boolean {
    if (!isAsPlanned(write)) return false
    const target = absolute(write.path)
    const kept = `${target}.replaced${TEMPORARY}`
    const isKept = typeof write.replaces === 'string' && keep(target, kept)
    if (write.bytes === null) disk.remove(target)
    else disk.rename(`${target}${TEMPORARY}`, target)
    if (!isKept) return true
    if (hashOf(kept) !== write.replaces) {
      disk.rename(kept, target)
      return false
    }
    disk.remove(kept)
    return true
  }

  function keep(target: string, kept: string): boolean {
    // A leftover of a dead process.
    if (disk.stamp(kept) !== undefined) disk.remove(kept)
    return disk.link(target, kept)
  }

  function isAsPlanned({ path: file, replaces }: FileWrite): boolean {
    return replaces === undefined || hashOf(absolute(file)) === replaces
  }

  function hashOf(file: string): string | null {
    const bytes = disk.readFile(file)
    return bytes === undefined ? null : contentHash(bytes)
  }

  /** The stamp is read first: a file that is added during the listing changes it. */
  function list(folder: string, found: Found): readonly Dirent[] {
    const stamp = disk.stamp(absolute(folder))
    if (stamp === undefined) return []
    found.folders.push({ path: folder, ...stamp })
    const maxItems = Number.isFinite(found.maxFiles) ? found.maxFiles + MAX_OTHER_ITEMS : undefined
    return disk.listFolder(absolute(folder), maxItems) ?? []
  }

  function scanFolder(item: Dirent, folder: string, found: Found, scan: Scan): void {
    if (item.isSymbolicLink()) found.hasLinks = true
    if (item.isSymbolicLink() && !staysInside(folder)) found.problems.push(outsideLink(folder))
    else if (item.isDirectory() || item.isSymbolicLink()) scan(folder, found)
  }

  /** `local/dev/decisions.md`; 0.1.0 allowed an agent called `local`, whose files are directly here. */
  function scanLocal(folder: string, found: Found): void {
    const items = list(folder, found)
    scanVault(items, folder, LOCAL_FOLDER, found)
    for (const item of items)
      if (isVaultFolder(item.name)) scanFolder(item, `${folder}/${item.name}`, found, scanAgent)
  }

  function scanAgent(folder: string, found: Found): void {
    scanVault(list(folder, found), folder, folder.slice(folder.lastIndexOf('/') + 1).toLowerCase(), found)
  }

  function scanVault(items: readonly Dirent[], folder: string, agent: string, found: Found): void {
    for (const item of items) {
      const name = `${folder}/${item.name}`
      if (item.name.endsWith(TEMPORARY)) found.leftovers.push(name)
      const category = categoryOf(item.name)
      if (category === undefined) continue
      if (item.isSymbolicLink()) found.hasLinks = true
      if (item.isSymbolicLink() && !staysInside(name)) found.problems.push(outsideLink(name))
      else if (item.name !== category) addFile(item, name, { agent, category }, found)
      else if (item.isDirectory()) scanPages(name, { agent, category }, found)
    }
  }

  function scanPages(folder: string, owner: Owner, found: Found): void {
    for (const page of list(folder, found)) {
      const name = `${folder}/${page.name}`
      if (page.name.endsWith(TEMPORARY)) found.leftovers.push(name)
      // `local/decisions/lessons.md` belongs to the agent `decisions`, `local/decisions/2026-02.md` to the agent `local`.
      else if (owner.agent === LOCAL_FOLDER && categoryOf(page.name) !== undefined) continue
      else if (page.name.endsWith('.md')) addFile(page, name, owner, found)
    }
  }

  function addFile(item: Dirent, file: string, owner: Owner, found: Found): void {
    if (found.files.length >= found.maxFiles) return
    if (item.isDirectory()) return void found.problems.push(notAFile(file))
    if (item.isSymbolicLink()) found.hasLinks = true
    if (item.isSymbolicLink() && !staysInside(file)) return void found.problems.push(outsideLink(file))
    const stamp = disk.stamp(absolute(file))
    // It may have gone since the folder was listed.
    if (stamp !== undefined) found.files.push({ path: file, ...owner, ...stamp })
  }

  function staysInside(file: string): boolean {
    const real = realPathOf(disk, absolute(file))
    const realMemory = disk.realPath(paths.memory)
    return real !== undefined && realMemory !== undefined && isInside(real, realMemory)
  }

  /** A vault that is a link out of the memory is neither read nor written. */
  function refuseOutside(files: readonly string[]): void {
    const parts = new Set(
      files.flatMap(file => {
        const names = file.split('/')
        return names.map((_, at) => names.slice(0, at + 1).join('/'))
      }),
    )
    for (const part of parts) {
      if (!disk.isLink(absolute(part)) || staysInside(part)) continue
      const { message, hint } = outsideLink(part)
      throw new CairnError({ code: 'memory_outside_project', message, hint })
    }
  }
}

interface Found {
  readonly files: ScannedFile[]
  readonly folders: Scanned[]
  hasLinks: boolean
  readonly problems: Problem[]
  readonly leftovers: string[]
  readonly maxFiles: number
}

type Owner = Pick<ScannedFile, 'agent' | 'category'>
type Scan = (folder: string, found: Found) => void

function outsideLink(folder: string): Problem {
  return {
    code: 'vault_link_outside',
    path: folder,
    message: `${folder} is a link that leads out of .memory; it is neither read nor written.`,
    hint: 'Replace the link with its target.',
  }
}

function notAFile(file: string): Problem {
  return {
    code: 'vault_file_is_folder',
    path: file,
    message: `${file} is a folder, but a vault file should be there.`,
    hint: 'Move the folder away.',
  }
}
