import { LAYOUT } from '../../../kernel/layout.ts'
import {
  type ImportSource,
  MAX_SOURCES,
  SOURCE_FIELDS,
  SOURCES_VERSION,
  type SyncStatus,
  sourceList,
} from '../../../kernel/model/import-source.ts'
import type { NoticeCode } from '../../../kernel/model/notice-codes.ts'
import type { Problem } from '../../../kernel/model/search.ts'

/** The state of one source file after its last import. */
export interface FileCursor {
  readonly size: number
  readonly mtimeMs: number
  readonly inode: number
  /** When the file was checked. A change within the clock's resolution of this time may be missed. */
  readonly checkedMs: number
  /** Why part of it could not be imported. */
  readonly trouble?: string
  /** For a file of lines: how many bytes and lines were imported, and how that part ends. */
  readonly lines?: { readonly bytes: number; readonly count: number; readonly ending: string }
  /** For a transcript of a host: what happened to it. */
  readonly transcript?: TranscriptState
}

/**
 *   kept       it is a conversation of this memory, with so many messages when it was taken in
 *   cold       it is old, or one of many: it stays where it is, and is searched when asked for
 *   captured   hooks had it already
 *   empty      nobody says anything in it
 */
export type TranscriptState =
  | { readonly as: 'kept'; readonly messages: number }
  | { readonly as: 'cold' | 'captured' | 'empty' }

export type FileCursors = Readonly<Record<string, FileCursor>>

/** `sources.json` and the import position of each source. Stored next to the memory and never shared. */
export interface SourceRegistry {
  list(): Promise<ListedSources>
  /** Reads and writes the list under a lock that all processes share. An unreadable file is moved aside first. */
  edit(
    change: (sources: readonly ImportSource[]) => readonly ImportSource[],
  ): Promise<readonly ImportSource[]>
  /** Unreadable cursors count as empty: every file is then checked again, and duplicates are detected. */
  cursors(id: string): Promise<FileCursors>
  keepCursors(id: string, cursors: FileCursors): Promise<void>
  forgetCursors(id: string): Promise<void>
}

interface ListedSources {
  readonly sources: readonly ImportSource[]
  readonly problems: readonly Problem[]
}

export interface ParsedSources extends ListedSources {
  /** The file is not JSON, so nothing in it can be used. */
  readonly isDamaged: boolean
  /** Items that are not valid sources, unchanged. */
  readonly others: readonly unknown[]
}

const NAME = LAYOUT.sources.path
const HINT =
  'docs/format/sources.md has the form. `cairn source remove` and `cairn source add` write it anew.'

/** Parses every usable source and reports each item that is not usable. */
export function parseSources(text: string): ParsedSources {
  const stored = parsed(text.replace(/^\ufeff/, ''))
  const list = isRecord(stored) && stored.sources === undefined ? [] : sourceList(stored)
  if (list === undefined) {
    const message = `.memory/${NAME} cannot be read: it is not JSON, or has no list of sources.`
    return { sources: [], others: [], isDamaged: true, problems: [problem('sources_damaged', message)] }
  }
  const sources: ImportSource[] = []
  const others: unknown[] = list.slice(MAX_SOURCES)
  const problems: Problem[] = []
  const ids = new Set<string>()
  if (others.length > 0)
    problems.push(problem('sources_too_many', `.memory/${NAME}: only the first ${MAX_SOURCES} are used.`))
  for (const [at, item] of list.slice(0, MAX_SOURCES).entries()) {
    const source = sourceOf(item)
    if (typeof source !== 'string' && !ids.has(source.id)) {
      ids.add(source.id)
      sources.push(source)
      continue
    }
    others.push(item)
    const why = typeof source === 'string' ? source : `\`id\`: ${source.id} appears twice`
    problems.push(problem('source_invalid', `.memory/${NAME}, source ${at + 1}: ${why}. It is left out.`))
  }
  return { sources, others, problems, isDamaged: false }
}

export function renderSources(sources: readonly ImportSource[], others: readonly unknown[]): string {
  return `${JSON.stringify({ version: SOURCES_VERSION, sources: [...sources, ...others] }, null, 2)}\n`
}

/** The source, or the name of the field that is wrong. */
function sourceOf(item: unknown): ImportSource | string {
  if (!isRecord(item)) return 'it is not an object'
  const wrong = Object.entries(SOURCE_FIELDS).find(
    ([field, { isNeeded, isGood }]) => isNeeded === true && !isGood(item[field]),
  )
  if (wrong !== undefined) return `\`${wrong[0]}\`: ${wrong[1].expected} was expected`
  const orElse = <T>(field: keyof ImportSource, otherwise: T) =>
    item[field] !== undefined && SOURCE_FIELDS[field].isGood(item[field]) ? (item[field] as T) : otherwise
  const { id, type, path, agent } = item as unknown as ImportSource
  const createdAt = orElse('createdAt', '1970-01-01T00:00:00.000Z')
  return {
    ...{ id, type, path },
    ...(agent !== undefined && { agent }),
    createdAt,
    updatedAt: orElse('updatedAt', createdAt),
    lastSyncedAt: orElse<string | null>('lastSyncedAt', null),
    lastSyncStatus: orElse<SyncStatus | null>('lastSyncStatus', null),
    lastSyncError: orElse<string | null>('lastSyncError', null),
    lastImportedCount: orElse<number | null>('lastImportedCount', null) ?? 0,
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function problem(code: NoticeCode, message: string): Problem {
  return { code, path: NAME, message, hint: HINT }
}

/** Parses as much of a cursor file as is readable. */
export function parseCursors(text: string): FileCursors {
  const stored = parsed(text)
  const files = isRecord(stored) && isRecord(stored.files) ? stored.files : {}
  return Object.fromEntries(
    Object.entries(files).filter((entry): entry is [string, FileCursor] => isCursor(entry[1])),
  )
}

export function renderCursors(cursors: FileCursors): string {
  return `${JSON.stringify({ version: 1, files: cursors })}\n`
}

function isCursor(value: unknown): boolean {
  if (!isRecord(value)) return false
  const { size, mtimeMs, inode, checkedMs, trouble, lines, transcript } = value
  const isLines =
    lines === undefined ||
    (isRecord(lines) &&
      typeof lines.bytes === 'number' &&
      typeof lines.count === 'number' &&
      typeof lines.ending === 'string')
  return (
    [size, mtimeMs, inode, checkedMs].every(part => typeof part === 'number') &&
    (trouble === undefined || typeof trouble === 'string') &&
    (transcript === undefined || (isRecord(transcript) && typeof transcript.as === 'string')) &&
    isLines
  )
}
