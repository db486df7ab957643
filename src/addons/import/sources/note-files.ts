import * as path from 'node:path'
import type { NoticeCode } from '../../../kernel/model/notice-codes.ts'
import { nodeDisk } from '../../../kernel/system/disk.ts'
import { isInside } from '../../../kernel/system/paths.ts'
import type { SourceOptions, SourcePlace, Trouble } from './source.ts'

/** What a person wrote by hand is smaller; a larger file is a log, a dump or a trap. */
const MAX_NOTE_BYTES = 1_048_576
const MAX_FILES = 20_000
const MAX_DEPTH = 12
/** Folders of tools and of other people's code. */
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
  /** Without a byte order mark, with plain line ends. */
  readonly text: string
  readonly changedMs: number
}

export interface NoteSearch {
  /** By its path below the folder, with `/`. */
  readonly isWanted: (file: string) => boolean
  /** Whether a folder is left out, by the same; those of tools always are. */
  readonly isLeftOut?: (folder: string) => boolean
}

/**
 * Files below a folder, in order. Links are not followed, for they may lead anywhere or in a circle; folders whose name begins with a dot
 * are those of tools. `left`: there are more than are looked at.
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

/** A text of people. What is none, too large, a link or not readable is told. */
export function readNote(folder: string, file: string): Note | Trouble {
  const full = path.join(folder, file)
  const reading = nodeDisk.readPlain(full, MAX_NOTE_BYTES)
  const trouble = (code: NoticeCode, message: string): Trouble => ({ file, code, message })
  if (reading === undefined) return trouble('file_not_found', 'it is not there any more')
  if (reading === 'link' || !liesWithin(folder, full))
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

/** Whether something is in a folder behind all links: a clone can have `docs/adr` lead into the home of whoever clones it. */
export function liesWithin(folder: string, full: string): boolean {
  const [outer, inner] = [nodeDisk.realPath(folder), nodeDisk.realPath(full)]
  return outer !== undefined && inner !== undefined && isInside(inner, outer)
}

export function isTrouble(note: Note | Trouble): note is Trouble {
  return 'code' in note
}

/** The folder and the one file that a person named, behind links: they named it. */
export function namedFile(given: string): { folder: string; file: string } {
  const real = nodeDisk.realPath(given) ?? given
  return { folder: path.dirname(real), file: path.basename(real) }
}

/** The path below the project that the memory is of, where the file is in it. */
export function projectPath({ memory }: SourceOptions, full: string): string | undefined {
  const root = nodeDisk.realPath(path.dirname(memory)) ?? path.dirname(memory)
  const real = nodeDisk.realPath(full) ?? full
  return real !== root && isInside(real, root) ? path.relative(root, real).replaceAll('\\', '/') : undefined
}

/** To the minute, UTC; one that cannot be is the day of the import. */
export function dateAt(ms: number, nowMs: number): string {
  return new Date(ms > 0 && ms <= nowMs ? ms : nowMs).toISOString().slice(0, 16)
}

/** Of `2026-03-16`, `2026-03-16 10:00` or an ISO time; undefined for what is none, or is to come. */
export function dateIn(value: unknown, nowMs: number): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  const ms = typeof value === 'number' ? value : Date.parse(value.trim())
  return ms > 0 && ms <= nowMs ? dateAt(ms, nowMs) : undefined
}

export const TOO_MANY = {
  code: 'source_too_large',
  message: `only the first ${MAX_FILES} files, ${MAX_DEPTH} folders deep, are read`,
} as const

/** As much of a text as fits, to the end of a paragraph, a sentence or a word. */
export function beginningOf(text: string, most: number): string {
  const whole = text.trim()
  if (whole.length <= most) return whole
  const start = whole.slice(0, most)
  const cut = [start.lastIndexOf('\n\n'), start.search(/[.!?:;](?=\s[^.!?]*$)/) + 1].find(at => at > most / 2)
  return cut === undefined
    ? `${start.slice(0, Math.max(start.lastIndexOf(' '), most / 2)).trimEnd()} …`
    : start.slice(0, cut).trimEnd()
}
