import { isUtf8 } from 'node:buffer'
import { rootOfId } from '../model/entry-id.ts'
import { findConflicts, type MarkedConflict } from './conflict-markers.ts'
import { readBothSides, type Touched } from './conflict-sides.ts'
import type { Eol } from './entry-text.ts'
import { readEntries } from './read-entries.ts'
import type { Encoding, FileOwner, FileProblem, ReadOptions, Segment } from './vault-segments.ts'

export { type Eol, renderEntry } from './entry-text.ts'
export type {
  Encoding,
  EntrySegment,
  FileOwner,
  FileProblem,
  LooseSegment,
  ReadOptions,
  Segment,
} from './vault-segments.ts'

export interface VaultFile {
  readonly segments: readonly Segment[]
  /** The line break of new entries. */
  readonly eol: Eol
  readonly encoding: Encoding
  readonly problems: readonly FileProblem[]
  readonly owner: FileOwner
}

/** Reads any bytes; everything that is not an entry is loose text. `renderVaultFile` returns the same bytes. */
export function parseVaultFile(bytes: Uint8Array, owner: FileOwner, options: ReadOptions = {}): VaultFile {
  const encoding = isUtf8(bytes) ? 'utf8' : 'bytes'
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return parseVaultText(buffer.toString(encoding === 'utf8' ? 'utf8' : 'latin1'), encoding, owner, options)
}

export function renderVaultFile(file: VaultFile): Uint8Array {
  return Buffer.from(vaultTextOf(file), file.encoding === 'utf8' ? 'utf8' : 'latin1')
}

export function vaultTextOf(file: { readonly segments: readonly { readonly raw: string }[] }): string {
  return file.segments.map(segment => segment.raw).join('')
}

const NO_ENTRY: FileProblem = {
  code: 'unread_text',
  line: 1,
  message: 'the file no longer contains an entry',
  hint: 'Find the record with "removed" in `cairn log` and restore the entry with `cairn undo <record>`. Or delete the file.',
}
const UTF16_BOM = /^(?:\u00FF\u00FE|\u00FE\u00FF)/
/** The maximum number of entries of a conflict that a message names. */
const MAX_NAMED = 5
const NAME_DATE = /(?:^|\/)(\d{4}-\d\d-\d\d)-[^/]*$/

/** The date of entries without one: the day that the file's name begins with, or else the day when the file was last changed. */
export function dateOfFile(path: string, mtimeMs: number): string {
  const day = NAME_DATE.exec(path)?.[1]
  const ms = day === undefined ? Number.NaN : Date.parse(day)
  return new Date(Number.isNaN(ms) ? mtimeMs : ms).toISOString().slice(0, 16)
}

/** The same on decoded text: edits read their own result back this way. */
export function parseVaultText(
  text: string,
  encoding: Encoding,
  owner: FileOwner,
  options: ReadOptions = {},
): VaultFile {
  const problems: FileProblem[] = encodingProblems(text, encoding)
  const conflicts = findConflicts(text)
  const { segments, crlfEntries } = conflicts.length === 0 ? readWhole() : readConflicted(conflicts)
  const entries = segments.filter(segment => segment.type === 'entry').length
  if (options.isEntryFile === true && entries === 0 && problems.length === 0) problems.push(NO_ENTRY)
  const eol = eolOf(text, crlfEntries, entries)
  problems.sort((a, b) => a.line - b.line)
  return { segments, eol, encoding, problems, owner }

  function readWhole(): { segments: Segment[]; crlfEntries: number } {
    // UTF-16 read byte by byte has no lines.
    if (problems.some(({ code }) => code === 'utf16'))
      return { segments: partsWithLoose(text, []), crlfEntries: 0 }
    const { found, crlfEntries } = readEntries({ ...options, text, encoding, owner, problems })
    const parts = found.map(({ start, end, segment }) => ({ start, end, segments: [segment] }))
    return { segments: partsWithLoose(text, parts), crlfEntries }
  }

  function readConflicted(conflicts: readonly MarkedConflict[]): {
    segments: Segment[]
    crlfEntries: number
  } {
    let crlfEntries = 0
    const { parts, touchedBy } = readBothSides(text, conflicts, side => {
      // Other problems of the file can wait until the conflict is resolved.
      const read = readEntries({ ...options, text: side, encoding, owner, problems: [] })
      crlfEntries = Math.max(crlfEntries, read.crlfEntries)
      return read.found
    })
    for (const conflict of conflicts) problems.push(conflictProblem(conflict, touchedBy(conflict)))
    const segments = partsWithLoose(
      text,
      parts.map(part => ({
        ...part,
        segments:
          part.kind === 'entry'
            ? [part.segment]
            : [
                { type: 'loose' as const, raw: text.slice(part.start, part.end) },
                ...part.entries.map(({ segment }) => segment),
              ],
      })),
    )
    return { segments, crlfEntries }
  }
}

interface Part {
  readonly start: number
  readonly end: number
  readonly segments: readonly Segment[]
}

function partsWithLoose(text: string, parts: readonly Part[]): Segment[] {
  const segments: Segment[] = []
  let looseStart = 0
  for (const part of parts) {
    if (part.start > looseStart) segments.push({ type: 'loose', raw: text.slice(looseStart, part.start) })
    for (const segment of part.segments) segments.push(segment)
    looseStart = part.end
  }
  if (looseStart < text.length) segments.push({ type: 'loose', raw: text.slice(looseStart) })
  return segments
}

/** It names the entries in the conflict, because a person looks for those. */
function conflictProblem({ line, lastLine }: MarkedConflict, touched: Iterable<Touched>): FileProblem {
  const ids = new Set<string>()
  for (const { segment } of touched) {
    ids.add(rootOfId(segment.entry.id))
    if (ids.size === MAX_NAMED) break
  }
  const about = [...ids].join(', ')
  return {
    code: 'conflict_markers',
    line,
    message: `unresolved git conflict, lines ${line} to ${lastLine}${about === '' ? '' : `, about ${about}`}`,
    hint: 'Edit both sides into one text and remove the lines that start with <<<<<<<, ======= and >>>>>>>.',
  }
}
function eolOf(text: string, crlfEntries: number, entries: number): Eol {
  if (entries > 0) return crlfEntries * 2 > entries ? '\r\n' : '\n'
  return text[text.indexOf('\n') - 1] === '\r' ? '\r\n' : '\n'
}

function encodingProblems(text: string, encoding: Encoding): FileProblem[] {
  if (encoding === 'utf8') return []
  if (UTF16_BOM.test(text)) {
    return [
      {
        code: 'utf16',
        line: 1,
        message: 'the file is saved as UTF-16, so its entries cannot be read',
        hint: 'Save it as UTF-8 in your editor.',
      },
    ]
  }
  const line = lineOfFirstBadByte(text)
  return [
    {
      code: 'not_utf8',
      line,
      message: `line ${line} is not valid UTF-8; it is read with replacement characters`,
      hint: 'Save the file as UTF-8 in your editor. Until then its bytes do not change.',
    },
  ]
}

function lineOfFirstBadByte(text: string): number {
  const bytes = Buffer.from(text, 'latin1')
  let line = 1
  for (let pos = 0; pos < bytes.length; line++) {
    const newline = bytes.indexOf(0x0a, pos)
    const next = newline < 0 ? bytes.length : newline + 1
    if (!isUtf8(bytes.subarray(pos, next))) return line
    pos = next
  }
  return line
}
