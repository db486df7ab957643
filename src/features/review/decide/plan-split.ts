import { compareIds } from '../../../kernel/model/entry-id.ts'
import { isLocalPath } from '../../../kernel/model/vault-layout.ts'
import { entryFileName } from '../../../kernel/vault/entry-file-name.ts'

export interface SplitEntry {
  readonly id: string
  readonly date: string
  readonly bytes: number
  /** What it begins with: names the file that it gets. */
  readonly text: string
}

/** A head file and its pages: `dev/decisions.md`, `dev/decisions/2026-02.md`. */
export interface CategoryFiles {
  readonly head: string
  readonly entriesByPath: ReadonlyMap<string, readonly SplitEntry[]>
}

export interface SplitLimits {
  readonly mostEntries: number
  /** How many of the newest stay in a head file. */
  readonly keepEntries: number
  readonly pageBytes: number
}

export interface PlannedSplit {
  readonly file: string
  readonly entries: number
  readonly stays: number
  readonly moves: readonly { readonly to: string; readonly entries: readonly string[] }[]
}

const PAGE_NAME = /^(\d{4}-\d\d)(?:\.(\d+))?$/
/** What an entry takes in its file beside its words: comment, heading, rule. */
const AROUND_BYTES = 400

/**
 * Every file of a category that has too many entries, and where they would go:
 *
 *   decisions.md                the newest stay, the older get files of their own
 *   local/decisions.md          the newest stay, the older go to the pages of their months
 *   local/decisions/2026-02.md  the oldest stay, the newer go on to 2026-02.2, 2026-02.3 …
 *
 * A committed page stays as it is: it came from an import or from format 1, and hundreds of new files help nobody.
 *
 * Planned together, so that two files that overflow into one month do not fill the same page twice. Applied one by one, in any order,
 * each leaves files within the limit.
 */
export function planSplits({ head, entriesByPath }: CategoryFiles, limits: SplitLimits): PlannedSplit[] {
  const folder = head.replace(/\.md$/, '')
  const pages = new Map<string, Page>()
  const occupied = new Set<string>()
  for (const [path, entries] of entriesByPath) {
    if (path === head) continue
    occupied.add(path)
    const [, month, digits = '1'] = PAGE_NAME.exec(nameIn(folder, path)) ?? []
    if (month === undefined) continue
    const number = Number(digits)
    if (number > (pages.get(month)?.number ?? 0))
      pages.set(month, { number, entries: entries.length, bytes: bytesOf(entries) })
  }
  const placeFor = (month: string, bytes: number): string => {
    let page = pages.get(month) ?? { number: 1, entries: 0, bytes: 0 }
    const isFull = () =>
      page.entries >= limits.mostEntries || (page.entries > 0 && page.bytes + bytes > limits.pageBytes)
    while (isFull()) page = { number: page.number + 1, entries: 0, bytes: 0 }
    pages.set(month, { number: page.number, entries: page.entries + 1, bytes: page.bytes + bytes })
    return `${folder}/${page.number === 1 ? month : `${month}.${page.number}`}.md`
  }

  const isLocal = isLocalPath(head)
  const full = [...entriesByPath].filter(
    ([path, entries]) => entries.length > limits.mostEntries && (isLocal || path === head),
  )
  return full
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([file, entries]) => {
      const newestFirst = [...entries].sort((a, b) => compareIds(a.id, b.id))
      const keep = file === head ? Math.min(limits.keepEntries, limits.mostEntries) : limits.mostEntries
      const leaving = file === head ? newestFirst.slice(keep) : newestFirst.slice(0, -keep)
      const ownMonth = file === head ? undefined : PAGE_NAME.exec(nameIn(folder, file))?.[1]
      const moves = new Map<string, string[]>()
      // Oldest first: the month's next page begins where the last one ends.
      for (const { id, date, bytes, text } of leaving.reverse()) {
        const to = isLocal
          ? placeFor(ownMonth ?? date.slice(0, 7), bytes + AROUND_BYTES)
          : `${folder}/${entryFileName({ id, date, content: text })}`
        moves.set(to, [...(moves.get(to) ?? []), id])
      }
      return {
        file,
        entries: entries.length,
        stays: keep,
        moves: [...moves].map(([to, ids]) => ({ to, entries: ids })),
      }
    })
}

interface Page {
  readonly number: number
  readonly entries: number
  readonly bytes: number
}

function nameIn(folder: string, path: string): string {
  return path.slice(folder.length + 1).replace(/\.md$/, '')
}

function bytesOf(entries: readonly SplitEntry[]): number {
  return entries.reduce((sum, { bytes }) => sum + bytes + AROUND_BYTES, 0)
}
