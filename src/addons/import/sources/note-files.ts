import * as path from 'node:path'
import type { NoticeCode } from '../../../kernel/model/notice-codes.ts'
import { nodeDisk } from '../../../kernel/system/disk.ts'
import { isInside } from '../../../kernel/system/paths.ts'
import type { SourceOptions, SourcePlace, Trouble } from './source.ts'

/** Handwritten notes are smaller; a larger file is a log, a dump or an attack. */
const MAX_NOTE_BYTES = 1_048_576
const MAX_FILES = 20_000
const MAX_DEPTH = 12
/** Folders of tools and dependencies. */
const NOT_NOTES = new Set([
  'node_modules',
  'vendor',
  'dist',
  'build',
  'target',
  'out',
  'coverage',
  'venv',
  '__pycache__',
])

export interface Note {
  readonly at: SourcePlace
  /** Without a byte order mark, with `\n` line ends. */
  readonly text: string
  readonly changedMs: number
}

interface NoteSearch {
  /** Called with the path below the folder, with `/`. */
  readonly isWanted: (file: string) => boolean
  /** Whether to skip a folder; folders of tools are always skipped. */
  readonly isLeftOut?: (folder: string) => boolean
}

/**
 * Lists files below a folder, in order. Links are not followed, because they may lead anywhere or form a cycle; hidden folders
 * belong to tools. `left`: the number of files beyond the maximum.
 */
export function findNotes(
  folder: string,
  { isWanted, isLeftOut }: NoteSearch,
): { files: string[]; left: boolean } {
  const files: string[] = []
  let left = false
  const visit = (inside: string, depth: number) => {
    for (const item of nodeDisk.listFolder(path.join(folder, inside)) ?? []) {
      const name = inside === '' ? item.name : `${inside}/${item.name}`
      if (item.isFile() && isWanted(name)) {
        if (files.length < MAX_FILES) files.push(name)
        else left = true
      } else if (item.isDirectory() && !item.name.startsWith('.') && !NOT_NOTES.has(item.name)) {
        if (isLeftOut?.(name) === true) continue
        if (depth < MAX_DEPTH) visit(name, depth + 1)
        else left = true
      }
    }
  }
  visit('', 0)
  return { files: files.sort(), left }
}

/** Reads a text file. Reports a file that is binary, too large, a link or unreadable. */
export function readNote(folder: string, file: string): Note | Trouble {
  const full = path.join(folder, file)
  const reading = nodeDisk.readPlain(full, MAX_NOTE_BYTES)
  const trouble = (code: NoticeCode, message: string): Trouble => ({ file, code, message })
  if (reading === undefined) return trouble('file_not_found', 'it is not there any more')
  if (reading === 'link' || !isInsideFolder(folder, full))
    return trouble('link_left', 'it is a link, and links are not followed')
  if (reading.kind === 'too_large')
    return trouble(
      'content_too_long',
      `it has ${reading.size} bytes; of a note at most ${MAX_NOTE_BYTES} are read`,
    )
  if (reading.kind === 'unreadable') return trouble('source_unreadable', `it cannot be read (${reading.why})`)
  const text = new TextDecoder().decode(reading.bytes)
  if (text.includes('\0')) return trouble('not_a_text', 'it is not a text')
  return {
    at: { file },
    text: text.replaceAll('\r\n', '\n'),
    changedMs: nodeDisk.stamp(full)?.mtimeMs ?? 0,
  }
}

/** Whether a path is inside a folder after resolving all links. In a clone, `docs/adr` may link into the user's home folder. */
export function isInsideFolder(folder: string, full: string): boolean {
  const [outer, inner] = [nodeDisk.realPath(folder), nodeDisk.realPath(full)]
  return outer !== undefined && inner !== undefined && isInside(inner, outer)
}

export function isTrouble(note: Note | Trouble): note is Trouble {
  return 'code' in note
}

/** The folder and name of one file that the user named. Links are followed, because the user chose it. */
export function namedFile(given: string): { folder: string; file: string } {
  const real = nodeDisk.realPath(given) ?? given
  return { folder: path.dirname(real), file: path.basename(real) }
}

/** The path relative to the project of this memory, if the file is in it. */
export function projectPath({ memory }: SourceOptions, full: string): string | undefined {
  const root = nodeDisk.realPath(path.dirname(memory)) ?? path.dirname(memory)
  const real = nodeDisk.realPath(full) ?? full
  return real !== root && isInside(real, root) ? path.relative(root, real).replaceAll('\\', '/') : undefined
}

/** To the minute, UTC; an invalid time becomes the day of the import. */
export function dateAt(ms: number, nowMs: number): string {
  return new Date(ms > 0 && ms <= nowMs ? ms : nowMs).toISOString().slice(0, 16)
}

/** Parses `2026-03-16`, `2026-03-16 10:00` or an ISO time; undefined if it is not a date or is in the future. */
export function dateIn(value: unknown, nowMs: number): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  const ms = typeof value === 'number' ? value : Date.parse(value.trim())
  return ms > 0 && ms <= nowMs ? dateAt(ms, nowMs) : undefined
}

export const TOO_MANY = {
  code: 'source_too_large',
  message: `only the first ${MAX_FILES} files, ${MAX_DEPTH} folders deep, are read`,
} as const

/** The beginning of a text, cut at the end of a paragraph, a sentence or a word. */
export function beginningOf(text: string, most: number): string {
  const whole = text.trim()
  if (whole.length <= most) return whole
  const start = whole.slice(0, most)
  const cut = [start.lastIndexOf('\n\n'), start.search(/[.!?:;](?=\s[^.!?]*$)/) + 1].find(at => at > most / 2)
  return cut === undefined
    ? `${start.slice(0, Math.max(start.lastIndexOf(' '), most / 2)).trimEnd()} …`
    : start.slice(0, cut).trimEnd()
}
