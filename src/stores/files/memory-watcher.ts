import * as fs from 'node:fs'
import type { ChangeListener, MemoryChanges } from '../../features/overview/decide/memory-changes.ts'
import {
  type FolderSight,
  isLookedInto,
  mayBeNews,
  partsChanged,
} from '../../features/overview/decide/memory-parts.ts'
import { LAYOUT, type MemoryPart } from '../../kernel/layout.ts'
import { type Disk, errnoOf } from '../../kernel/system/disk.ts'
import { MEMORY_FOLDER, type MemoryPaths } from '../../kernel/system/paths.ts'

/** An editor or a commit touches several files in one breath. */
const TOGETHER_MS = 80
/** Somebody who writes without a pause is told of as well. */
const MAX_WAIT_MS = 400
/** What no event told of (network drives, a full queue): looked for so often, and never more than this share of the time. */
const LOOK_EVERY_MS = 3_000
const LOOK_SHARE = 0.002
const MAX_WATCHED = 400
/** A memory beyond this is looked at as far as it goes. */
const MAX_FOLDERS = 5_000

export interface WatcherParts {
  readonly paths: MemoryPaths
  readonly disk: Disk
  /** What is not in a file of its own, as texts that change with it. Asked whenever the files are looked at. */
  readonly beside?: () => Promise<ReadonlyMap<MemoryPart, string>>
}

/**
 * Watches the folders of a memory while somebody listens.
 *
 *   event in a folder ─▶ wait 80 ms ─▶ look at that folder ─▶ other stamps? ─▶ the parts they belong to
 *   every 3 s ─────────────────────▶ look at all of them ───┘
 *
 * An event is only a hint: what is told was seen in the stamps. The index is in no folder that is told of, so that its own writing,
 * and reading a memory, are no news.
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
  const sights = new Map<string, FolderSight>()
  const watchers = new Map<string, fs.FSWatcher>()
  const dirty = new Set<string>()
  let known: ReadonlyMap<MemoryPart, string> | undefined
  let soon: NodeJS.Timeout | undefined
  let waitingSince = 0
  let isStopped = false
  let next: NodeJS.Timeout | undefined

  const absolute = (folder: string) => (folder === '' ? paths.memory : `${paths.memory}/${folder}`)

  /** Where a folder is not to be watched, looking at it from time to time has to do. */
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
    soon = setTimeout(() => void look([...dirty]).catch(onFailure), TOGETHER_MS)
  }

  /** What is in a folder now; folders that are looked into come along. */
  function see(folder: string): { readonly sight: FolderSight; readonly below: readonly string[] } {
    const sight = new Map<string, string>()
    const below: string[] = []
    for (const { name } of listed(folder)) {
      const path = folder === '' ? name : `${folder}/${name}`
      const look = looked(path)
      if (look === undefined) continue
      if (look.kind !== 'folder') sight.set(name, `${look.size} ${look.mtimeMs} ${look.inode}`)
      else if (isLookedInto(path)) below.push(path)
      // What lies deeper is told of by its folder coming and going.
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
      return disk.lookAt(absolute(path))
    } catch (error) {
      if (errnoOf(error) === undefined) throw error
      return undefined
    }
  }

  /** Looks at a folder and at those below that are new; gives what is not as it was. */
  function visit(folder: string, changed: Set<MemoryPart>, isDeep: boolean): void {
    if (sights.size >= MAX_FOLDERS && !sights.has(folder)) return
    const before = sights.get(folder)
    // Watched before it is looked at: what happens in between is then heard of.
    watch(folder, absolute(folder), name => name === null || folder !== DATA || mayBeNews(name))
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

  async function look(folders: readonly string[] | 'all'): Promise<void> {
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
    await lookBeside(changed)
    if (changed.size > 0 && !isStopped) onChange(changed)
  }

  async function lookBeside(changed: Set<MemoryPart>): Promise<void> {
    if (beside === undefined) return
    const now = await beside()
    for (const [part, stamp] of now) if (known !== undefined && known.get(part) !== stamp) changed.add(part)
    known = now
  }

  async function lookAround(): Promise<void> {
    const startMs = performance.now()
    try {
      await look('all')
    } catch (error) {
      onFailure(error)
    }
    lookAgain(Math.max(LOOK_EVERY_MS, (performance.now() - startMs) / LOOK_SHARE))
  }

  function lookAgain(inMs: number): void {
    if (!isStopped) next = setTimeout(() => void lookAround(), inMs).unref()
  }

  // A memory that is made, or comes with a checkout, is seen by its project.
  watch(OUTSIDE, paths.root, name => name === null || name === MEMORY_FOLDER)
  visit('', new Set(), true)
  lookBeside(new Set()).catch(onFailure)
  lookAgain(LOOK_EVERY_MS)
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
