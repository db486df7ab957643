import * as path from 'node:path'
import { isTaken } from '../../model/agent-id.ts'
import { CATEGORIES, type Category } from '../../model/category.ts'
import type { Problem } from '../../model/search.ts'
import type { ScannedFile, VaultFolder, VaultScan } from '../../pipeline/store/vault-folder.ts'
import type { Disk } from '../../system/disk.ts'
import { isInside, type MemoryPaths } from '../../system/paths.ts'

const TEMPORARY = '.cairn-tmp'

/** The Markdown files of `.memory/`, seen as vault files. Looks and writes; never interprets. */
export function vaultFolder(paths: MemoryPaths, disk: Disk): VaultFolder {
  // Not path.join: it takes a cold start longer than the file system does, and every system takes a slash.
  const absolute = (file: string) => `${paths.memory}/${file}`

  return {
    scan(): VaultScan {
      const files: ScannedFile[] = []
      const problems: Problem[] = []
      const leftovers: string[] = []
      for (const agentFolder of disk.listFolder(paths.memory) ?? []) {
        if (!isVaultName(agentFolder.name)) continue
        if (agentFolder.isSymbolicLink()) {
          const real = disk.realPath(absolute(agentFolder.name))
          const realMemory = disk.realPath(paths.memory)
          if (real === undefined || realMemory === undefined || !isInside(real, realMemory)) {
            problems.push(outsideLink(agentFolder.name))
            continue
          }
        } else if (!agentFolder.isDirectory()) continue
        scanAgent(agentFolder.name, files, leftovers)
      }
      return { files, problems, leftovers }
    },

    read: file => disk.readFile(absolute(file)),

    /** Every new text is on disk before the first file changes its name. */
    write(writes) {
      const folders = new Set<string>()
      const temporary: { from: string; to: string }[] = []
      try {
        for (const { path: file, bytes } of writes) {
          const target = absolute(file)
          const folder = path.dirname(target)
          if (!folders.has(folder) && disk.isFolder(folder) !== true) disk.makeFolder(folder)
          folders.add(folder)
          if (bytes === null) continue
          const from = `${target}${TEMPORARY}`
          temporary.push({ from, to: target })
          disk.writeFile(from, bytes)
        }
      } catch (error) {
        for (const { from } of temporary) disk.remove(from)
        throw Object.assign(new Error('nothing was renamed', { cause: error }), { untouched: true })
      }
      for (const { from, to } of temporary) disk.rename(from, to)
      for (const { path: file, bytes } of writes) if (bytes === null) disk.remove(absolute(file))
      for (const folder of folders) disk.syncFolder(folder)
    },

    stamp: file => disk.stamp(absolute(file)),
    removeLeftover: file => disk.remove(absolute(file)),
  }

  function scanAgent(folder: string, files: ScannedFile[], leftovers: string[]): void {
    const agent = folder.toLowerCase()
    for (const item of disk.listFolder(absolute(folder)) ?? []) {
      const name = `${folder}/${item.name}`
      if (item.name.endsWith(TEMPORARY)) leftovers.push(name)
      const category = categoryOf(item.name)
      if (category === undefined) continue
      if (item.name === category) {
        if (item.isDirectory()) scanPages(name, agent, category, files, leftovers)
      } else addFile(name, agent, category, files)
    }
  }

  function scanPages(folder: string, agent: string, category: Category, files: ScannedFile[], leftovers: string[]): void {
    for (const page of disk.listFolder(absolute(folder)) ?? []) {
      const name = `${folder}/${page.name}`
      if (page.name.endsWith(TEMPORARY)) leftovers.push(name)
      else if (page.name.endsWith('.md')) addFile(name, agent, category, files)
    }
  }

  function addFile(file: string, agent: string, category: Category, files: ScannedFile[]): void {
    const stamp = disk.stamp(absolute(file))
    // It may have gone since the folder was listed.
    if (stamp !== undefined) files.push({ path: file, agent, category, ...stamp })
  }
}

/** `decisions` for `decisions` and `decisions.md`. */
function categoryOf(name: string): Category | undefined {
  return CATEGORIES.find(category => name === category || name === `${category}.md`)
}

function isVaultName(name: string): boolean {
  return !name.startsWith('.') && !name.startsWith('_') && !isTaken(name)
}

function outsideLink(folder: string): Problem {
  return {
    code: 'vault_link_outside',
    path: folder,
    message: `${folder} is a link that leads out of .memory; it is not read.`,
    hint: 'Replace the link by a folder.',
  }
}
