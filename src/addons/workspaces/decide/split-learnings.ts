import { type LearningBlock, learningBlocks } from './learnings-file.ts'

/** A file of learnings with the pages that were split off it earlier. */
export interface LearningFile {
  /** Relative to the project: `…/decisions.md`, or a page of it. */
  readonly path: string
  readonly text: string
}

export interface LearningSplit {
  readonly file: string
  readonly entries: number
  readonly stays: number
  readonly moves: readonly { readonly to: string; readonly titles: readonly string[] }[]
  /** Every file that changes, with its whole text. */
  readonly texts: readonly { readonly path: string; readonly before: string | null; readonly after: string }[]
}

const MONTH_PAGE = /-\d{4}-\d{2}\.md$/i
const YEAR_PAGE = /-\d{4}\.md$/i

/**
 * The older entries of a file that has too many go to a page of their year beside it, with their text as it is:
 *
 *   decisions.md ──▶ decisions-2025.md        or, where a year is too much for one file: decisions-2025-03.md
 *
 * Half as many as are allowed stay, the newest; what was written on one day stays together, and what has no date stays where it is. A page
 * of a month is not split any further. undefined: there is nothing to do.
 */
export function planLearningSplit(
  { path, text }: LearningFile,
  pages: ReadonlyMap<string, string>,
  mostEntries: number,
): LearningSplit | undefined {
  const blocks = learningBlocks(text)
  if (blocks.length <= mostEntries || MONTH_PAGE.test(path)) return undefined
  const dates = blocks
    .flatMap(({ date }) => date ?? [])
    .sort()
    .reverse()
  const keep = Math.max(1, Math.floor(mostEntries / 2) - (blocks.length - dates.length))
  const oldestKept = dates[keep - 1]
  const leaving = blocks.filter(
    ({ date }) => date !== undefined && oldestKept !== undefined && date < oldestKept,
  )
  if (leaving.length === 0) return undefined
  const stem = path.replace(/(?:-\d{4})?\.md$/i, '')
  const toPage = pageChooser(stem, { leaving, pages, mostEntries, byMonth: YEAR_PAGE.test(path) })
  const blocksByPage = new Map<string, LearningBlock[]>()
  for (const block of leaving) {
    const to = toPage(block.date ?? '')
    blocksByPage.set(to, [...(blocksByPage.get(to) ?? []), block])
  }
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  return {
    file: path,
    entries: blocks.length,
    stays: blocks.length - leaving.length,
    moves: [...blocksByPage].map(([to, moved]) => ({ to, titles: moved.map(({ title }) => title) })),
    // A file that gains an entry is written before the file that loses it.
    texts: [
      ...[...blocksByPage].map(([to, moved]) => {
        const before = pages.get(to)
        return { path: to, before: before ?? null, after: withBlocks(before ?? '', text, moved, eol) }
      }),
      { path, before: text, after: without(text, leaving) },
    ],
  }
}

function pageChooser(
  stem: string,
  plan: {
    readonly leaving: readonly LearningBlock[]
    readonly pages: ReadonlyMap<string, string>
    readonly mostEntries: number
    readonly byMonth: boolean
  },
): (date: string) => string {
  const arriving = new Map<string, number>()
  for (const { date = '' } of plan.leaving)
    arriving.set(date.slice(0, 4), (arriving.get(date.slice(0, 4)) ?? 0) + 1)
  return date => {
    const year = date.slice(0, 4)
    const page = `${stem}-${year}.md`
    const standing = learningBlocks(plan.pages.get(page) ?? '').length
    const fits = !plan.byMonth && standing + (arriving.get(year) ?? 0) <= plan.mostEntries
    return fits ? page : `${stem}-${date.slice(0, 7)}.md`
  }
}

function withBlocks(page: string, text: string, blocks: readonly LearningBlock[], eol: string): string {
  const gap = page === '' || /\n\r?\n$/.test(page) ? '' : page.endsWith('\n') ? eol : eol + eol
  const moved = blocks.map(({ start, end }) => {
    const block = text.slice(start, end)
    return block.endsWith('\n') ? block : block + eol
  })
  return page + gap + moved.join('')
}

function without(text: string, blocks: readonly LearningBlock[]): string {
  let left = ''
  let at = 0
  for (const { start, end } of blocks) {
    left += text.slice(at, start)
    at = end
  }
  return left + text.slice(at)
}
