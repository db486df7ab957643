import * as path from 'node:path'
import { CairnError } from '../../kernel/model/errors.ts'
import type { InstallLevel } from '../../kernel/model/host.ts'
import { asStorageError, type Disk, errnoOf } from '../../kernel/system/disk.ts'
import { isInside } from '../../kernel/system/paths.ts'
import type { InstallParts } from './install-parts.ts'

/** Claude Code stores years of state in one file; a larger file is not a configuration. */
const MAX_BYTES = 64 * 1024 * 1024

/** undefined: there is no file. `writeHostFile` writes the text back byte for byte, including a byte order mark. */
export function readHostFile(parts: InstallParts, file: string, level: InstallLevel): string | undefined {
  const target = behindLinks(parts, file, level)
  const stats = parts.disk.fileInfo(target)
  if (stats === undefined) return undefined
  if (stats.kind !== 'file') throw damaged(file, 'it is not a regular file')
  if (stats.size > MAX_BYTES) throw damaged(file, 'it is larger than 64 MB')
  const bytes = parts.disk.readFile(target)
  if (bytes === undefined) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw damaged(file, 'it is not written in UTF-8')
  }
}

export function damaged(file: string, why: string, line?: number): CairnError {
  const where = line === undefined ? file : `${file}, line ${line}`
  return new CairnError({
    code: 'host_config_damaged',
    message: `${where} cannot be edited: ${why}.`,
    hint: 'Put the file right, or move it away, then run the command again. Nothing of this host was changed.',
    details: { path: file, ...(line !== undefined && { line }) },
  })
}

/**
 * The file behind links: dotfiles managers put links into home folders, and their targets are written. In a project a link may have come
 * with a clone: it must not lead out of the project.
 */
function behindLinks(parts: InstallParts, file: string, level: InstallLevel): string {
  const isLink = parts.disk.isLink(file)
  const target = isLink ? realPath(parts.disk, file) : file
  if (target === undefined) throw damaged(file, 'it is a link that leads nowhere')
  if (level === 'user') return target
  const root = parts.project === undefined ? undefined : realPath(parts.disk, parts.project)
  const real = realPath(parts.disk, isLink ? target : nearestFolder(parts.disk, target))
  if (root === undefined || real === undefined || !isInside(real, root)) {
    throw new CairnError({
      code: 'memory_outside_project',
      message: `${file} leads out of the project by a link, and is not written.`,
      hint: 'Replace the link by a file or a folder, or install for the user instead of for the project.',
    })
  }
  return target
}

function nearestFolder(disk: Disk, file: string): string {
  let folder = path.dirname(file)
  while (disk.fileInfo(folder) === undefined && folder !== path.dirname(folder)) folder = path.dirname(folder)
  return folder
}

const ENDLESS = new Set(['ELOOP', 'ENAMETOOLONG'])

function realPath(disk: Disk, file: string): string | undefined {
  try {
    return disk.realPath(file)
  } catch (error) {
    if (ENDLESS.has(errnoOf(error) ?? '')) return undefined
    throw error
  }
}

/** Folders that are missing on the way to a file, outermost first. */
export function missingFolders(disk: Disk, file: string): string[] {
  const missing: string[] = []
  for (let folder = path.dirname(file); disk.fileInfo(folder) === undefined; folder = path.dirname(folder)) {
    if (folder === path.dirname(folder)) break
    missing.unshift(folder)
  }
  return missing
}

/** Afterwards the file has the old text or the new one, with its permissions. A new file in a home folder is readable by this user alone. */
export function writeHostFile(parts: InstallParts, file: string, level: InstallLevel, text: string): void {
  const target = behindLinks(parts, file, level)
  const disk = level === 'user' ? parts.privateDisk : parts.disk
  const folder = path.dirname(target)
  const temporary = `${target}.${parts.unique()}.cairn-tmp`
  try {
    // A file that may not be written is not replaced either: the folder's permissions alone would allow it.
    if (disk.fileInfo(target) !== undefined) disk.append(target, new Uint8Array())
    for (const missing of missingFolders(disk, target)) disk.makeFolder(missing)
    try {
      disk.writeFile(temporary, new TextEncoder().encode(text), target)
      disk.rename(temporary, target)
    } catch (error) {
      disk.remove(temporary)
      throw error
    }
    disk.syncFolder(folder)
  } catch (error) {
    throw unwritten(error, file)
  }
}

/**
 * Removes the copies that a process killed between writing and renaming left next to a file; they may have keys in them. Only under the
 * installer's lock: then no other process has such a copy.
 */
export function clearLeftovers(parts: InstallParts, file: string, level: InstallLevel): void {
  const target = behindLinks(parts, file, level)
  const folder = path.dirname(target)
  const start = `${path.basename(target)}.`
  for (const entry of parts.disk.listFolder(folder) ?? []) {
    const isLeft = entry.isFile() && entry.name.startsWith(start)
    if (isLeft && /^[0-9a-z]+\.cairn-tmp$/.test(entry.name.slice(start.length)))
      parts.disk.remove(path.join(folder, entry.name))
  }
}

export function removeHostFile(parts: InstallParts, file: string, level: InstallLevel): void {
  const target = behindLinks(parts, file, level)
  try {
    parts.disk.remove(target)
  } catch (error) {
    throw unwritten(error, file)
  }
}

function unwritten(error: unknown, file: string): CairnError {
  const failure = asStorageError(error, file)
  if (failure.code !== 'vault_read_only') return failure
  return new CairnError({
    code: failure.code,
    message: failure.message,
    hint: 'Make it writable, or make the change where the file comes from (a dotfiles manager), then run the command again.',
    cause: error,
  })
}
