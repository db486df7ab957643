import type { Category } from '../model/category.ts'
import { editDistance } from '../text/edit-distance.ts'
import { foldText } from '../text/fold.ts'

/** One entry of a flat memory file. */
interface FlatEntry {
  readonly category: Category
  readonly content: string
  /** From 1: its line in the file. */
  readonly line: number
  /** From a heading: `2026-03-16`, with a time if there is one. */
  readonly date?: string
}

interface Block {
  /** Headings that lead to it, without their marks. */
  readonly titles: readonly string[]
  readonly lines: readonly { readonly text: string; readonly number: number }[]
  readonly category: Category
  readonly date?: string
  readonly line: number
}

const SECTION = /^##\s+(.+?)\s*#*\s*$/
const SUBSECTION = /^###\s+(.+?)\s*#*\s*$/
const FENCE = /^\s{0,3}(`{3,}|~{3,})/
const LIST_ITEM = /^(?:[-*+]|\d+[.)])\s+\S/
const CHECKBOX = /^\s*[-*+] \[[ xX]\] /
const DATE = /\b(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d))?/
const DAY_FIRST = /\b(\d{1,2})[/.](\d{1,2})[/.](\d{4})\b/

/**
 * A flat memory file (seed A, section 8) as entries: one for each `##` section, in the category that its heading names. Several `###` in
 * it are an entry each, because they are separate notes; so are tasks. A section that is longer than an entry may be is split between
 * list items and paragraphs. Every line is in some entry, except for a heading that only names the category, and a title that only names
 * the agent: the file of the entry says both.
 */
export function parseFlatFile(text: string, maxEntryBytes: number): FlatEntry[] {
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\n|\r/)
  const entries: FlatEntry[] = []
  for (const block of blocksOf(lines)) {
    for (const part of splitBlock(block)) entries.push(...withinLimit(part, maxEntryBytes))
  }
  return entries
}

/** The text before the first section, and the sections. */
function blocksOf(lines: readonly string[]): Block[] {
  const isCode = codeLines(lines)
  const blocks: Block[] = []
  let current: {
    titles: string[]
    lines: Block['lines'][number][]
    category: Category
    date?: string
    line: number
  } = {
    titles: [],
    lines: [],
    category: 'projects',
    line: 1,
  }
  const finish = () => {
    if (current.titles.length > 0 || current.lines.some(({ text }) => text.trim() !== ''))
      blocks.push(current)
  }
  lines.forEach((text, at) => {
    const heading = isCode[at] === true ? undefined : SECTION.exec(text)?.[1]
    if (heading === undefined) {
      current.lines.push({ text, number: at + 1 })
      return
    }
    finish()
    const category = categoryOfSection(heading)
    const date = dateIn(heading)
    current = {
      titles: isCategoryName(heading) ? [] : [heading],
      lines: [],
      category,
      line: at + 1,
      ...(date !== undefined && { date }),
    }
  })
  finish()
  return withTitle(blocks)
}

/** `# Dev`, `# Dev memory`, `# Memória do dev`: the owner of the file, which its name says too. */
const OWNER_TITLE =
  /^\S+$|^(?:the )?(?:agent )?[\w.-]+(?:['’]s)? (?:memory|notes)$|^mem[oó]rias? (?:do|da|de|of) [\w.-]+$/i

/** A title alone is not a memory: it is added to the first section, unless it only names the owner of the file. */
function withTitle([preamble, first, ...rest]: readonly Block[]): Block[] {
  if (preamble === undefined) return []
  const said = preamble.lines.filter(({ text }) => text.trim() !== '')
  const isTitleOnly = preamble.titles.length === 0 && said.length === 1 && /^#\s/.test(said[0]?.text ?? '')
  if (!isTitleOnly || first === undefined) return [preamble, ...(first === undefined ? [] : [first]), ...rest]
  const title = said[0]?.text.replace(/^#\s+/, '').trim() ?? ''
  return OWNER_TITLE.test(title)
    ? [first, ...rest]
    : [{ ...first, titles: [title, ...first.titles] }, ...rest]
}

/** By `###`, if there are several or they are dated; by task, if it is a list of tasks. */
function splitBlock(block: Block): Block[] {
  const isCode = codeLines(block.lines.map(({ text }) => text))
  const starts = block.lines.flatMap(({ text }, at) =>
    isCode[at] !== true && SUBSECTION.test(text) ? [at] : [],
  )
  const isSplit =
    starts.length > 1 ||
    (starts.length === 1 && dateIn(block.lines[starts[0] ?? 0]?.text ?? '') !== undefined)
  if (!isSplit) return block.category === 'tasks' ? splitTasks(block) : [block]
  const parts: Block[] = []
  const before = { ...block, lines: block.lines.slice(0, starts[0]) }
  if (before.lines.some(({ text }) => text.trim() !== '')) parts.push(before)
  starts.forEach((start, n) => {
    const heading = SUBSECTION.exec(block.lines[start]?.text ?? '')?.[1] ?? ''
    const date = dateIn(heading) ?? block.date
    parts.push({
      titles: [...block.titles, heading],
      lines: block.lines.slice(start + 1, starts[n + 1]),
      category: block.category,
      line: block.lines[start]?.number ?? block.line,
      ...(date !== undefined && { date }),
    })
  })
  return parts.flatMap(part => (part.category === 'tasks' ? splitTasks(part) : [part]))
}

/** Each checkbox at the margin, with the lines that belong to it, is a task. */
function splitTasks(block: Block): Block[] {
  const starts = block.lines.flatMap(({ text }, at) => (CHECKBOX.test(text) && /^\S/.test(text) ? [at] : []))
  if (starts.length === 0) return [block]
  const before = block.lines.slice(0, starts[0])
  const tasks = starts.map((start, n): Block => {
    const { date } = block
    return {
      // Only the first one gets the heading.
      titles: n === 0 && before.every(({ text }) => text.trim() === '') ? block.titles : [],
      lines: block.lines.slice(start, starts[n + 1]),
      category: 'tasks',
      line: block.lines[start]?.number ?? block.line,
      ...(date !== undefined && { date }),
    }
  })
  return before.every(({ text }) => text.trim() === '') ? tasks : [{ ...block, lines: before }, ...tasks]
}

function withinLimit(block: Block, maxBytes: number): FlatEntry[] {
  const title = block.titles.join(' › ')
  const body = trimmed(block.lines.map(({ text }) => text))
  const whole = [title, body].filter(part => part !== '').join('\n\n')
  if (whole === '') return []
  const entry = (content: string, line: number): FlatEntry => ({
    category: block.category,
    content,
    line,
    ...(block.date !== undefined && { date: block.date }),
  })
  if (Buffer.byteLength(whole) <= maxBytes) return [entry(whole, block.line)]
  const head = Buffer.byteLength(title) > maxBytes / 4 ? '' : title
  const room = maxBytes - Buffer.byteLength(head) - 2
  const pieces = piecesOf(block.lines, room)
  const extra = head === title ? [] : chunks(title, maxBytes).map(text => entry(text, block.line))
  return [
    ...extra,
    ...pieces.map(({ text, line }) => entry([head, text].filter(part => part !== '').join('\n\n'), line)),
  ]
}

/** As few parts as possible, cut before a list item, a heading or after a blank line; a single line that is too long is cut inside. */
function piecesOf(lines: Block['lines'], room: number): { text: string; line: number }[] {
  const units: { text: string; line: number }[] = []
  for (const { text, number } of lines) {
    const last = units.at(-1)
    const begins = last === undefined || LIST_ITEM.test(text) || /^#/.test(text) || /\n\s*$/.test(last.text)
    if (begins) units.push({ text, line: number })
    else units[units.length - 1] = { ...last, text: `${last.text}\n${text}` }
  }
  const pieces: { text: string; line: number }[] = []
  for (const unit of units.flatMap(one => chunks(one.text, room).map(text => ({ text, line: one.line })))) {
    const last = pieces.at(-1)
    if (last !== undefined && Buffer.byteLength(`${last.text}\n${unit.text}`) <= room) {
      pieces[pieces.length - 1] = { ...last, text: `${last.text}\n${unit.text}` }
    } else pieces.push(unit)
  }
  return pieces.map(piece => ({ ...piece, text: trimmed([piece.text]) })).filter(({ text }) => text !== '')
}

function chunks(text: string, room: number): string[] {
  if (Buffer.byteLength(text) <= room) return [text]
  const parts: string[] = []
  let rest = text
  while (Buffer.byteLength(rest) > room) {
    // Every character has at most four bytes in UTF-8 and two units here.
    let end = Math.min(rest.length, Math.floor(room / 3))
    const newline = rest.lastIndexOf('\n', end)
    const blank = rest.lastIndexOf(' ', end)
    if (newline > end / 2) end = newline + 1
    else if (blank > end / 2) end = blank + 1
    else if (/[\ud800-\udbff]/.test(rest[end - 1] ?? '')) end--
    parts.push(rest.slice(0, end))
    rest = rest.slice(end)
  }
  return [...parts, rest]
}

function trimmed(lines: readonly string[]): string {
  return lines
    .join('\n')
    .replace(/^(?:[ \t]*\n)+/, '')
    .trimEnd()
}

/** Whether each line is in a code fence, where a heading is not a heading. */
function codeLines(lines: readonly string[]): boolean[] {
  let fence: string | undefined
  return lines.map(line => {
    const mark = FENCE.exec(line)?.[1]
    if (fence !== undefined) {
      if (mark?.startsWith(fence) === true && line.trim() === mark) fence = undefined
      return true
    }
    fence = mark
    return mark !== undefined
  })
}

/** `2026-03-16`, `2026-03-16 16:51` or `16/03/2026`; undefined for a date that does not exist. */
function dateIn(text: string): string | undefined {
  const iso = DATE.exec(text)
  const dayFirst = iso === null ? DAY_FIRST.exec(text) : null
  const date =
    iso?.[1] ??
    (dayFirst === null
      ? undefined
      : `${dayFirst[3]}-${dayFirst[2]?.padStart(2, '0')}-${dayFirst[1]?.padStart(2, '0')}`)
  if (date === undefined) return undefined
  const ms = Date.parse(`${date}T00:00:00Z`)
  if (Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== date) return undefined
  const time = iso?.[2]
  return time !== undefined && time < '24' && time.slice(3) < '60' ? `${date}T${time}` : date
}

/**
 * The vault file of a section of a flat memory file, by its heading (seed A, section 8: Portuguese and English). Folded: no accents,
 * lower case, singular. A longer name comes before its own beginning.
 */
const SECTION_MAP: readonly (readonly [name: string, category: Category])[] = [
  ['decisoe tecnica', 'decisions'],
  ['decisao tecnica', 'decisions'],
  ['decisao', 'decisions'],
  ['decisoe', 'decisions'],
  ['decision', 'decisions'],
  ['architecture decision', 'decisions'],
  ['adr', 'decisions'],
  ['convencao', 'decisions'],
  ['convention', 'decisions'],
  ['preferencia', 'decisions'],
  ['preference', 'decisions'],
  ['escolha', 'decisions'],
  ['choice', 'decisions'],
  ['aprendizado', 'lessons'],
  ['aprendizagen', 'lessons'],
  ['licao', 'lessons'],
  ['licoe', 'lessons'],
  ['nota de sessao', 'lessons'],
  ['nota', 'lessons'],
  ['lesson', 'lessons'],
  ['learning', 'lessons'],
  ['finding', 'lessons'],
  ['note', 'lessons'],
  ['gotcha', 'lessons'],
  ['bug', 'lessons'],
  ['erro', 'lessons'],
  ['error', 'lessons'],
  ['warning', 'lessons'],
  ['aviso', 'lessons'],
  ['tarefa', 'tasks'],
  ['task', 'tasks'],
  ['todo', 'tasks'],
  ['to do', 'tasks'],
  ['pendencia', 'tasks'],
  ['pendente', 'tasks'],
  ['proximo passo', 'tasks'],
  ['next step', 'tasks'],
  ['contexto de projeto', 'projects'],
  ['contexto do projeto', 'projects'],
  ['contexto', 'projects'],
  ['context', 'projects'],
  ['projeto', 'projects'],
  ['project', 'projects'],
  ['stack', 'projects'],
  ['visao geral', 'projects'],
  ['overview', 'projects'],
  ['handoff', 'handoffs'],
  ['hand off', 'handoffs'],
  ['passagem', 'handoffs'],
  ['ultima sessao', 'handoffs'],
  ['last session', 'handoffs'],
]
const FALLBACK: Category = 'lessons'
/** Shorter words are too similar to others. */
const FUZZY_FROM = 5

/**
 * `## Decisões Técnicas`, `## DECISIONS (2026)`, `## 3. Decison log` → decisions; an unknown heading is a lesson. The whole heading
 * first, then its beginning, then any word of it; a typo is accepted.
 */
export function categoryOfSection(heading: string): Category {
  const words = wordsOf(heading)
  const whole = words.join(' ')
  const [first = ''] = words
  const fits: readonly ((name: string) => boolean)[] = [
    name => name === whole,
    name => whole.startsWith(`${name} `),
    name => isNear(whole, name),
    name => isNear(first, name) || (first.length >= 4 && name.startsWith(first)),
    name => ` ${whole} `.includes(` ${name} `),
  ]
  for (const isIt of fits) {
    const found = SECTION_MAP.find(([name]) => isIt(name))
    if (found !== undefined) return found[1]
  }
  return FALLBACK
}

/** Whether a heading is only the name of its category: `## Decisões Técnicas`, and not `## Decisions (2026)`. */
export function isCategoryName(heading: string): boolean {
  const whole = wordsOf(heading).join(' ')
  return !/\d/.test(heading) && SECTION_MAP.some(([name]) => name === whole)
}

/** Letters alone, each word in the singular: `3. Decisões (2026-03)` → decisoe */
function wordsOf(heading: string): string[] {
  return foldText(heading)
    .replace(/[^a-z]+/g, ' ')
    .trim()
    .split(' ')
    .filter(word => word !== '')
    .map(word => (word.length > 3 ? word.replace(/s$/, '') : word))
}

function isNear(word: string, name: string): boolean {
  if (word.length < FUZZY_FROM || name.length < FUZZY_FROM || word[0] !== name[0]) return false
  const limit = name.length >= 8 ? 2 : 1
  return editDistance(word, name, limit) <= limit
}
