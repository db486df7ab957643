import { CairnError } from '../../kernel/model/errors.ts'
import type { Problem } from '../../kernel/model/search.ts'
import type { Clock } from '../../kernel/system/clock.ts'
import { type Disk, errnoOf } from '../../kernel/system/disk.ts'
import { isInside, type MemoryPaths } from '../../kernel/system/paths.ts'

const ENDLESS: ReadonlySet<string> = new Set(['ELOOP', 'ENAMETOOLONG'])

/** undefined: missing, or a circular link. One such link in a clone must not break every read. */
export function realPathOf(disk: Disk, file: string): string | undefined {
  try {
    return disk.realPath(file)
  } catch (error) {
    if (ENDLESS.has(errnoOf(error) ?? '')) return undefined
    throw error
  }
}

/** Reads and writes stay inside `.memory/`, whatever links are there. */
export function safePaths(paths: MemoryPaths, disk: Disk) {
  const leadsOut = (file: string): boolean => {
    if (!disk.isLink(file)) return false
    const real = realPathOf(disk, file)
    const memory = disk.realPath(paths.memory)
    return real === undefined || memory === undefined || !isInside(real, memory)
  }
  const nameOf = (file: string) => file.slice(paths.memory.length + 1).replaceAll('\\', '/')
  return {
    /** The name in messages, relative to `.memory/`. */
    nameOf,
    /** Refuses a path with a link out of the memory. */
    check(file: string): string {
      const parts = nameOf(file).split('/')
      for (let length = 1; length <= parts.length; length++) {
        const part = `${paths.memory}/${parts.slice(0, length).join('/')}`
        if (!leadsOut(part)) continue
        const { message, hint } = outside(nameOf(part))
        throw new CairnError({ code: 'memory_outside_project', message, hint })
      }
      return file
    },
    problemOf: (file: string): Problem | undefined => (leadsOut(file) ? outside(nameOf(file)) : undefined),
  }
}

type SafePaths = ReturnType<typeof safePaths>

/** The parts that every store of sessions uses. */
export interface SessionParts {
  readonly paths: MemoryPaths
  readonly disk: Disk
  readonly clock: Clock
  readonly safe: SafePaths
}

function outside(name: string): Problem {
  return {
    code: 'memory_link_outside',
    path: name,
    message: `${name} is a link that leads out of .memory; it is neither read nor written.`,
    hint: 'Replace the link with its target.',
  }
}

const TEMPORARY = '.cairn-tmp'

export function isTemporary(name: string): boolean {
  return name.endsWith(TEMPORARY)
}

/** Writes the old text or the new one, never half. No lock: each writer has its own temporary file. */
export function replaceFile(disk: Disk, file: string, text: string | Uint8Array, unique: number): void {
  const folder = file.slice(0, Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')))
  if (disk.isFolder(folder) !== true) disk.makeFolder(folder)
  const temporary = `${file}.${unique.toString(36)}${TEMPORARY}`
  try {
    disk.writeFile(temporary, typeof text === 'string' ? new TextEncoder().encode(text) : text)
    disk.rename(temporary, file)
  } catch (error) {
    disk.remove(temporary)
    throw error
  }
  disk.syncFolder(folder)
}
