import type { Memory } from '../../kernel/memory.ts'
import { notOnHub } from '../../kernel/memory-place.ts'
import type { Entry } from '../../kernel/model/entry.ts'
import type { Anchor, Anchoring, FileChange, Freshness } from '../../kernel/model/freshness.ts'
import type { Degradation } from '../../kernel/model/search.ts'
import type { Marks } from '../../kernel/model/selection.ts'
import type { SearchPorts } from '../search/decide/ports.ts'
import { type FileProfile, judgePrint, makePrint, profileOf, resemblance } from './decide/content-print.ts'
import { isUnchangedFile, type JudgedAnchor } from './decide/judged-anchor.ts'
import { followRenames, likelyPlaces, nameOf } from './decide/moved-file.ts'
import type { FileStatus, FreshnessPorts } from './decide/ports.ts'

/** What a read may cost at most: files read to be judged, files listed and read to find where one went. */
const READING = { files: 48, listed: 2_000, places: 12 }
/** The limits if the user asked for a check and waits for it. */
const THOROUGH = { files: Number.POSITIVE_INFINITY, listed: 50_000, places: 300 }
/** After an unsuccessful search for a lost file, reads do not repeat it for this long. */
const SEARCH_AGAIN_MS = 600_000
const NO_STAMP = { size: -1, mtimeMs: 0, inode: 0 }

/** The anchors of an entry about these files, in their current state. Missing files get no anchor. */
export async function anchorFiles(
  memory: FreshnessPorts,
  files: readonly string[],
  content: string,
): Promise<Anchoring> {
  const anchors: Anchor[] = []
  for (const file of new Set(files)) {
    const sample = await memory.projectFiles.read(file)
    if (sample !== undefined) anchors.push({ file, print: makePrint(profileOf(sample), content) })
  }
  if (anchors.length === 0) return {}
  const commit = await memory.projectFiles.commit()
  return { anchors, ...(commit !== undefined && { commit }) }
}

/** An entry with other anchors, or with none. */
export function withAnchors(
  { anchors: _anchors, commit: _commit, ...entry }: Entry,
  anchoring: Anchoring,
): Entry {
  return { ...entry, ...anchoring }
}

/**
 * The state of the files of these entries. Entries without anchors are not in the answer.
 *
 *   stat every file ─▶ unchanged since the last check ─▶ stored result
 *                  ─▶ changed ─▶ read, judge, store
 *                  ─▶ absent  ─▶ search for its new path, store
 */
export async function freshnessOf(
  memory: Memory & FreshnessPorts,
  entries: readonly Entry[],
  options: { readonly isThorough?: boolean } = {},
): Promise<ReadonlyMap<string, Freshness>> {
  const anchored = entries.filter(entry => entry.anchors !== undefined)
  // A hub stores the anchors of an entry, but has no files to compare.
  if (anchored.length === 0 || memory.place.kind === 'hub') return new Map()
  return new Judge(memory, options.isThorough === true).judge(anchored)
}

/** What a brief says about these entries. */
export async function freshnessMarks(
  memory: Memory & SearchPorts & FreshnessPorts,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Marks>> {
  const entryById = await memory.search.loadEntries(await memory.anchors.anchored(ids))
  const freshness = await freshnessOf(memory, [...entryById.values()])
  return new Map(
    [...freshness].flatMap(([id, { files }]): [string, Marks][] => {
      const changedFiles = files.flatMap(change =>
        change.what === 'changed' ? [change.to ?? change.file] : [],
      )
      const goneFiles = files.flatMap(change => (change.what === 'gone' ? [change.file] : []))
      if (changedFiles.length + goneFiles.length === 0) return []
      return [
        [
          id,
          { ...(changedFiles.length > 0 && { changedFiles }), ...(goneFiles.length > 0 && { goneFiles }) },
        ],
      ]
    }),
  )
}

/** Every anchored entry that is not as it was, newest first; git is asked once where files are missing. */
export async function checkAllFreshness(memory: Memory & FreshnessPorts): Promise<{
  readonly found: readonly { readonly entry: Entry; readonly freshness: Freshness }[]
  readonly checked: number
  readonly unanchored: number
  readonly degraded: readonly Degradation[]
}> {
  await memory.store.refresh()
  if (memory.place.kind === 'hub') {
    const { code, message } = notOnHub('Whether the files that entries name have changed')
    const unanchored = await memory.anchors.countUnanchored()
    return { found: [], checked: 0, unanchored, degraded: [{ code, message }] }
  }
  const entries = await memory.anchors.allAnchored()
  const judge = new Judge(memory, true)
  const freshness = await judge.judge(entries)
  return {
    found: entries.flatMap(entry => {
      const own = freshness.get(entry.id)
      return own === undefined || own.files.length === 0 ? [] : [{ entry, freshness: own }]
    }),
    checked: entries.length,
    unanchored: await memory.anchors.countUnanchored(),
    degraded: judge.degraded,
  }
}

/** The same entry with the paths that its files have now. */
export function withMovedFiles(entry: Entry, { files }: Freshness): Entry {
  const toByFile = new Map(
    files.flatMap((change): [string, string][] =>
      'to' in change && change.to !== undefined ? [[change.file, change.to]] : [],
    ),
  )
  if (toByFile.size === 0) return entry
  const now = (file: string) => toByFile.get(file) ?? file
  return {
    ...entry,
    files: [...new Set(entry.files.map(now))],
    ...(entry.anchors && { anchors: entry.anchors.map(({ file, print }) => ({ file: now(file), print })) }),
  }
}

/** One round of checks: a file that is read or listed for one anchor serves the others. */
class Judge {
  readonly degraded: Degradation[] = []
  readonly #memory: Memory & FreshnessPorts
  readonly #isThorough: boolean
  readonly #limits: typeof READING
  readonly #profiles = new Map<string, FileProfile | undefined>()
  readonly #results: JudgedAnchor[] = []
  #listed: readonly string[] | undefined
  #renames: readonly { from: string; to: string }[] | undefined

  constructor(memory: Memory & FreshnessPorts, isThorough: boolean) {
    this.#memory = memory
    this.#isThorough = isThorough
    this.#limits = isThorough ? THOROUGH : READING
  }

  async judge(entries: readonly Entry[]): Promise<ReadonlyMap<string, Freshness>> {
    const known = new Map<string, JudgedAnchor>()
    for (const judged of await this.#memory.anchors.judged(entries.map(({ id }) => id)))
      known.set(keyOf(judged.id, judged.file), judged)
    const files = entries.flatMap(entry => (entry.anchors ?? []).map(({ file }) => file))
    const moved = [...known.values()].map(({ path }) => path)
    const statuses = await this.#memory.projectFiles.see([...new Set([...files, ...moved])])
    const freshness = new Map<string, Freshness>()
    for (const entry of entries) {
      const changes: FileChange[] = []
      for (const anchor of entry.anchors ?? []) {
        // If a person removes a file from the entry, its anchor no longer counts.
        if (!entry.files.includes(anchor.file)) continue
        const change = await this.#judgeAnchor(
          entry,
          anchor,
          known.get(keyOf(entry.id, anchor.file)),
          statuses,
        )
        if (change !== undefined) changes.push(change)
      }
      freshness.set(entry.id, { state: stateOf(changes), files: changes })
    }
    await this.#memory.anchors.keep(this.#results)
    return freshness
  }

  async #judgeAnchor(
    entry: Entry,
    { file, print }: Anchor,
    row: JudgedAnchor | undefined,
    statuses: ReadonlyMap<string, FileStatus>,
  ): Promise<FileChange | undefined> {
    const last = row?.print === print ? row : undefined
    const status = statuses.get(file)
    if (status?.kind === 'unreadable') return { file, what: 'unreadable' }
    if (status?.kind === 'file') return this.#compare(entry, { file, print }, { path: file, status, last })
    const movedStatus = last === undefined || last.path === file ? undefined : statuses.get(last.path)
    if (last !== undefined && movedStatus?.kind === 'file')
      return this.#compare(entry, { file, print }, { path: last.path, status: movedStatus, last })
    const nowMs = this.#memory.clock.nowMs()
    if (last?.outcome === 'gone' && !this.#isThorough && nowMs - last.checkedMs < SEARCH_AGAIN_MS)
      return { file, what: 'gone' }
    if (this.#isSpent()) return { file, what: 'gone' }
    const path = await this.#findMoved(file, print)
    const found = path === undefined ? undefined : (await this.#memory.projectFiles.see([path])).get(path)
    if (path !== undefined && found?.kind === 'file')
      return this.#compare(entry, { file, print }, { path, status: found, last: undefined })
    // An interrupted search has not checked every place: the next one continues.
    if (!this.#isSpent())
      this.#results.push({
        id: entry.id,
        file,
        print,
        outcome: 'gone',
        path: file,
        stamp: NO_STAMP,
        checkedMs: nowMs,
      })
    return { file, what: 'gone' }
  }

  async #compare(
    entry: Entry,
    { file, print }: Anchor,
    {
      path,
      status,
      last,
    }: { path: string; status: FileStatus & { kind: 'file' }; last: JudgedAnchor | undefined },
  ): Promise<FileChange | undefined> {
    if (last !== undefined && last.path === path && isUnchangedFile(last, status.stamp))
      return changeOf(file, path, last.outcome)
    const checkedMs = this.#memory.clock.nowMs()
    if (!this.#profiles.has(path) && this.#isSpent()) return last && changeOf(file, path, last.outcome)
    const profile = await this.#profile(path)
    if (profile === undefined) return { file, what: 'unreadable' }
    const outcome = judgePrint(print, profile, entry.content) ?? 'unknown'
    this.#results.push({ id: entry.id, file, print, outcome, path, stamp: status.stamp, checkedMs })
    return changeOf(file, path, outcome)
  }

  /** What git recorded first, then what the file says. */
  async #findMoved(file: string, print: string): Promise<string | undefined> {
    const { projectFiles } = this.#memory
    if (this.#isThorough) {
      const recorded = followRenames(file.replace(/^\.\//, ''), await this.#knownRenames())
      if (recorded !== undefined && (await projectFiles.see([recorded])).get(recorded)?.kind === 'file')
        return recorded
    }
    this.#listed ??= await projectFiles.list(this.#limits.listed)
    let best: { path: string; share: number } | undefined
    for (const path of likelyPlaces(file, this.#listed, this.#limits.places)) {
      if (this.#isSpent() && !this.#profiles.has(path)) break
      const profile = await this.#profile(path)
      const share = profile === undefined ? 0 : resemblance(print, profile, nameOf(path) === nameOf(file))
      if (share > (best?.share ?? 0)) best = { path, share }
      if (share === 1) break
    }
    return best?.path
  }

  async #knownRenames(): Promise<readonly { from: string; to: string }[]> {
    if (this.#renames === undefined) {
      const answer = await this.#memory.projectFiles.renames()
      this.#renames = answer.kind === 'known' ? answer.renames : []
      if (answer.kind === 'unknown')
        this.degraded.push({
          code: 'git_failed',
          message: `Git could not be asked for renames (${answer.why}); files were followed by what they say.`,
        })
    }
    return this.#renames
  }

  #isSpent(): boolean {
    return this.#profiles.size >= this.#limits.files
  }

  async #profile(path: string): Promise<FileProfile | undefined> {
    if (!this.#profiles.has(path)) {
      const sample = await this.#memory.projectFiles.read(path)
      this.#profiles.set(path, sample && profileOf(sample))
    }
    return this.#profiles.get(path)
  }
}

function changeOf(file: string, path: string, outcome: JudgedAnchor['outcome']): FileChange | undefined {
  if (outcome === 'drifted')
    return path === file ? { file, what: 'changed' } : { file, what: 'changed', to: path }
  if (outcome === 'gone') return { file, what: 'gone' }
  return path === file ? undefined : { file, what: 'moved', to: path }
}

function stateOf(changes: readonly FileChange[]): Freshness['state'] {
  if (changes.some(({ what }) => what === 'gone')) return 'orphaned'
  return changes.some(({ what }) => what === 'changed') ? 'drifted' : 'fresh'
}

function keyOf(id: string, file: string): string {
  return `${id}\n${file}`
}
