import { SUMMARY_KIND } from '../model/category.ts'
import type { Entry } from '../model/entry.ts'
import { compareIds } from '../model/entry-id.ts'
import { appendEntry, entriesOf, hasConflict, isSummary, removeSegments, replaceEntry } from './vault-edit.ts'
import type { EntrySegment, VaultFile } from './vault-file.ts'

export const MAX_PREVIEWS = 20
const PREVIEW_CHARACTERS = 200
const HEADLINE = /^Compacted (\d+) older entr(?:y|ies):$/
const PREVIEW_START = '- ['
const PAGE_NAME = /^(\d{4}-\d\d)(.*?)(?:\.(\d+))?$/

export interface RolloverLimits {
  /** A head file with more entries rolls over; 0: never. */
  readonly maxEntriesPerFile: number
  readonly keepEntries: number
}

interface RolloverInput {
  readonly head: VaultFile
  readonly limits: RolloverLimits
  /** How many entries the pages of this file contain already; called only if something moves. */
  readonly movedBefore: () => number
  /** UTC ISO; dates the summary. */
  readonly now: string
}

export interface Rollover {
  /** The newest entries, all loose text, and one summary at the bottom. */
  readonly head: VaultFile
  /** Newest first, with their text from the head file (`head.encoding`). */
  readonly moved: readonly EntrySegment[]
}

/** null: nothing to do. A file in conflict waits, and so does an entry that has no id yet. */
export function planRollover({ head, limits, movedBefore, now }: RolloverInput): Rollover | null {
  if (limits.maxEntriesPerFile <= 0 || hasConflict(head)) return null
  if (entriesOf(head).length <= limits.maxEntriesPerFile) return null
  const candidates = head.segments
    .filter(segment => segment.type === 'entry')
    .filter(segment => !isSummary(segment) && !segment.idMissing)
    .sort((a, b) => compareIds(a.entry.id, b.entry.id))
  const kept = new Set(
    candidates.slice(0, Math.min(limits.keepEntries, limits.maxEntriesPerFile)).map(({ entry }) => entry.id),
  )
  const moved = candidates.filter(({ entry }) => !kept.has(entry.id))
  const newest = moved[0]?.entry
  if (newest === undefined) return null
  const summaries = head.segments.filter(segment => segment.type === 'entry').filter(isSummary)
  const previews = [
    ...moved.slice(0, MAX_PREVIEWS).map(({ entry }) => previewLine(entry)),
    ...summaries.flatMap(({ entry }) => previewsOf(entry.content)),
  ]
  const summary = summaryEntry({
    newest,
    count: movedBefore() + new Set(moved.map(({ entry }) => entry.id)).size,
    previews: previews.slice(0, MAX_PREVIEWS),
    now,
  })
  const shortened = removeSegments(head, new Set([...moved, ...summaries]))
  return { head: appendEntry(shortened, summary), moved }
}

/** A change of one entry of a page. `before` null: it is restored, its preview at its old position. */
export interface SummaryEdit {
  readonly before: Entry | null
  readonly after: Entry | null
  readonly preview?: number | undefined
}

/**
 * Updates the summary if entries of the pages change, are removed or restored: a removed entry must not remain as a preview. `count` is
 * how many entries the pages contain afterwards: an absolute number, so repeating the update after a crash is safe.
 */
export function editSummary(head: VaultFile, edits: readonly SummaryEdit[], count: number): VaultFile {
  if (hasConflict(head)) return head
  return head.segments.reduce((file, segment) => {
    if (segment.type === 'loose' || !isSummary(segment)) return file
    const content = editedSummary(segment.entry.content, edits, count)
    return content === segment.entry.content ? file : replaceEntry(file, { ...segment.entry, content })
  }, head)
}

function editedSummary(content: string, edits: readonly SummaryEdit[], count: number): string {
  const [first = '', ...rest] = content.split('\n')
  const counted = HEADLINE.test(first) && edits.some(({ before, after }) => before === null || after === null)
  const nextByLine = new Map<string, (string | undefined)[]>()
  const dates = new Set(rest.map(dateOfPreview))
  for (const { before, after } of edits) {
    // Most entries of the pages have no preview: making one to compare takes longer than comparing the date.
    if (before === null || !dates.has(before.date)) continue
    const line = previewLine(before)
    nextByLine.set(line, [...(nextByLine.get(line) ?? []), after === null ? undefined : previewLine(after)])
  }
  const lines = rest.flatMap(line => {
    const next = nextByLine.get(line)
    if (next === undefined || next.length === 0) return [line]
    const replacement = next.shift()
    return replacement === undefined ? [] : [replacement]
  })
  const returning = edits
    .flatMap(({ before, after, preview }) =>
      before === null && after !== null && preview !== undefined
        ? [{ preview, line: previewLine(after) }]
        : [],
    )
    // A mutation may be applied again.
    .filter(({ line }) => !lines.includes(line))
    .sort((a, b) => a.preview - b.preview)
  for (const { preview, line } of returning) {
    const previews = lines.findIndex(other => !other.startsWith(PREVIEW_START))
    const most = previews === -1 ? lines.length : previews
    if (most < MAX_PREVIEWS) lines.splice(Math.min(preview, most), 0, line)
  }
  return [counted ? headline(count) : first, ...lines].join('\n')
}

/**
 * The head file with its summary updated after entries moved between it and its pages: created with the first one, removed when the last
 * one returns. Repeating it after a crash changes nothing.
 */
export function withSummaryOf(
  head: VaultFile,
  moved: {
    readonly arrived: readonly Entry[]
    readonly returned: readonly Entry[]
    /** How many entries the pages contain afterwards. */
    readonly count: number
    readonly now: string
  },
): VaultFile {
  if (hasConflict(head)) return head
  const { arrived, returned, count, now } = moved
  const summaries = head.segments.filter(segment => segment.type === 'entry').filter(isSummary)
  const gone = new Set(returned.map(previewLine))
  const [standing] = summaries
  const fresh = [...arrived].sort((a, b) => compareIds(a.id, b.id))
  const newest = fresh[0]
  // Text that a person wrote into a summary stays.
  const isOurs = summaries.every(
    ({ entry }) => summaryWith(entry.content, 0, []) === summaryText(entry.category, 0, []),
  )
  if (count === 0 && isOurs) return removeSegments(head, new Set(summaries))
  if (standing === undefined && newest === undefined) return head
  const known = summaries.flatMap(({ entry }) => previewsOf(entry.content))
  const previews = [...new Set([...fresh.slice(0, MAX_PREVIEWS).map(previewLine), ...known])]
    .filter(line => !gone.has(line))
    .slice(0, MAX_PREVIEWS)
  if (standing === undefined && newest !== undefined)
    return appendEntry(head, summaryEntry({ newest, count, previews, now }))
  if (standing === undefined) return head
  const { entry } = standing
  const content = summaryWith(entry.content, count, previews)
  return content === entry.content ? head : replaceEntry(head, { ...entry, content })
}

/** The preview lines of a head file's summary, in order. */
export function previewsIn(head: VaultFile): string[] {
  return head.segments.flatMap(segment =>
    segment.type === 'entry' && isSummary(segment) ? previewsOf(segment.entry.content) : [],
  )
}

/**
 *   Compacted 31 older entries:
 *   - [2026-02-03T10:00] the first 200 characters
 *   …
 *
 *   All of them are in `decisions/`, a page for each month, and searches find them.
 */
function summaryEntry(parts: {
  newest: Entry
  count: number
  previews: readonly string[]
  now: string
}): Entry {
  const { newest, count, previews, now } = parts
  return {
    id: `${newest.id}-summary`,
    agent: newest.agent,
    category: newest.category,
    kind: SUMMARY_KIND,
    status: 'confirmed',
    origin: 'machine',
    date: now.slice(0, 16),
    content: summaryText(newest.category, count, previews),
    tags: ['compacted'],
    files: [],
    importance: 0.5,
  }
}

/** How many entries a summary counts; undefined: a person has written another first line. */
export function countOfSummary(content: string): number | undefined {
  const digits = HEADLINE.exec(content.split('\n', 1)[0] ?? '')?.[1]
  return digits === undefined ? undefined : Number(digits)
}

/** The same summary with another count and other previews; its other text stays. */
export function summaryWith(content: string, count: number, previews: readonly string[]): string {
  const [first = '', ...rest] = content.split('\n')
  const head = countOfSummary(content) === undefined ? first : headline(count)
  return [head, ...previews, ...rest.filter(line => !line.startsWith(PREVIEW_START))].join('\n')
}

function summaryText(category: string, count: number, previews: readonly string[]): string {
  const where = `All of them are in \`${category}/\`, a page for each month, and searches find them.`
  return [headline(count), ...previews, '', where].join('\n')
}

function headline(count: number): string {
  return `Compacted ${count} older ${count === 1 ? 'entry' : 'entries'}:`
}

/** undefined: not a preview line. */
export function dateOfPreview(line: string): string | undefined {
  return line.startsWith(PREVIEW_START) ? line.slice(PREVIEW_START.length, line.indexOf(']')) : undefined
}

export function previewLine(entry: Entry): string {
  return `${PREVIEW_START}${entry.date}] ${previewOf(entry.content)}`
}

function previewOf(content: string): string {
  // Enough for 200 characters after blanks collapse, unless the entry is a page of blanks.
  const line = content
    .slice(0, 20 * PREVIEW_CHARACTERS)
    .replace(/\s+/g, ' ')
    .trim()
  const characters = [...line]
  return characters.length <= PREVIEW_CHARACTERS
    ? line
    : `${characters.slice(0, PREVIEW_CHARACTERS - 1).join('')}…`
}

export function previewsOf(summary: string): string[] {
  return summary.split('\n').filter(line => line.startsWith(PREVIEW_START))
}

interface PagedEntry {
  readonly entry: Entry
  readonly bytes: number
}

interface PagePlanInput<Paged extends PagedEntry> {
  readonly moved: readonly Paged[]
  readonly pages: readonly { readonly name: string; readonly bytes: number }[]
  /** 0: no limit. */
  readonly pageBytes: number
  /** Follows the month in the names of the pages. */
  readonly label: string
}

/**
 * The page of each entry, newest first on every page.
 *
 * 2026-02 → 2026-02.2 → 2026-02.3      the month's last page takes entries, oldest first, until one does not fit
 */
export function planPages<Paged extends PagedEntry>({
  moved,
  pages,
  pageBytes,
  label,
}: PagePlanInput<Paged>): Map<string, Paged[]> {
  const lastPageByMonth = new Map<string, { number: number; bytes: number }>()
  for (const { name, bytes } of pages) {
    const [, month = '', suffix = '', digits = '1'] = PAGE_NAME.exec(name) ?? []
    if (month === '' || suffix !== label) continue
    const number = Number(digits)
    if (number > (lastPageByMonth.get(month)?.number ?? 0)) lastPageByMonth.set(month, { number, bytes })
  }
  const itemsByPage = new Map<string, Paged[]>()
  for (const item of [...moved].sort((a, b) => compareIds(b.entry.id, a.entry.id))) {
    const month = item.entry.date.slice(0, 7)
    let page = lastPageByMonth.get(month) ?? { number: 1, bytes: 0 }
    if (pageBytes > 0 && page.bytes > 0 && page.bytes + item.bytes > pageBytes)
      page = { number: page.number + 1, bytes: 0 }
    lastPageByMonth.set(month, { number: page.number, bytes: page.bytes + item.bytes })
    const name = page.number === 1 ? `${month}${label}` : `${month}${label}.${page.number}`
    const items = itemsByPage.get(name)
    if (items === undefined) itemsByPage.set(name, [item])
    else items.push(item)
  }
  for (const items of itemsByPage.values()) items.reverse()
  return itemsByPage
}
