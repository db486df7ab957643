import * as fs from 'node:fs'
import {
  type FolderSnapshot,
  isWatchedFolder,
  mayConcernPage,
  partsChanged,
} from '../../features/overview/decide/memory-parts.ts'
import type { ChangeListener, MemoryChanges } from '../../features/overview/decide/ports.ts'
import { LAYOUT, type MemoryPart } from '../../kernel/layout.ts'
import { type Disk, errnoOf } from '../../kernel/system/disk.ts'
import { MEMORY_FOLDER, type MemoryPaths } from '../../kernel/system/paths.ts'

/** An editor or a commit changes several files together. */
const TOGETHER_MS = 80
/** Writes without a pause are reported too. */
const MAX_WAIT_MS = 400
/** Changes without an event (network drives, a full queue): checked so often, and never more than this share of the time. */
const CHECK_EVERY_MS = 3_000
const CHECK_SHARE = 0.002
const MAX_WATCHED = 400
/** Of a larger memory these folders are watched. */
const MAX_FOLDERS = 5_000

interface WatcherParts {
  readonly paths: MemoryPaths
  readonly disk: Disk
  /** Stamps of what is not in a file of its own. Asked whenever the files are checked. */
  readonly beside?: () => Promise<ReadonlyMap<MemoryPart, string>>
}

/**
 * Watches the folders of a memory while there are listeners.
 *
 *   event in a folder ─▶ wait 80 ms ─▶ read that folder ─▶ other stamps? ─▶ the parts they belong to
 *   every 3 s ─────────────────────▶ read all of them ─────┘
 *
 * An event is only a hint: what is reported was seen in the stamps. The index is in no folder that is reported, so its own writes and
 * reads of a memory are not news.
 */
export function memoryWatcher(parts: WatcherParts): MemoryChanges {
  const listeners = new Set<ChangeListener>()
  let watching: { stop(): void } | undefined
  return {
    async listen(listener) {
      listeners.add(listener)
      watching ??= startWatching(parts, {
        onChange: changed => {
          for (const each of [...listeners]) each.onChange(changed)
        },
        onFailure: error => {
          for (const each of [...listeners]) each.onFailure(error)
        },
      })
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        watching?.stop()
        watching = undefined
      }
    },
  }
}

function startWatching(
  { paths, disk, beside }: WatcherParts,
  { onChange, onFailure }: ChangeListener,
): { stop(): void } {
  const sights = new Map<string, FolderSnapshot>()
  const watchers = new Map<string, fs.FSWatcher>()
  const dirty = new Set<string>()
  let known: ReadonlyMap<MemoryPart, string> | undefined
  let soon: NodeJS.Timeout | undefined
  let waitingSince = 0
  let isStopped = false
  let next: NodeJS.Timeout | undefined

  const absolute = (folder: string) => (folder === '' ? paths.memory : `${paths.memory}/${folder}`)

  /** A folder that cannot be watched is checked from time to time. */
  function watch(folder: string, place: string, isHint: (name: string | null) => boolean): void {
    if (watchers.has(folder) || watchers.size >= MAX_WATCHED) return
    try {
      const watcher = fs.watch(place, { persistent: false }, (_event, name) => {
        if (isHint(name)) hint(folder)
      })
      watcher.on('error', () => unwatch(folder))
      watchers.set(folder, watcher)
    } catch (error) {
      if (errnoOf(error) === undefined) throw error
    }
  }

  function unwatch(folder: string): void {
    watchers.get(folder)?.close()
    watchers.delete(folder)
  }

  function hint(folder: string): void {
    dirty.add(folder === OUTSIDE ? '' : folder)
    const nowMs = Date.now()
    if (soon === undefined) waitingSince = nowMs
    else if (nowMs - waitingSince > MAX_WAIT_MS) return
    clearTimeout(soon)
    soon = setTimeout(() => void check([...dirty]).catch(onFailure), TOGETHER_MS)
  }

  /** What is in a folder now, and the folders in it that are watched. */
  function see(folder: string): { readonly sight: FolderSnapshot; readonly below: readonly string[] } {
    const sight = new Map<string, string>()
    const below: string[] = []
    for (const { name } of listed(folder)) {
      const path = folder === '' ? name : `${folder}/${name}`
      const look = looked(path)
      if (look === undefined) continue
      if (look.kind !== 'folder') sight.set(name, `${look.size} ${look.mtimeMs} ${look.inode}`)
      else if (isWatchedFolder(path)) below.push(path)
      // What is deeper is reported when its folder comes or goes.
      else sight.set(name, 'folder')
    }
    return { sight, below }
  }

  function listed(folder: string) {
    try {
      return disk.listFolder(absolute(folder)) ?? []
    } catch (error) {
      if (errnoOf(error) === undefined) throw error
      return []
    }
  }

  function looked(path: string) {
    try {
      return disk.fileInfo(absolute(path))
    } catch (error) {
      if (errnoOf(error) === undefined) throw error
      return undefined
    }
  }

  /** Reads a folder and those below that are new; adds the parts that changed. */
  function visit(folder: string, changed: Set<MemoryPart>, isDeep: boolean): void {
    if (sights.size >= MAX_FOLDERS && !sights.has(folder)) return
    const before = sights.get(folder)
    // Watched before it is read: what happens in between is then noticed.
    watch(folder, absolute(folder), name => name === null || folder !== DATA || mayConcernPage(name))
    const { sight, below } = see(folder)
    sights.set(folder, sight)
    for (const part of partsChanged(folder, before ?? new Map(), sight)) changed.add(part)
    for (const known of childrenOf(folder)) if (!below.includes(known)) leave(known, changed)
    for (const path of below) if (isDeep || !sights.has(path)) visit(path, changed, isDeep)
  }

  function childrenOf(folder: string): string[] {
    const start = folder === '' ? '' : `${folder}/`
    return [...sights.keys()].filter(
      path => path !== '' && path.startsWith(start) && !path.slice(start.length).includes('/'),
    )
  }

  function leave(folder: string, changed: Set<MemoryPart>): void {
    for (const child of childrenOf(folder)) leave(child, changed)
    for (const part of partsChanged(folder, sights.get(folder) ?? new Map(), new Map())) changed.add(part)
    sights.delete(folder)
    unwatch(folder)
  }

  async function check(folders: readonly string[] | 'all'): Promise<void> {
    if (isStopped) return
    if (folders !== 'all') {
      clearTimeout(soon)
      soon = undefined
      dirty.clear()
    }
    const changed = new Set<MemoryPart>()
    if (folders === 'all') visit('', changed, true)
    else
      for (const folder of folders)
        if (folder === '' || sights.has(folder)) visit(folder, changed, folder === '' && sights.size === 1)
    await checkOther(changed)
    if (changed.size > 0 && !isStopped) onChange(changed)
  }

  async function checkOther(changed: Set<MemoryPart>): Promise<void> {
    if (beside === undefined) return
    const now = await beside()
    for (const [part, stamp] of now) if (known !== undefined && known.get(part) !== stamp) changed.add(part)
    known = now
  }

  async function checkAll(): Promise<void> {
    const startMs = performance.now()
    try {
      await check('all')
    } catch (error) {
      onFailure(error)
    }
    checkAgain(Math.max(CHECK_EVERY_MS, (performance.now() - startMs) / CHECK_SHARE))
  }

  function checkAgain(inMs: number): void {
    if (!isStopped) next = setTimeout(() => void checkAll(), inMs).unref()
  }

  // A new memory, also from a checkout, is noticed by the watcher of its project.
  watch(OUTSIDE, paths.root, name => name === null || name === MEMORY_FOLDER)
  visit('', new Set(), true)
  checkOther(new Set()).catch(onFailure)
  checkAgain(CHECK_EVERY_MS)
  return {
    stop() {
      isStopped = true
      clearTimeout(soon)
      clearTimeout(next)
      for (const folder of [...watchers.keys()]) unwatch(folder)
    },
  }
}

const DATA = LAYOUT.data.path.slice(0, -1)
/** The project around the memory, among the watchers. */
const OUTSIDE = '..'
