import { type Entry, STATUSES } from '../model/entry.ts'
import type { Anchor } from '../model/freshness.ts'
import type { EntryChange } from '../model/journal.ts'
import { isMonthPage, isPage, isTrackedPath } from '../model/vault-layout.ts'
import type { LocatedEntry } from './entry-index.ts'

/** The maximum number of entries that a note names. */
const MAX_NAMED = 5

/** A vault file that differs from the index: its entries before and now. */
interface ChangedFile {
  readonly path: string
  readonly before: readonly LocatedEntry[]
  readonly after: readonly Entry[]
}

export interface VaultObservation {
  readonly changes: readonly EntryChange[]
  readonly upserts: readonly LocatedEntry[]
  readonly moves: readonly { readonly id: string; readonly path: string }[]
  readonly removes: readonly string[]
  /** The same entry is in two files: it belongs to `counts`, and `path` has the other copy. */
  readonly twice: readonly Twin[]
  /** Another entry in another file has this id already: this one needs its own id. */
  readonly clashes: readonly { readonly id: string; readonly path: string }[]
  /** Two versions of one entry are in two files: the later one counts. */
  readonly settled: readonly {
    readonly id: string
    readonly kept: LocatedEntry
    readonly dropped: LocatedEntry
  }[]
}

export interface Twin {
  readonly id: string
  readonly path: string
  readonly counts: string
}

/**
 * Compares changed files with the index, across files: an entry that left one file and is unchanged in another has moved; it was not
 * deleted and written again.
 *
 * before \ after   absent   same text, same file   same text, other file   other text
 * absent             -              -                        -             added
 * present         removed           -                      moved           changed
 */
export function observeChanges(
  files: readonly ChangedFile[],
  find: (id: string) => LocatedEntry | undefined,
  /** The version of the entry in an interrupted journaled change: then the other copy is removed. */
  intended: (id: string) => Entry | undefined = () => undefined,
): VaultObservation {
  const changedPaths = new Set(files.map(file => file.path))
  const beforeById = new Map(files.flatMap(file => file.before).map(located => [located.entry.id, located]))
  const afterById = new Map<string, LocatedEntry>()
  const copies: { id: string; path: string }[] = []
  const clashes: { id: string; path: string }[] = []
  const settled: { id: string; kept: LocatedEntry; dropped: LocatedEntry }[] = []

  const standsElsewhere = (id: string, path: string): LocatedEntry | undefined => {
    const parsed = afterById.get(id)
    if (parsed !== undefined && parsed.path !== path) return parsed
    const indexed = find(id)
    return indexed !== undefined && !changedPaths.has(indexed.path) ? indexed : undefined
  }
  const keep = (kept: LocatedEntry, other: LocatedEntry) => {
    copies.push({ id: kept.entry.id, path: other.path })
    afterById.set(kept.entry.id, kept)
  }

  for (const file of files) {
    for (const entry of file.after) {
      const here = { entry, path: file.path }
      const other = standsElsewhere(entry.id, file.path)
      if (other === undefined) afterById.set(entry.id, here)
      else if (sameEntry(other.entry, entry)) {
        if (isBetterPlace(here.path, other.path)) keep(here, other)
        else keep(other, here)
      } else if (sameEntry(intended(entry.id), entry)) keep(here, other)
      else {
        const kept = laterVersion(other, here)
        if (kept !== undefined) {
          const dropped = kept === here ? other : here
          settled.push({ id: entry.id, kept, dropped })
          keep(kept, dropped)
        } else if (changedPaths.has(other.path) && find(entry.id)?.path === here.path) {
          // The entry that has the id in the index keeps it.
          afterById.set(entry.id, here)
          clashes.push({ id: entry.id, path: other.path })
        } else clashes.push({ id: entry.id, path: here.path })
      }
    }
  }
  const twice = copies.map(copy => ({ ...copy, counts: afterById.get(copy.id)?.path ?? '' }))

  const changes: EntryChange[] = []
  const upserts: LocatedEntry[] = []
  const moves: { id: string; path: string }[] = []
  for (const [id, now] of afterById) {
    const was = beforeById.get(id) ?? find(id)
    if (was !== undefined && sameEntry(was.entry, now.entry)) {
      if (was.path !== now.path) moves.push({ id, path: now.path })
      continue
    }
    upserts.push(now)
    changes.push({ type: 'entry', before: was?.entry ?? null, after: now.entry })
  }
  const removes: string[] = []
  for (const [id, was] of beforeById) {
    if (afterById.has(id)) continue
    removes.push(id)
    changes.push({ type: 'entry', before: was.entry, after: null })
  }
  return { changes, upserts, moves, removes, twice, clashes, settled }
}

/**
 * Which of two versions of one entry counts. Only Cairn writes `updated`: if it differs, one clone changed or moved the entry while
 * another rolled it over, and git brought both files together. undefined: a person copied an entry and changed the copy, which is then
 * another entry.
 */
function laterVersion(a: LocatedEntry, b: LocatedEntry): LocatedEntry | undefined {
  const [atA, atB] = [a.entry.updated ?? '', b.entry.updated ?? '']
  if (atA !== atB) return atA > atB ? a : b
  const isSame = ownerOf(a.entry) === ownerOf(b.entry) && a.entry.content === b.entry.content
  if (!isSame) return undefined
  // Format 2 writes nothing into a committed head file: its content is from before the migration.
  if (isCommittedHead(a.path) !== isCommittedHead(b.path) && ![a, b].some(({ path }) => isMonthPage(path)))
    return isCommittedHead(a.path) ? b : a
  // A pin has no timestamp. A rolled over entry is unchanged, so a change is in the head file.
  const strength = ({ entry, path }: LocatedEntry) =>
    STATUSES.indexOf(entry.status) * 2 + Number(!isPage(path))
  return strength(a) >= strength(b) ? a : b
}

/**
 * For two files with the same entry. Rollover writes the page first: the copy in the head file is the one that was about to be removed.
 */
function isBetterPlace(path: string, other: string): boolean {
  if (isTrackedPath(path) !== isTrackedPath(other)) return !isTrackedPath(path)
  return isPage(path) && !isPage(other)
}

function isCommittedHead(path: string): boolean {
  return isTrackedPath(path) && !isPage(path)
}

function ownerOf({ agent, category }: Entry): string {
  return `${agent}/${category}`
}

/** The journal records and problems for removed versions: undo can restore the other one. */
export function reportSettled({ settled, changes }: VaultObservation): {
  readonly changes: readonly EntryChange[]
  readonly note: string | undefined
} {
  if (settled.length === 0) return { changes: [], note: undefined }
  const known = changes.map(({ before }) => before)
  const unknown = settled.filter(({ dropped }) => !known.some(before => sameEntry(before, dropped.entry)))
  const ids = settled.map(({ id }) => id)
  const names = ids.slice(0, MAX_NAMED).join(', ') + (ids.length > MAX_NAMED ? ' …' : '')
  return {
    changes: unknown.map(({ kept, dropped }) => ({
      type: 'entry',
      before: dropped.entry,
      after: kept.entry,
    })),
    note: `Two files had versions of the same entry (${names}), as after a merge. The one changed last is kept; \`cairn log\` has the other.`,
  }
}

export function sameEntry(a: Entry | null | undefined, b: Entry | null | undefined): boolean {
  if (!a || !b) return !a && !b
  return (
    a.id === b.id &&
    a.content === b.content &&
    a.agent === b.agent &&
    a.category === b.category &&
    a.kind === b.kind &&
    a.status === b.status &&
    a.origin === b.origin &&
    a.date === b.date &&
    a.updated === b.updated &&
    a.importance === b.importance &&
    a.confidence === b.confidence &&
    a.session === b.session &&
    sameList(a.tags, b.tags) &&
    sameList(a.files, b.files) &&
    a.commit === b.commit &&
    sameList((a.anchors ?? []).map(anchorText), (b.anchors ?? []).map(anchorText)) &&
    JSON.stringify(a.extra ?? {}) === JSON.stringify(b.extra ?? {})
  )
}

function anchorText({ file, print }: Anchor): string {
  return `${file}@${print}`
}

function sameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((item, at) => item === b[at])
}
