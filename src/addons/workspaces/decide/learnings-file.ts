import type { Problem } from '../../../kernel/model/search.ts'
import type { Learning } from '../../../kernel/model/workspace.ts'
import type { DocumentPlace } from './place.ts'
import { isDate } from './read-fields.ts'

/** The text of a new learning. */
interface NewLearning {
  readonly title: string
  readonly text: string
  /** `YYYY-MM-DD` */
  readonly date: string
  readonly category: string
  readonly tags: readonly string[]
}

const LEARNING_FORM =
  'Expected: `### [YYYY-MM-DD] Title`, then `**Category:** …` and `**Tags:** a, b`, a blank line, the text, and `---`.'

const HEADING = /^###[ \t]+(.*)$/
const HIGHER_HEADING = /^#{1,2}[ \t]/
const DATED = /^\[([^\]]*)\][ \t]*(.*)$/
const FACT = /^\*\*(category|tags)(?::\*\*|\*\*:)(.*)$/i
const END = /^---[ \t]*$/
const FENCE = /^ {0,3}(`{3,}|~{3,})/
/** A line that would begin another learning, end this one or open a code block is stored with a backslash before it. */
const ESCAPED = /^\\(?=\\*(?:#{1,3}[ \t]| {0,3}(?:`{3,}|~{3,})))/
const ESCAPE = /^(?=\\*(?:#{1,3}[ \t]| {0,3}(?:`{3,}|~{3,})))/
const ESCAPED_IN_CODE = /^\\(?=\\*### \[)/
const ESCAPE_IN_CODE = /^(?=\\*### \[)/

/**
 * The entries of `decisions.md` or `lessons.md` (seed B, section 4.5). Text that belongs to none of them is left where it is.
 *
 *   ### [2026-02-08] Title        ◀ begins an entry; a heading in a code block does not
 *   **Category:** architecture
 *   **Tags:** workflow, xstate
 *
 *   text                          ◀ up to the next heading of level 1 to 3 that is no part of it; `---` at its end is not text
 */
export function readLearnings(
  text: string,
  { path, scope, kind }: DocumentPlace,
): { readonly learnings: readonly Learning[]; readonly problems: readonly Problem[] } {
  const learnings: Learning[] = []
  const problems: Problem[] = []
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/)
  const isCode = linesOfCode(lines)
  const starts = findStarts(lines, isCode)
  for (const [number, start] of starts.entries()) {
    const line = start + 1
    const title = HEADING.exec(lines[start] ?? '')?.[1]?.trim() ?? ''
    const dated = DATED.exec(title)
    const written = dated?.[1]?.trim()
    const isDated = written !== undefined && isDate(written)
    if (!isDated)
      problems.push({
        code: written === undefined ? 'date_missing' : 'date_invalid',
        path,
        line,
        message: `${path}:${line}: ${written === undefined ? 'the entry has no date' : `"${written.slice(0, 40)}" is not a date`}; the entry is shown without one.`,
        hint: LEARNING_FORM,
      })
    const end = endOf(lines, isCode, start, starts[number + 1] ?? lines.length)
    const { category, tags, textStart } = readFacts(lines, start + 1, end)
    if (category === undefined)
      problems.push({
        code: 'category_missing',
        path,
        line,
        message: `${path}:${line}: the entry has no category; it is shown without one.`,
        hint: LEARNING_FORM,
      })
    learnings.push({
      scope,
      kind: kind === 'lesson' ? 'lesson' : 'decision',
      title: (dated?.[2] ?? title).trim(),
      text: textOf(lines.slice(textStart, end), isCode.slice(textStart, end)),
      ...(isDated && { date: written }),
      ...(category !== undefined && { category }),
      tags,
      path,
      line,
    })
  }
  return { learnings, problems }
}

/** One learning in a file: its characters up to the beginning of the next. */
interface LearningBlock {
  readonly title: string
  /** `YYYY-MM-DD`; absent if there is no readable date. */
  readonly date?: string
  readonly start: number
  readonly end: number
}

export function learningBlocks(text: string): LearningBlock[] {
  const mark = text.startsWith('\ufeff') ? 1 : 0
  const whole = text.slice(mark).match(/[^\n]*\n|[^\n]+$/g) ?? []
  const lines = whole.map(line => line.replace(/\r?\n$/, ''))
  const offsets = [mark]
  for (const line of whole) offsets.push((offsets.at(-1) ?? 0) + line.length)
  const isCode = linesOfCode(lines)
  const starts = findStarts(lines, isCode)
  return starts.map((start, number) => {
    const end = endOf(lines, isCode, start, starts[number + 1] ?? lines.length)
    const title = HEADING.exec(lines[start] ?? '')?.[1] ?? ''
    const written = DATED.exec(title)?.[1]?.trim()
    return {
      title,
      ...(written !== undefined && isDate(written) && { date: written }),
      start: offsets[start] ?? 0,
      end: offsets[end] ?? text.length,
    }
  })
}

/** A heading with a date in brackets begins a learning. One without a date does if a category follows it, or below another learning. */
function findStarts(lines: readonly string[], isCode: readonly boolean[]): number[] {
  let isBelowEntry = false
  return lines.flatMap((line, at) => {
    const heading = isCode[at] ? null : HEADING.exec(line)
    if (!isCode[at] && HIGHER_HEADING.test(line)) isBelowEntry = false
    if (heading === null) return []
    if (isBelowEntry || DATED.test(heading[1] ?? '')) {
      isBelowEntry = true
      return [at]
    }
    const next = lines.slice(at + 1, at + 4).find(below => below.trim() !== '')
    isBelowEntry = next !== undefined && FACT.test(next)
    return isBelowEntry ? [at] : []
  })
}

function endOf(lines: readonly string[], isCode: readonly boolean[], start: number, next: number): number {
  for (let at = start + 1; at < next; at++) if (!isCode[at] && HIGHER_HEADING.test(lines[at] ?? '')) return at
  return next
}

function readFacts(lines: readonly string[], start: number, end: number) {
  let at = start
  while (at < end && (lines[at] ?? '').trim() === '') at++
  let category: string | undefined
  let tags: readonly string[] = []
  for (; at < end; at++) {
    const fact = FACT.exec(lines[at] ?? '')
    if (fact === null) break
    const name = fact[1] ?? ''
    const value = (fact[2] ?? '').trim()
    if (name.toLowerCase() === 'category') category = value === '' ? undefined : value
    else
      tags = [
        ...new Set(
          value
            .split(',')
            .map(tag => tag.trim().replace(/^#/, ''))
            .filter(tag => tag !== ''),
        ),
      ]
  }
  return { category, tags, textStart: at }
}

function textOf(lines: readonly string[], isCode: readonly boolean[]): string {
  let end = lines.length
  while (
    end > 0 &&
    !isCode[end - 1] &&
    ((lines[end - 1] ?? '').trim() === '' || END.test(lines[end - 1] ?? ''))
  )
    end--
  return lines
    .slice(0, end)
    .map((line, at) => line.replace(isCode[at] ? ESCAPED_IN_CODE : ESCAPED, ''))
    .join('\n')
    .replace(/^\s*\n/, '')
    .trimEnd()
}

/** Which lines are in a code block. A block that is never closed is ignored, so that it cannot hide the learnings below it. */
function linesOfCode(lines: readonly string[]): boolean[] {
  const isCode = lines.map(() => false)
  /**
   * For each kind of fence: up to which line nothing closes it. A file that consists of opening fences is then read once, not once for
   * each.
   */
  const isOpenUntil = new Map<string, number>()
  for (let at = 0; at < lines.length; at++) {
    const mark = FENCE.exec(lines[at] ?? '')?.[1]
    if (mark === undefined || at < (isOpenUntil.get(mark) ?? 0)) continue
    const { close, until } = closingFence(lines, at + 1, mark)
    if (close === undefined) {
      isOpenUntil.set(mark, until)
      continue
    }
    isCode.fill(true, at, close + 1)
    at = close
  }
  return isCode
}

/** If a learning ends and another begins before the block is closed, the block was never meant as one. */
function closingFence(
  lines: readonly string[],
  from: number,
  mark: string,
): { readonly close?: number; readonly until: number } {
  let lastWritten = ''
  for (let at = from; at < lines.length; at++) {
    const line = lines[at] ?? ''
    const candidate = FENCE.exec(line)?.[1]
    if (candidate?.startsWith(mark) && line.trim() === candidate) return { close: at, until: at }
    if (/^### \[\d{4}-\d{2}-\d{2}\] /.test(line) && END.test(lastWritten)) return { until: at }
    if (line.trim() !== '') lastWritten = line
  }
  return { until: lines.length }
}

/** One learning exactly as the seed writes it. */
export function renderLearning({ title, text, date, category, tags }: NewLearning): string {
  return [
    `### [${date}] ${title}`,
    '',
    `**Category:** ${category}`,
    ...(tags.length === 0 ? [] : [`**Tags:** ${tags.join(', ')}`]),
    '',
    ...(text === '' ? [] : [escapedText(text), '']),
    '---',
    '',
  ].join('\n')
}

/** Escapes the text so that it reads back unchanged: no line begins or ends a learning, and no code block stays open. */
function escapedText(text: string): string {
  const lines = text.replaceAll('\r\n', '\n').split('\n')
  const isCode = linesOfCode(lines)
  const escaped = lines.map((line, at) => line.replace(isCode[at] ? ESCAPE_IN_CODE : ESCAPE, '\\'))
  return escaped.join('\n')
}

/** Appends a learning to the file; every byte before it stays. */
export function appendLearning(before: string | undefined, entry: NewLearning): string {
  const rendered = renderLearning(entry)
  if (before === undefined || before.trim() === '' || before === '\ufeff')
    return `${before?.startsWith('\ufeff') ? '\ufeff' : ''}${rendered}`
  const lineEnd = /\r\n/.test(before) ? '\r\n' : '\n'
  const gap =
    before.endsWith('\n\n') || before.endsWith('\r\n\r\n')
      ? ''
      : before.endsWith('\n')
        ? lineEnd
        : lineEnd + lineEnd
  return before + gap + rendered.replaceAll('\n', lineEnd)
}

/** Title and text together, for comparing and showing. */
export function contentOf({ title, text }: Pick<Learning, 'title' | 'text'>): string {
  if (text === '') return title
  if (title === '' || text.startsWith(title)) return text
  return text.includes('\n') ? `${title}\n\n${text}` : `${title} — ${text}`
}

/** A file of learnings with the pages that were split off it earlier. */
interface LearningFile {
  /** Relative to the project: `…/decisions.md`, or a page of it. */
  readonly path: string
  readonly text: string
}

interface LearningSplit {
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
