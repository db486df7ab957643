import { SUMMARY_KIND } from '../../model/category.ts'
import type { Entry } from '../../model/entry.ts'
import { compareIds } from '../../model/entry-id.ts'
import { CairnError } from '../../model/errors.ts'
import { findConflicts } from './conflict-markers.ts'
import { encodeValue, parseEntryComment, replaceIdInComment } from './entry-comment.ts'
import { sameEntry } from './observe.ts'
import {
  type Encoding,
  type EntrySegment,
  type Eol,
  parseVaultText,
  renderEntry,
  renderEntryWith,
  type Segment,
  textOf,
  type VaultFile,
} from './vault-file.ts'

/** What an edit puts together; only the text counts, for the result is read back from it. */
export type Piece = Pick<Segment, 'type' | 'raw'>

const RULE_LINE = /^---[ \t\r]*\n?$/
const ENDS_WITH_BLANK_LINE = /(?:^|\n)\r?\n$/
const LEADING_LINE_END = /^\r?\n/
const TRAILING_LINE_END = /\r?\n$/

/** The real entries: without summaries, and an id that stands twice with equal content counted once. */
export function entriesOf(file: VaultFile): Entry[] {
  const entryById = new Map<string, Entry>()
  for (const segment of file.segments) {
    if (segment.type === 'loose' || isSummary(segment) || entryById.has(segment.entry.id)) continue
    entryById.set(segment.entry.id, segment.entry)
  }
  return [...entryById.values()]
}

function contentsOf(file: VaultFile): Map<string, string> {
  return new Map(entriesOf(file).map(entry => [entry.id, entry.content]))
}

export function isSummary(segment: Segment): boolean {
  return segment.type === 'entry' && segment.entry.kind === SUMMARY_KIND
}

/** At its place, newest first: before the first entry that is older. */
export function insertEntry(file: VaultFile, entry: Entry): VaultFile {
  return insertEntries(file, [entry])
}

/**
 * Many at once. One that is there already with equal content stays as it is: a mutation may be applied again.
 * `texts` has how somebody wrote an entry that comes back.
 */
export function insertEntries(
  file: VaultFile,
  entries: readonly Entry[],
  texts: ReadonlyMap<string, string> = new Map(),
): VaultFile {
  const contentById = contentsOf(file)
  const arrivals = entries
    .filter(entry => contentById.get(entry.id) !== entry.content)
    .map(entry => ({ entry, raw: ownText(entry, texts.get(entry.id), file) }))
  return arrivals.length === 0 ? file : mergeIn(file, arrivals)
}

/** As it was written, if that still says the same. */
function ownText(entry: Entry, text: string | undefined, file: VaultFile): string {
  if (text !== undefined) {
    const raw = terminated(encodeText(text, file.encoding), file)
    if (sameEntry(readOne(raw, file), entry)) return raw
  }
  return encodeText(renderEntry(entry, file.eol), file.encoding)
}

/** How an entry is written in its file, when Cairn would write it otherwise. */
export function unusualText(segment: EntrySegment, file: VaultFile): string | undefined {
  const text = decodeText(segment.raw, file.encoding)
  return text === renderEntry(segment.entry, file.eol) ? undefined : text
}

/**
 * Moves entries in with their text unchanged. One that is there already with equal content is left out: a crash
 * between writing a page and shortening the head file left it twice. `from` is the encoding of the file they leave.
 */
export function insertSegments(
  file: VaultFile,
  segments: readonly EntrySegment[],
  from: Encoding,
): VaultFile {
  const contentById = contentsOf(file)
  const arriving = segments.filter(({ entry }) => contentById.get(entry.id) !== entry.content)
  if (arriving.length === 0) return file
  const utf8 = arriving.map(({ raw }) =>
    from === 'utf8' ? raw : Buffer.from(raw, 'latin1').toString('utf8'),
  )
  // Bytes that are no UTF-8 can only stand in a file that is handled byte by byte.
  const exact = from === 'utf8' || arriving.every(({ raw }, i) => encodeText(utf8[i] ?? '', 'bytes') === raw)
  const target = exact ? file : asBytes(file)
  return mergeIn(
    target,
    arriving.map(({ entry, raw }, i) => {
      const text =
        target.encoding === 'utf8' ? (utf8[i] ?? '') : from === 'bytes' ? raw : encodeText(raw, 'bytes')
      return { entry, raw: terminated(text, target) }
    }),
  )
}

/** Changes the text of this entry and of no other. */
export function replaceEntry(file: VaultFile, entry: Entry): VaultFile {
  return replaceEntries(file, [entry])
}

/** Many at once: the file is put together and read back once. */
export function replaceEntries(original: VaultFile, entries: readonly Entry[]): VaultFile {
  // A copy left with the old text would count as another entry.
  const file = dropCopies(original)
  const pieces: Piece[] = [...file.segments]
  const placeById = new Map(file.segments.map((segment, at) => [idOf(segment), at]))
  const replaced = new Set<Segment>()
  for (const entry of entries) {
    const at = placeById.get(entry.id)
    if (at === undefined) throw noSuchEntry(file, entry.id)
    const old = file.segments[at] as EntrySegment
    if (renderEntry(old.entry, '\n') === renderEntry(entry, '\n')) continue
    replaced.add(old)
    pieces[at] = { type: 'entry', raw: rewritten(old.raw, entry, file) }
  }
  if (replaced.size === 0) return file
  refuseInConflict(file, replaced)
  return assemble(file, pieces)
}

/** With every copy of it. Takes the blank line along that would be left over; never other text. */
export function removeEntry(file: VaultFile, id: string): VaultFile {
  const gone = file.segments.filter(segment => idOf(segment) === id)
  if (gone.length === 0) throw noSuchEntry(file, id)
  return removeSegments(file, new Set(gone))
}

/** Leaves one of every entry that stands twice with equal content. */
export function dropCopies(file: VaultFile): VaultFile {
  const seen = new Set<string>()
  const copies = file.segments.filter(segment => {
    const id = idOf(segment)
    if (id === undefined || !seen.has(id)) {
      if (id !== undefined) seen.add(id)
      return false
    }
    return true
  })
  return removeSegments(file, new Set(copies))
}

/**
 *   A ⏎ B ⏎ C   without B   A ⏎ C      (⏎: a blank line)
 */
export function removeSegments(file: VaultFile, gone: ReadonlySet<Segment>): VaultFile {
  if (gone.size === 0) return file
  refuseInConflict(file, gone)
  const pieces: Piece[] = []
  let tidyNext = false
  for (const segment of file.segments) {
    if (gone.has(segment)) {
      const before = pieces.at(-1)
      tidyNext = before === undefined || isOnlyBom(pieces) || endsWithBlankLine(before)
      continue
    }
    const raw = tidyNext && segment.type === 'loose' ? segment.raw.replace(LEADING_LINE_END, '') : segment.raw
    tidyNext = false
    if (raw !== '') pieces.push({ type: segment.type, raw })
  }
  const last = pieces.at(-1)
  if (tidyNext && pieces.length > 1 && last !== undefined && endsWithBlankLine(last)) {
    pieces[pieces.length - 1] = { type: 'loose', raw: last.raw.replace(TRAILING_LINE_END, '') }
  }
  return assemble(
    file,
    pieces.filter(piece => piece.raw !== ''),
  )
}

/**
 * Gives an id to every entry somebody typed, as a comment line above it, and a new one to every changed copy, inside
 * its comment. Asked from the bottom up, so that ids which grow stand newest first. A file with conflict markers
 * stays as it is.
 */
export function assignIds(file: VaultFile, newId: (entry: Entry) => string): VaultFile {
  if (hasConflict(file) || !file.segments.some(segment => segment.type === 'entry' && segment.idMissing))
    return file
  const pieces: Piece[] = [...file.segments]
  for (let i = pieces.length - 1; i >= 0; i--) {
    const segment = file.segments[i]
    if (segment?.type === 'entry' && segment.idMissing) {
      const id = encodeText(encodeValue(newId(segment.entry)), file.encoding)
      const comment = commentOf(segment.raw)
      const raw =
        comment === undefined
          ? replaceIdInComment('<!-- id: -->', id) + eolOfRaw(segment.raw) + segment.raw
          : replaceIdInComment(comment, id) + segment.raw.slice(comment.length)
      pieces[i] = { type: 'entry', raw }
    }
  }
  return assemble(file, pieces)
}

/** Puts the entry after everything else, whatever its id: where the summary stands. */
export function appendEntry(file: VaultFile, entry: Entry): VaultFile {
  const pieces: Piece[] = [...file.segments]
  pushApart(pieces, encodeText(renderEntry(entry, file.eol), file.encoding), file)
  return assemble(file, pieces)
}

// ---------------------------------------------------------------- putting a file together

interface Arrival {
  readonly entry: Entry
  readonly raw: string
}

function mergeIn(file: VaultFile, arrivals: readonly Arrival[]): VaultFile {
  const waiting = [...arrivals].sort((a, b) => compareIds(a.entry.id, b.entry.id))
  const pieces: Piece[] = []
  let next = 0
  // In a file with conflict markers only the end is sure to lie outside every conflict.
  const anywhere = !hasConflict(file)
  for (const segment of file.segments) {
    for (let arrival = waiting[next]; anywhere && arrival !== undefined; arrival = waiting[++next]) {
      if (segment.type === 'loose' || !goesBefore(arrival.entry, segment)) break
      pieces.push({ type: 'entry', raw: arrival.raw }, { type: 'loose', raw: file.eol })
    }
    pieces.push(segment)
  }
  for (; next < waiting.length; next++) pushApart(pieces, waiting[next]?.raw ?? '', file)
  return assemble(file, pieces)
}

function goesBefore(entry: Entry, segment: EntrySegment): boolean {
  if (isSummary(segment)) return true
  if (segment.idMissing) return entry.date >= segment.entry.date
  return compareIds(entry.id, segment.entry.id) < 0
}

/** With a blank line between it and what stands before it. */
function pushApart(pieces: Piece[], raw: string, file: VaultFile): void {
  const last = pieces.at(-1)
  if (last?.type === 'entry') {
    pieces[pieces.length - 1] = { type: 'entry', raw: terminated(last.raw, file) }
    pieces.push({ type: 'loose', raw: file.eol })
  } else if (last !== undefined && !isOnlyBom(pieces) && !endsWithBlankLine(last)) {
    pieces.push({ type: 'loose', raw: last.raw.endsWith('\n') ? file.eol : file.eol + file.eol })
  }
  pieces.push({ type: 'entry', raw })
}

/**
 * Reads the result back, so that what an edit returns is what a reader of the file will see. An entry without its
 * `---` gets it where the text after it would otherwise become part of it.
 */
export function assemble(file: VaultFile, pieces: readonly Piece[]): VaultFile {
  if (file.problems.some(problem => problem.code === 'utf16')) {
    throw new CairnError({
      code: 'vault_file_damaged',
      message: `${file.owner.agent}/${file.owner.category} is saved as UTF-16; writing to it would ruin it`,
      hint: 'Save the file as UTF-8 in your editor, then repeat this.',
    })
  }
  const safe = pieces.map((piece, i) => {
    const after = pieces[i + 1]
    if (piece.type === 'loose' || after === undefined) return piece
    const endsAnyway = after.type === 'entry' && after.raw.startsWith('<!--') && piece.raw.endsWith('\n')
    return endsAnyway ? piece : { type: piece.type, raw: terminated(piece.raw, file) }
  })
  return parseVaultText(textOf({ segments: safe }), file.encoding, file.owner)
}

/** With its `---` line, and the same content: how many line ends it takes depends on how the text ends. */
export function terminated(raw: string, file: VaultFile): string {
  const eol = raw.endsWith('\n') ? (raw.endsWith('\r\n') ? '\r\n' : '\n') : eolOfRaw(raw)
  if (RULE_LINE.test(raw.slice(raw.lastIndexOf('\n', raw.length - 2) + 1)))
    return raw.endsWith('\n') ? raw : raw + eol
  const entry = readOne(raw, file)
  // The widest gap first: `---` right under a paragraph would make it a heading.
  const candidates = [eol + eol, eol, ''].map(gap => `${raw}${gap}---${eol}`)
  if (entry === undefined)
    return endsWithBlankLine({ type: 'loose', raw }) ? `${raw}---${eol}` : `${raw}${eol}---${eol}`
  const fitting = candidates.find(text => readOne(text, file)?.content === entry.content)
  if (fitting !== undefined) return fitting
  // Content that ends in a lone CR: only between the blank lines of the canonical text does it stay whole.
  return rewritten(raw, entry, file)
}

/** The text of an entry anew. A heading line that says the same as before stays as somebody wrote it. */
export function rewritten(raw: string, entry: Entry, file: VaultFile): string {
  const eol = eolOfRaw(raw)
  const decoded = decodeText(raw, file.encoding)
  // `ID~2` is only what the entry answers to while its id stands twice.
  const ownId = parseEntryComment(commentOf(decoded) ?? '<!-- id: -->', entry.category).id
  const own = { ...entry, id: ownId === '' ? entry.id : ownId }
  const canonical = encodeText(renderEntry(own, eol), file.encoding)
  const faithful = encodeText(
    renderEntryWith({ entry: own, eol, heading: headingOf(decoded) }),
    file.encoding,
  )
  return sameEntry(readOne(faithful, file), readOne(canonical, file)) ? faithful : canonical
}

function readOne(raw: string, file: VaultFile): Entry | undefined {
  const segment = parseVaultText(raw, file.encoding, file.owner).segments[0]
  return segment?.type === 'entry' ? segment.entry : undefined
}

// ---------------------------------------------------------------- looking into a file

function noSuchEntry(file: VaultFile, id: string): CairnError {
  return new CairnError({
    code: 'entry_not_found',
    message: `${file.owner.agent}/${file.owner.category} has no entry ${id}`,
    hint: 'Search for it: it may have moved to another file, or been removed.',
  })
}

export function hasConflict(file: VaultFile): boolean {
  return file.problems.some(problem => problem.code === 'conflict_markers')
}

/** An entry with a marker line inside is half one side's and half the other's: changing it would mix them up. */
function refuseInConflict(file: VaultFile, touched: ReadonlySet<Segment>): void {
  if (!hasConflict(file)) return
  const conflicts = findConflicts(textOf(file))
  let start = 0
  for (const segment of file.segments) {
    const [from, end] = [start, start + segment.raw.length]
    const conflict = touched.has(segment)
      ? conflicts.find(({ markers }) => markers.some(marker => marker >= from && marker < end))
      : undefined
    if (conflict !== undefined) {
      throw new CairnError({
        code: 'vault_file_damaged',
        message: `a git conflict runs through this entry (lines ${conflict.line} to ${conflict.lastLine})`,
        hint: 'Resolve the conflict in the file first, then repeat this.',
        details: { line: conflict.line },
      })
    }
    start = end
  }
}

function idOf(segment: Segment): string | undefined {
  return segment.type === 'entry' ? segment.entry.id : undefined
}

function commentOf(raw: string): string | undefined {
  return raw.startsWith('<!--') ? raw.slice(0, raw.indexOf('\n')) : undefined
}

function headingOf(raw: string): string {
  const header = raw.slice(commentOf(raw)?.length ?? 0).trimStart()
  const newline = header.indexOf('\n')
  return (newline < 0 ? header : header.slice(0, newline)).replace(/\r$/, '')
}

function eolOfRaw(raw: string): Eol {
  return raw[raw.indexOf('\n') - 1] === '\r' ? '\r\n' : '\n'
}

function endsWithBlankLine(piece: Piece): boolean {
  return piece.type === 'loose' && ENDS_WITH_BLANK_LINE.test(piece.raw.slice(-4))
}

/** The mark of UTF-8 at the start of a file is no line of its own. */
function isOnlyBom(pieces: readonly Piece[]): boolean {
  const raw = pieces.length === 1 ? pieces[0]?.raw : undefined
  return raw === '\uFEFF' || raw === '\u00EF\u00BB\u00BF'
}

function encodeText(text: string, encoding: Encoding): string {
  return encoding === 'utf8' ? text : Buffer.from(text, 'utf8').toString('latin1')
}

function decodeText(raw: string, encoding: Encoding): string {
  return encoding === 'utf8' ? raw : Buffer.from(raw, 'latin1').toString('utf8')
}

export function asBytes(file: VaultFile): VaultFile {
  return file.encoding === 'bytes'
    ? file
    : parseVaultText(encodeText(textOf(file), 'bytes'), 'bytes', file.owner)
}
