import { SUMMARY_KIND } from '../model/category.ts'
import { type Entry, STATUSES } from '../model/entry.ts'
import { compareIds } from '../model/entry-id.ts'
import { CairnError } from '../model/errors.ts'
import { encodeValue, parseEntryComment, replaceIdInComment } from './entry-comment.ts'
import { hasTitle, headingText } from './entry-heading.ts'
import { renderEntryWith } from './entry-text.ts'
import { titleOf } from './entry-title.ts'
import { sameEntry } from './observe.ts'
import { commentOf, decodeText, encodeText, ended, eolOfRaw, headingLineOf } from './raw-entry.ts'
import {
  type Encoding,
  type EntrySegment,
  parseVaultText,
  renderEntry,
  type Segment,
  type VaultFile,
  vaultTextOf,
} from './vault-file.ts'

/** A part of an edited file; only the text counts, because the result is read back from it. */
export type FilePart = Pick<Segment, 'type' | 'raw'> & Pick<Partial<EntrySegment>, 'typed' | 'conflict'>

const RULE_LINE = /^---[ \t\r]*\n?$/
const ENDS_WITH_BLANK_LINE = /(?:^|\n)\r?\n$/
const LEADING_RULE = /^(?:[ \t]*\r?\n)*---[ \t\r]*(?:\n|$)/
const LEADING_RULE_LINE = /^---[ \t\r]*(?:\n|$)/
const LEADING_LINE_END = /^\r?\n/
const TRAILING_LINE_END = /\r?\n$/
const MAY_HAVE_FENCE = /```|~~~/

/** The real entries: without summaries. Of an id that is there twice with equal content, the later version counts. */
export function entriesOf(file: VaultFile): Entry[] {
  const entryById = new Map<string, Entry>()
  for (const segment of file.segments) {
    if (segment.type === 'loose' || isSummary(segment)) continue
    const { entry } = segment
    const first = entryById.get(entry.id)
    if (first === undefined || isLater(entry, first)) entryById.set(entry.id, entry)
  }
  return [...entryById.values()]
}

function isLater(entry: Entry, other: Entry): boolean {
  const [at, otherAt] = [entry.updated ?? '', other.updated ?? '']
  if (at !== otherAt) return at > otherAt
  return STATUSES.indexOf(entry.status) > STATUSES.indexOf(other.status)
}

function contentsOf(file: VaultFile): Map<string, string> {
  return new Map(entriesOf(file).map(entry => [entry.id, entry.content]))
}

export function isSummary(segment: Segment): boolean {
  return segment.type === 'entry' && segment.entry.kind === SUMMARY_KIND
}

/** At its place, newest first: before the first older entry. */
export function insertEntry(file: VaultFile, entry: Entry): VaultFile {
  return insertEntries(file, [entry])
}

/**
 * Many at once. An entry that is already there with equal content stays: a mutation may be applied again. `texts` has the original text
 * of restored entries.
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

/** The original text, if it still has the same content. A restored typed entry gets its id in a comment line. */
function ownText(entry: Entry, text: string | undefined, file: VaultFile): string {
  if (text?.startsWith('<!--')) {
    const raw = terminated(encodeText(text, file.encoding), file)
    if (sameEntry(readOne(raw, file), entry)) return raw
  }
  return encodeText(renderEntry(entry, file.eol), file.encoding)
}

/** The text of an entry in its file, if Cairn would write it differently. */
export function unusualText(segment: EntrySegment, file: VaultFile): string | undefined {
  const text = decodeText(segment.raw, file.encoding)
  return text === renderEntry(segment.entry, file.eol) ? undefined : text
}

/**
 * Adds entries with their text unchanged. An entry that is already there with equal content is left out: a crash between writing a page
 * and shortening the head file left it twice. `from` is the encoding of the file they leave. A typed entry gets its id in a comment line,
 * unless it must stay as typed.
 */
export function insertSegments(
  file: VaultFile,
  segments: readonly EntrySegment[],
  from: Encoding,
  typed: 'named' | 'as typed' = 'named',
): VaultFile {
  const contentById = contentsOf(file)
  const arriving = segments.filter(({ entry }) => contentById.get(entry.id) !== entry.content)
  if (arriving.length === 0) return file
  const utf8 = arriving.map(({ raw }) =>
    from === 'utf8' ? raw : Buffer.from(raw, 'latin1').toString('utf8'),
  )
  // Bytes that are not UTF-8 are only possible in a file that is read byte by byte.
  const exact = from === 'utf8' || arriving.every(({ raw }, i) => encodeText(utf8[i] ?? '', 'bytes') === raw)
  const target = exact ? file : asBytes(file)
  return mergeIn(
    target,
    arriving.map(({ entry, raw, typed: isTyped, undated }, i) => {
      if (isTyped !== undefined && typed === 'named')
        return { entry, raw: encodeText(renderEntry(entry, target.eol), target.encoding) }
      const text =
        target.encoding === 'utf8' ? (utf8[i] ?? '') : from === 'bytes' ? raw : encodeText(raw, 'bytes')
      const own = isTyped === undefined ? terminated(text, target) : ended(text, target.eol)
      return { entry, raw: own, typed: isTyped, goesLast: undated }
    }),
  )
}

/** Changes the text of this entry and of no other. */
export function replaceEntry(file: VaultFile, entry: Entry): VaultFile {
  return replaceEntries(file, [entry])
}

/** Many at once: the file is assembled and read back once. */
export function replaceEntries(original: VaultFile, entries: readonly Entry[]): VaultFile {
  // A remaining copy with the old text would count as another entry.
  const file = dropCopies(original)
  const pieces: FilePart[] = [...file.segments]
  const placeById = new Map(file.segments.map((segment, at) => [idOf(segment), at]))
  const replaced = new Set<Segment>()
  const cuts = new Set<number>()
  for (const entry of entries) {
    const at = placeById.get(entry.id)
    if (at === undefined) throw noSuchEntry(file, entry.id)
    const old = file.segments[at] as EntrySegment
    if (renderEntry(old.entry, '\n') === renderEntry(entry, '\n')) continue
    replaced.add(old)
    pieces[at] = { type: 'entry', raw: rewritten(old.raw, entry, file) }
    cuts.add(at).add(at + 1)
    const after = pieces[at + 1]
    if (after?.type === 'loose') pieces[at + 1] = { ...after, raw: withoutEnd(after.raw, old) }
  }
  if (replaced.size === 0) return file
  refuseInConflict(file, replaced)
  return assemble(file, pieces, cuts)
}

/** The loose text after a typed section without the `---` line that ended it: the section is removed, or gets its own line. */
function withoutEnd(loose: string, segment: Segment | undefined): string {
  return segment?.type === 'entry' && segment.typed === 'heading' ? loose.replace(LEADING_RULE, '') : loose
}

/** With every copy of it. Also removes the blank line that would remain; never other text. */
export function removeEntry(file: VaultFile, id: string): VaultFile {
  const gone = file.segments.filter(segment => idOf(segment) === id)
  if (gone.length === 0) throw noSuchEntry(file, id)
  return removeSegments(file, new Set(gone))
}

/** Leaves one copy of every entry that is there twice with equal content. */
export function dropCopies(file: VaultFile): VaultFile {
  const keptById = new Map<string, EntrySegment>()
  const copies = new Set<Segment>()
  for (const segment of file.segments) {
    if (segment.type === 'loose') continue
    const { id } = segment.entry
    const first = keptById.get(id)
    if (first !== undefined) copies.add(isLater(segment.entry, first.entry) ? first : segment)
    if (first === undefined || copies.has(first)) keptById.set(id, segment)
  }
  return removeSegments(file, copies)
}

/**
 *   A ⏎ B ⏎ C   without B   A ⏎ C      (⏎: a blank line)
 */
export function removeSegments(file: VaultFile, gone: ReadonlySet<Segment>): VaultFile {
  if (gone.size === 0) return file
  refuseInConflict(file, gone)
  const pieces: FilePart[] = []
  const cuts = new Set<number>()
  let tidyNext = false
  let isCut = false
  let endOf: Segment | undefined
  for (const segment of file.segments) {
    if (gone.has(segment)) {
      isCut = true
      endOf = segment
      const before = pieces.at(-1)
      tidyNext = before === undefined || isOnlyBom(pieces) || endsWithBlankLine(before)
      continue
    }
    const rest = segment.type === 'loose' ? withoutEnd(segment.raw, endOf) : segment.raw
    const raw = tidyNext && segment.type === 'loose' ? rest.replace(LEADING_LINE_END, '') : rest
    endOf = undefined
    if (isCut) cuts.add(pieces.length)
    isCut = false
    tidyNext = false
    if (raw !== '') pieces.push({ ...segment, raw })
  }
  const last = pieces.at(-1)
  if (tidyNext && pieces.length > 1 && last !== undefined && endsWithBlankLine(last)) {
    pieces[pieces.length - 1] = { type: 'loose', raw: last.raw.replace(TRAILING_LINE_END, '') }
  }
  return assemble(file, pieces, cuts)
}

/**
 * Gives a new id to every changed copy, inside its comment. From the bottom up, so that growing ids are sorted newest first. Typed
 * entries need none: reading must not change a file that git tracks. A file with conflict markers stays unchanged.
 */
export function assignIds(file: VaultFile, newId: (entry: Entry) => string): VaultFile {
  if (hasConflict(file) || !file.segments.some(isCopy)) return file
  const pieces: FilePart[] = [...file.segments]
  for (let i = pieces.length - 1; i >= 0; i--) {
    const segment = file.segments[i]
    const comment = segment === undefined || !isCopy(segment) ? undefined : commentOf(segment.raw)
    if (segment?.type !== 'entry' || comment === undefined) continue
    const id = encodeText(encodeValue(newId(segment.entry)), file.encoding)
    pieces[i] = {
      type: 'entry',
      raw: replaceIdInComment(comment, id) + segment.raw.slice(comment.length),
    }
  }
  return assemble(file, pieces)
}

/** Its comment line has an id, but another entry has the same one. */
function isCopy(segment: Segment): boolean {
  if (segment.type === 'loose' || !segment.idMissing) return false
  const comment = commentOf(segment.raw)
  return comment !== undefined && parseEntryComment(comment, segment.entry.category).id !== ''
}

/** Puts the entry after everything else, whatever its id: the place of the summary. */
export function appendEntry(file: VaultFile, entry: Entry): VaultFile {
  const pieces: FilePart[] = [...file.segments]
  pushApart(pieces, { type: 'entry', raw: encodeText(renderEntry(entry, file.eol), file.encoding) }, file)
  return assemble(file, pieces, new Set([pieces.length - 1]))
}

// ---------------------------------------------------------------- assembling a file

interface Arrival {
  readonly entry: Entry
  readonly raw: string
  readonly typed?: EntrySegment['typed'] | undefined
  /** It has no date, so any position would do. */
  readonly goesLast?: boolean | undefined
}

function mergeIn(file: VaultFile, arrivals: readonly Arrival[]): VaultFile {
  const waiting = [...arrivals].sort(
    (a, b) => Number(a.goesLast ?? false) - Number(b.goesLast ?? false) || compareIds(a.entry.id, b.entry.id),
  )
  const pieces: FilePart[] = []
  const cuts = new Set<number>()
  let next = 0
  // In a file with conflict markers, only the end is certain to be outside every conflict.
  const anywhere = !hasConflict(file)
  for (const segment of file.segments) {
    for (let arrival = waiting[next]; anywhere && arrival !== undefined; arrival = waiting[++next]) {
      if (segment.type === 'loose' || arrival.goesLast || !goesBefore(arrival.entry, segment)) break
      cuts.add(pieces.length).add(pieces.length + 1)
      pieces.push(pieceOf(arrival), { type: 'loose', raw: file.eol })
    }
    pieces.push(segment)
  }
  for (; next < waiting.length; next++) {
    pushApart(pieces, pieceOf(waiting[next] as Arrival), file)
    cuts.add(pieces.length - 1)
  }
  const whole = assemble(file, pieces, cuts)
  if (anywhere || sidesOf(whole) === sidesOf(file)) return whole
  // An entry in the conflict has no end yet: the blank line would become part of it.
  return assemble(file, [...file.segments, ...waiting.map(pieceOf)], new Set([file.segments.length]))
}

/** The contents of the entries in conflicts. */
function sidesOf(file: VaultFile): string {
  return JSON.stringify(
    file.segments.flatMap(segment =>
      segment.type === 'entry' && segment.conflict !== undefined ? [segment.entry.content] : [],
    ),
  )
}

function pieceOf({ raw, typed }: Arrival): FilePart {
  return { type: 'entry', raw, ...(typed && { typed }) }
}

function goesBefore(entry: Entry, segment: EntrySegment): boolean {
  if (isSummary(segment)) return true
  // A typed entry keeps its position, and a title stays on top; only a date decides more.
  if (segment.undated) return false
  if (segment.idMissing) return entry.date >= segment.entry.date
  return compareIds(entry.id, segment.entry.id) < 0
}

/** With a blank line between it and the text before it. */
function pushApart(pieces: FilePart[], piece: FilePart, file: VaultFile): void {
  const at = pieces.findLastIndex(({ raw }) => raw !== '')
  const last = pieces[at]
  if (last?.type === 'entry' && last.typed === undefined) {
    pieces[at] = { type: 'entry', raw: terminated(last.raw, file) }
    pieces.push({ type: 'loose', raw: file.eol })
  } else if (last !== undefined && !isOnlyBom(pieces) && !endsWithBlankLine(last)) {
    pieces.push({ type: 'loose', raw: last.raw.endsWith('\n') ? file.eol : file.eol + file.eol })
  }
  pieces.push(piece)
}

/**
 * Reads the result back, so that an edit returns what a reader of the file will see. An entry without its `---` gets one if the text
 * after it would otherwise become part of it. `cuts` are the places where something was added, removed or changed: if the text on both
 * sides would be read as one there, a `---` line separates it. An edit that would change the meaning of other text is refused.
 */
export function assemble(
  file: VaultFile,
  pieces: readonly FilePart[],
  cuts: ReadonlySet<number> = new Set(),
): VaultFile {
  if (file.problems.some(problem => problem.code === 'utf16')) {
    throw new CairnError({
      code: 'vault_file_damaged',
      message: `${file.owner.agent}/${file.owner.category} is saved as UTF-16; writing to it would damage it`,
      hint: 'Save the file as UTF-8 in your editor, then run this again.',
    })
  }
  const kept = pieces.flatMap((piece, at) => (piece.raw === '' ? [] : [{ piece, isCut: cuts.has(at) }]))
  const written = kept.map(({ piece }) => piece)
  const safe = written.map((piece, i): FilePart => {
    const after = written[i + 1]
    if (piece.type === 'loose' || piece.typed !== undefined || after === undefined) return piece
    const endsAnyway =
      after.type === 'entry' &&
      after.raw.startsWith('<!--') &&
      piece.raw.endsWith('\n') &&
      !MAY_HAVE_FENCE.test(piece.raw)
    return endsAnyway ? piece : { type: piece.type, raw: terminated(piece.raw, file) }
  })
  // A rule in the first line would begin the front matter of another tool. An existing one stays: it begins that.
  const first = safe[0]
  if (cuts.size > 0 && first !== undefined && isRuleFirst(first) && !isRuleFirst(file.segments[0]))
    safe[0] = { ...first, raw: file.eol + first.raw }
  const read = (all: readonly FilePart[]) =>
    parseVaultText(vaultTextOf({ segments: all }), file.encoding, file.owner)
  const plain = read(safe)
  if (cuts.size === 0 || readsAs(plain, safe)) return plain
  const part = (all: readonly FilePart[]) =>
    all.flatMap((piece, at): FilePart[] => {
      const before = all[at - 1]
      if (kept[at]?.isCut !== true || before === undefined) return [piece]
      const gap = before.raw.endsWith('\n') ? '' : file.eol
      return [{ type: 'loose', raw: `${gap}${file.eol}---${file.eol}${file.eol}` }, piece]
    })
  const parted = part(safe)
  const apart = read(parted)
  if (readsAs(apart, parted)) return apart
  // An entry without a title ends at the last `---` line: with a title it ends at the first.
  const titled = part(safe.map(piece => withTitle(piece, file)))
  const titledApart = read(titled)
  if (readsAs(titledApart, titled)) return titledApart
  const sound = [plain, apart, titledApart].find(each => saysAs(each, safe, file))
  if (sound !== undefined) return sound
  throw new CairnError({
    code: 'vault_file_damaged',
    message: `This change of ${file.owner.agent}/${file.owner.category} would make other text part of another entry.`,
    hint: hasConflict(file)
      ? 'Resolve the merge conflict in the file, then run this again.'
      : 'Close open code fences (```) and comments (<!--) in the file with your editor, then run this again.',
  })
}

function isRuleFirst(piece: FilePart | undefined): boolean {
  return piece?.type === 'loose' && LEADING_RULE_LINE.test(piece.raw)
}

function withTitle(piece: FilePart, file: VaultFile): FilePart {
  if (piece.type === 'loose' || piece.typed !== undefined || hasTitle(headingLineOf(piece.raw))) return piece
  const entry = readOne(piece.raw, file)
  if (entry === undefined) return piece
  return { ...piece, raw: encodeText(renderEntry(entry, eolOfRaw(piece.raw)), file.encoding) }
}

/** Whether each entry is where it was put, and no other text has become one. */
function readsAs(file: VaultFile, pieces: readonly FilePart[]): boolean {
  const [found, put] = [file.segments, pieces].map(all =>
    all.filter(({ type, raw }: FilePart) => type === 'entry' && raw !== '').map(({ raw }) => raw),
  ) as [string[], string[]]
  return found.length === put.length && found.every((raw, at) => raw === put[at])
}

/** Whether every entry has the same content as on its own: one line break more or less does not matter. */
function saysAs(read: VaultFile, pieces: readonly FilePart[], file: VaultFile): boolean {
  const put = pieces.flatMap(({ type, raw }) => (type === 'entry' ? [readOne(raw, file)?.content] : []))
  const found = read.segments.flatMap(segment => (segment.type === 'entry' ? [segment.entry.content] : []))
  return found.length === put.length && found.every((content, at) => content === put[at])
}

/** With its `---` line, and the same content: the number of line breaks depends on the end of the text. */
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
  // Content that ends in a lone CR is only preserved between the blank lines of the canonical text.
  return rewritten(raw, entry, file)
}

/**
 * Writes the text of an entry again. A heading line with an unchanged meaning stays as a person wrote it; its title is unchanged as long
 * as the content is.
 */
export function rewritten(raw: string, entry: Entry, file: VaultFile): string {
  const eol = eolOfRaw(raw)
  const decoded = decodeText(raw, file.encoding)
  if (!decoded.startsWith('<!--')) return encodeText(renderEntry(entry, eol), file.encoding)
  const canonical = encodeText(renderEntry(entry, eol), file.encoding)
  const heading = headingLineOf(decoded)
  const saysTheSame =
    readOne(raw, file)?.content === entry.content || headingText(heading) === titleOf(entry.content)
  if (!saysTheSame) return canonical
  const faithful = encodeText(renderEntryWith({ entry, eol, heading }), file.encoding)
  return sameEntry(readOne(faithful, file), readOne(canonical, file)) ? faithful : canonical
}

function readOne(raw: string, file: VaultFile): Entry | undefined {
  const segment = parseVaultText(raw, file.encoding, file.owner).segments[0]
  return segment?.type === 'entry' ? segment.entry : undefined
}

// ---------------------------------------------------------------- reading a file

function noSuchEntry(file: VaultFile, id: string): CairnError {
  return new CairnError({
    code: 'entry_not_found',
    message: `${file.owner.agent}/${file.owner.category} has no entry ${id}`,
    hint: 'Search for it: it may have been moved to another file, or removed.',
  })
}

export function hasConflict(file: VaultFile): boolean {
  return file.problems.some(problem => problem.code === 'conflict_markers')
}

/** The text of an entry in a conflict is half of each side: a change would mix them up. */
function refuseInConflict(file: VaultFile, touched: ReadonlySet<Segment>): void {
  if (!hasConflict(file)) return
  for (const segment of touched) {
    if (segment.type === 'loose' || segment.conflict === undefined) continue
    const { line, lastLine } = segment.conflict
    throw new CairnError({
      code: 'vault_file_damaged',
      message: `Entry ${segment.entry.id} in ${file.owner.agent}/${file.owner.category} is in an unresolved git conflict, lines ${line} to ${lastLine}.`,
      hint: 'Resolve the conflict first; `cairn status` names the file.',
      details: { line },
    })
  }
}

function idOf(segment: Segment): string | undefined {
  return segment.type === 'entry' ? segment.entry.id : undefined
}

function endsWithBlankLine(piece: FilePart): boolean {
  return piece.type === 'loose' && ENDS_WITH_BLANK_LINE.test(piece.raw.slice(-4))
}

/** The byte order mark of UTF-8 at the start of a file is not a line of its own. */
function isOnlyBom(pieces: readonly FilePart[]): boolean {
  const raw = pieces.length === 1 ? pieces[0]?.raw : undefined
  return raw === '\uFEFF' || raw === '\u00EF\u00BB\u00BF'
}

export function asBytes(file: VaultFile): VaultFile {
  return file.encoding === 'bytes'
    ? file
    : parseVaultText(encodeText(vaultTextOf(file), 'bytes'), 'bytes', file.owner)
}
