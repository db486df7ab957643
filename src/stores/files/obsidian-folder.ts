import * as path from 'node:path'
import { parseBase, recordOfBase, renderBase } from '../../addons/obsidian/decide/agreement.ts'
import {
  type NoteFile,
  type NoteTrouble,
  type ObsidianLink,
  type ObsidianVault,
  type VaultState,
  vaultMissing,
} from '../../addons/obsidian/decide/obsidian-vault.ts'
import { LAYOUT } from '../../kernel/layout.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { NoticeCode } from '../../kernel/model/notice-codes.ts'
import type { Clock } from '../../kernel/system/clock.ts'
import { textHash } from '../../kernel/system/content-hash.ts'
import { asStorageError, type Disk, errnoOf } from '../../kernel/system/disk.ts'
import { isInside, type MemoryPaths, placeIn } from '../../kernel/system/paths.ts'
import { withProcessMutex } from '../../kernel/system/process-mutex.ts'
import type { WriterLock } from '../../kernel/vault/ports.ts'
import type { AllowanceFile } from './allowance-file.ts'
import {
  AWAY,
  alreadySyncing,
  asVaultError,
  DENIED,
  isOfOneNote,
  NO_FLUSH,
  notListed,
  throughLink,
} from './obsidian-failures.ts'
import { replaceFile, safePaths } from './safe-path.ts'

/** What a person wrote by hand is smaller. */
const MAX_NOTE_BYTES = 1_048_576
const MAX_NOTES = 50_000
const MAX_DEPTH = 12
const NOTE = /^[^.].*\.md$/is
/** A drawing, which is not a text of a person. */
const DRAWING = /\.excalidraw\.md$/i
const TRASH = '.trash'
const OWN_TEMPORARY = /^\.[0-9a-z]+\.cairn-tmp$/
const WAIT_MS = 10_000
const PAUSE_MS = 100

export function obsidianFolder({
  paths,
  disk,
  clock,
  allowances,
  turn,
}: {
  readonly paths: MemoryPaths
  readonly disk: Disk
  readonly clock: Clock
  readonly allowances: AllowanceFile
  readonly turn: WriterLock
}): ObsidianVault {
  /** Folders whose new names are not flushed yet. */
  const touched = new Set<string>()
  const baseText = () => {
    const bytes = disk.readFile(baseFile())
    return bytes === undefined ? undefined : new TextDecoder().decode(bytes)
  }
  const baseFile = () =>
    safePaths(paths, disk).check(path.join(placeIn(paths.memory, LAYOUT.obsidianBase), 'base.json'))

  /** The whole path, none of whose folders below the vault is a link. */
  function placeOf({ vault, folder }: ObsidianLink, name: string): string {
    return plainPlace(vault, name === '' ? folder : `${folder}/${name}`)
  }

  function plainPlace(vault: string, name: string): string {
    const whole = path.resolve(vault, name)
    if (whole === vault || !isInside(whole, vault)) throw throughLink(name)
    for (let at = whole; at !== vault; at = path.dirname(at)) if (disk.isLink(at)) throw throughLink(name)
    return whole
  }

  function lookAtVault({ vault, hasSettings }: ObsidianLink): VaultState {
    try {
      if (disk.isFolder(vault) !== true || disk.realPath(vault) !== vault) return 'missing'
      return hasSettings && disk.isFolder(`${vault}/.obsidian`) !== true ? 'unmounted' : 'there'
    } catch (error) {
      if (AWAY.has(errnoOf(error) ?? '')) return 'missing'
      throw asVaultError(error, vault)
    }
  }

  /** Checked before every write: a disk can be unmounted meanwhile, and its folder stays. */
  function refuseAway(link: ObsidianLink): void {
    const look = lookAtVault(link)
    if (look !== 'there') throw vaultMissing(link, look)
  }

  /** The content of a folder of the vault. Only a missing folder is empty: the content of an unreadable one is unknown. */
  function itemsIn(folder: string): ReturnType<Disk['listFolder']> | 'denied' {
    try {
      const items = disk.listFolder(folder)
      if (items !== undefined || disk.fileInfo(folder) === undefined) return items
      return 'denied'
    } catch (error) {
      if (DENIED.has(errnoOf(error) ?? '')) return 'denied'
      throw error
    }
  }

  /** Every file and folder of the synced folder, without those of tools. */
  function walk(
    link: ObsidianLink,
    visit: (name: string, whole: string, kind: 'note' | 'link' | 'denied') => void,
  ): void {
    refuseAway(link)
    let count = 0
    const into = (inside: string, depth: number) => {
      const whole = inside === '' ? placeOf(link, '') : path.join(placeOf(link, ''), inside)
      const items = itemsIn(whole)
      if (items === 'denied') {
        if (inside === '') throw notListed(link.folder)
        visit(inside, whole, 'denied')
        return
      }
      for (const item of items ?? []) {
        const name = inside === '' ? item.name : `${inside}/${item.name}`
        const at = path.join(whole, item.name)
        if (OWN_TEMPORARY.test(item.name)) visit(name, at, 'note')
        if (item.name.startsWith('.')) continue
        if (item.isDirectory()) {
          if (depth >= MAX_DEPTH) throw tooMany(link)
          into(name, depth + 1)
        } else if (item.isSymbolicLink() || (NOTE.test(item.name) && !DRAWING.test(item.name))) {
          if (++count > MAX_NOTES) throw tooMany(link)
          visit(name, at, item.isSymbolicLink() ? 'link' : 'note')
        }
      }
    }
    into('', 0)
  }

  function readNote(name: string, whole: string): NoteFile | undefined {
    const trouble = (code: NoticeCode, message: string): NoteFile => ({
      path: name,
      trouble: { code, message },
    })
    try {
      const reading = disk.readPlain(whole, MAX_NOTE_BYTES)
      if (reading === undefined) return undefined
      if (reading === 'link') return trouble('link_left', `${name} is a link, and links are not followed.`)
      if (reading.kind === 'too_large')
        return trouble('content_too_long', `${name} has ${reading.size} bytes, too many for a note.`)
      if (reading.kind === 'unreadable')
        return trouble('note_unreadable', `${name} cannot be read: ${reading.why}.`)
      const text = decoded(reading.bytes)
      return text === undefined ? trouble('not_a_text', `${name} is not a text.`) : { path: name, text }
    } catch (error) {
      return trouble('note_unreadable', `${name} cannot be read (${errnoOf(error) ?? 'unknown'}).`)
    }
  }

  /** The present note; undefined: there is none, or Cairn may not replace it. */
  function textAt(whole: string): string | undefined {
    const reading = disk.readPlain(whole, MAX_NOTE_BYTES)
    return reading !== undefined && reading !== 'link' && reading.kind === 'read'
      ? decoded(reading.bytes)
      : undefined
  }

  function isAsSeen(whole: string, seen: string | null): boolean {
    return seen === null ? disk.fileInfo(whole) === undefined : textAt(whole) === seen
  }

  function put(whole: string, text: string, seen: string | null): 'written' | 'changed' {
    if (!isAsSeen(whole, seen)) return 'changed'
    const folder = path.dirname(whole)
    if (disk.isFolder(folder) !== true) disk.makeFolder(folder)
    const temporary = path.join(
      folder,
      `.${clock.nowMs().toString(36)}${clock.random(2 ** 30).toString(36)}.cairn-tmp`,
    )
    try {
      disk.writeFile(temporary, new TextEncoder().encode(text), seen === null ? undefined : whole)
      // Obsidian saves every two seconds: a note that it wrote meanwhile must not be replaced.
      if (!isAsSeen(whole, seen)) {
        disk.remove(temporary)
        return 'changed'
      }
      disk.rename(temporary, whole)
      touched.add(folder)
    } catch (error) {
      disk.remove(temporary)
      throw error
    }
    return 'written'
  }

  function moveToTrash(link: ObsidianLink, name: string, whole: string, text: string): void {
    try {
      disk.rename(whole, freeInTrash(link, name))
    } catch (error) {
      // The synced folder can be a disk of its own in the vault.
      if (errnoOf(error) !== 'EXDEV') throw error
      while (put(freeInTrash(link, name), text, null) === 'changed');
      disk.remove(whole)
    }
  }

  /** Some disks cannot flush a folder, and have nothing to flush. */
  function flushFolders(): void {
    for (const folder of touched) {
      try {
        disk.syncFolder(folder)
      } catch (error) {
        if (!NO_FLUSH.has(errnoOf(error) ?? '')) throw error
      }
    }
    touched.clear()
  }

  function freeInTrash({ vault }: ObsidianLink, name: string): string {
    const stem = path.basename(name).replace(/\.md$/i, '')
    for (let n = 1; ; n++) {
      const whole = plainPlace(vault, `${TRASH}/${stem}${n === 1 ? '' : ` ${n}`}.md`)
      if (disk.fileInfo(whole) === undefined) {
        if (disk.isFolder(path.dirname(whole)) !== true) disk.makeFolder(path.dirname(whole))
        return whole
      }
    }
  }

  const storing = async <T>(subject: string, work: () => T): Promise<T> => {
    try {
      return work()
    } catch (error) {
      throw asVaultError(error, subject)
    }
  }
  /** A problem of one note does not prevent writing the others. */
  const writing = async <T>(name: string, work: () => T): Promise<T | NoteTrouble> => {
    try {
      return await storing(name, work)
    } catch (error) {
      if (!(error instanceof CairnError) || !isOfOneNote(error)) throw error
      const { code, message } = error
      return { code: code === 'store_io' ? 'note_not_written' : code, message }
    }
  }
  const keeping = async (work: () => void): Promise<void> => {
    try {
      work()
    } catch (error) {
      throw asStorageError(error, '.memory/.vault/obsidian/base.json')
    }
  }
  const placeText = ({ vault, folder }: ObsidianLink) => `${vault}\n${folder}`

  return {
    async link() {
      const found = allowances.find()
      return found.kind === 'allowed' ? parseLink(found.terms, found.at) : undefined
    },
    async keepLink({ since, ...terms }) {
      allowances.put(JSON.stringify(terms), since)
    },
    dropLink: async () => allowances.remove(),
    async otherLinks() {
      return allowances.others().flatMap(({ project, terms }) => {
        const link = parseLink(terms, '')
        return link === undefined ? [] : [{ project, link }]
      })
    },
    look: async link => lookAtVault(link),
    notes: link =>
      storing(link.folder, () => {
        const notes: NoteFile[] = []
        walk(link, (name, whole, kind) => {
          // Leftovers of killed processes.
          if (OWN_TEMPORARY.test(path.basename(name))) return
          if (kind !== 'note') {
            const trouble: NoteTrouble =
              kind === 'link'
                ? { code: 'link_left', message: `${name} is a link, and links are not followed.` }
                : { code: 'note_unreadable', message: `The folder ${name} cannot be read.` }
            notes.push({ path: name, trouble })
            return
          }
          const note = readNote(name, whole)
          if (note !== undefined) notes.push(note)
        })
        return notes.sort((a, b) => (a.path < b.path ? -1 : 1))
      }),
    write: (link, name, text, seen) =>
      writing(name, () => {
        refuseAway(link)
        return put(placeOf(link, name), text, seen)
      }),
    trash: (link, name, seen) =>
      writing(name, () => {
        refuseAway(link)
        const whole = placeOf(link, name)
        if (!isAsSeen(whole, seen)) return 'changed'
        moveToTrash(link, name, whole, seen)
        touched.add(path.dirname(whole))
        clearAway(path.dirname(whole), placeOf(link, ''))
        return 'moved'
      }),
    keepCopy: (link, name, text) =>
      storing(name, () => {
        refuseAway(link)
        // Obsidian may put a note of the same name there at that moment.
        while (put(freeInTrash(link, name), text, null) === 'changed');
      }),
    savedMs: (link, name) => storing(name, () => disk.fileInfo(placeOf(link, name))?.mtimeMs),
    clearLeftovers: link =>
      storing(link.folder, () => {
        walk(link, (name, whole) => {
          if (OWN_TEMPORARY.test(path.basename(name))) disk.remove(whole)
        })
        const trash = plainPlace(link.vault, TRASH)
        for (const { name } of disk.listFolder(trash) ?? [])
          if (OWN_TEMPORARY.test(name)) disk.remove(path.join(trash, name))
      }),
    stamp: link =>
      storing(link.folder, () => {
        const stamps: string[] = []
        walk(link, (name, whole) => {
          const { size, mtimeMs, inode } = disk.fileInfo(whole) ?? { size: 0, mtimeMs: 0, inode: 0 }
          stamps.push(`${name}\0${size}\0${mtimeMs}\0${inode}`)
        })
        return textHash(stamps.join('\n'))
      }),
    async base(link) {
      const text = baseText()
      return text === undefined ? new Map() : parseBase(text, placeText(link))
    },
    async agreedRecord(link) {
      const text = baseText()
      return text === undefined ? undefined : recordOfBase(text, placeText(link))
    },
    async keepBase(link, base, record) {
      // Files in the list must exist after a power cut: otherwise they would count as deleted.
      await storing(link.folder, flushFolders)
      await keeping(() =>
        replaceFile(disk, baseFile(), renderBase(base, placeText(link), record), clock.random(1e9)),
      )
    },
    dropBase: () => keeping(() => disk.remove(baseFile())),
    alone: work =>
      withProcessMutex(`${paths.lock}#obsidian`, async () => {
        if (disk.isFolder(paths.vaultData) !== true) disk.makeFolder(paths.vaultData)
        for (const untilMs = clock.nowMs() + WAIT_MS; !turn.tryAcquire(); ) {
          if (clock.nowMs() >= untilMs) throw alreadySyncing()
          await clock.sleep(PAUSE_MS)
        }
        try {
          return await work()
        } finally {
          turn.release()
          // An open file would prevent removing the folder of the memory on Windows.
          turn.close()
        }
      }),
  }

  /** Removes folders without notes; the synced one stays. */
  function clearAway(from: string, top: string): void {
    for (let folder = from; folder !== top && isInside(folder, top); folder = path.dirname(folder))
      if (!disk.removeEmptyFolder(folder)) return
  }
}

function parseLink(terms: string, since: string): ObsidianLink | undefined {
  const stored = parsed(terms)
  const { vault, folder, agents, includesPrivate, hasSettings } = stored
  if (typeof vault !== 'string' || typeof folder !== 'string' || !path.isAbsolute(vault)) return undefined
  const named = Array.isArray(agents) ? agents.filter(agent => typeof agent === 'string') : undefined
  return {
    vault,
    folder,
    ...(named !== undefined && named.length > 0 && { agents: named }),
    includesPrivate: includesPrivate === true,
    hasSettings: hasSettings === true,
    since,
  }
}

function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch (error) {
    if (error instanceof SyntaxError) return {}
    throw error
  }
}

function decoded(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return text.includes('\0') ? undefined : text
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}

function tooMany({ folder }: ObsidianLink): CairnError {
  return new CairnError({
    code: 'invalid_input',
    message: `${folder} has more than ${MAX_NOTES} notes, or more than ${MAX_DEPTH} levels of folders: more than Cairn syncs.`,
    hint: 'Link a folder of its own for this project.',
  })
}
