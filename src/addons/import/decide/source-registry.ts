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

/** What is known of one file of a source since it was last taken in. */
export interface FileCursor {
  readonly size: number
  readonly mtimeMs: number
  readonly inode: number
  /** When it was looked at: a file that was changed just then may have changed again unseen. */
  readonly checkedMs: number
  /** What could not be taken of it. */
  readonly trouble?: string
  /** Of a file of lines: everything up to here is taken, so many lines, and how the part before it ends. */
  readonly lines?: { readonly bytes: number; readonly count: number; readonly ending: string }
  /** Of a transcript of a host: what became of it. */
  readonly transcript?: TranscriptStanding
}

/**
 *   kept       it is a conversation of this memory, with so many messages when it was taken in
 *   cold       it is old, or one of many: it stays where it is, and is searched when asked for
 *   captured   hooks had it already
 *   empty      nobody says anything in it
 */
export type TranscriptStanding =
  | { readonly as: 'kept'; readonly messages: number }
  | { readonly as: 'cold' | 'captured' | 'empty' }

export type FileCursors = Readonly<Record<string, FileCursor>>

/** `sources.json`, and how far each source is taken in. Kept beside the memory, and never shared. */
export interface SourceRegistry {
  list(): Promise<ListedSources>
  /** Reads and writes it as one step among all processes. What cannot be read is put aside first. */
  edit(
    change: (sources: readonly ImportSource[]) => readonly ImportSource[],
  ): Promise<readonly ImportSource[]>
  /** One that cannot be read counts as none: then everything is looked at again, and known again. */
  cursors(id: string): Promise<FileCursors>
  keepCursors(id: string, cursors: FileCursors): Promise<void>
  forgetCursors(id: string): Promise<void>
}

export interface ListedSources {
  readonly sources: readonly ImportSource[]
  readonly problems: readonly Problem[]
}

export interface ParsedSources extends ListedSources {
  /** The file is none: nothing in it can be used. */
  readonly isDamaged: boolean
  /** What stands there and is no source, as it is. */
  readonly others: readonly unknown[]
}

const NAME = LAYOUT.sources.path
const HINT =
  'docs/format/sources.md has the form. `cairn source remove` and `cairn source add` write it anew.'

/** Everything that can be used of it; each thing that cannot is told. */
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
    const why = typeof source === 'string' ? source : `\`id\`: ${source.id} stands there twice`
    problems.push(problem('source_invalid', `.memory/${NAME}, source ${at + 1}: ${why}. It is left out.`))
  }
  return { sources, others, problems, isDamaged: false }
}

export function renderSources(sources: readonly ImportSource[], others: readonly unknown[]): string {
  return `${JSON.stringify({ version: SOURCES_VERSION, sources: [...sources, ...others] }, null, 2)}\n`
}

/** The source, or which field is wrong. */
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

/** What a cursor file says, as far as it can be read. */
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
