import type { Entry } from '../model/entry.ts'
import { codeFences, isFenceOpener } from './code-fences.ts'
import { isMarkerAt } from './conflict-markers.ts'
import { isEntryComment, renderEntryComment } from './entry-comment.ts'
import { hasTitle, renderHeading } from './entry-heading.ts'
import { isRule, mapLines, matchesAt, skipBackslashes } from './text-lines.ts'

export type Eol = '\n' | '\r\n'

// `·` is C2 B7 in UTF-8: a file read byte by byte shows both.
const DATED_HEADING =
  /##[ \t]+\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z?)?[ \t\r]*(?:\n|$|\u00C2?\u00B7|#)/y

/** A bare heading with a date: the start of a typed entry in format 1. */
export function isDatedHeading(text: string, pos: number): boolean {
  return matchesAt(DATED_HEADING, text, pos)
}

/**
 * The canonical text of one entry, safe for any values. Content with its own carriage return is written with LF around it even in a CRLF
 * file, or reading could not tell which CR belongs to it.
 */
export function renderEntry(entry: Entry, eol: Eol): string {
  return renderEntryWith({ entry, eol, heading: renderHeading(entry) })
}

export function renderEntryWith(parts: { entry: Entry; eol: Eol; heading: string }): string {
  const { entry, heading } = parts
  const content = hasTitle(heading) ? escapeTitled(entry.content) : escapeUntitled(entry.content)
  const text = `${renderEntryComment(entry)}\n${heading}\n\n${content}\n\n---\n`
  const wellFormed = /\p{Cs}/u.test(text) ? Buffer.from(text, 'utf8').toString('utf8') : text
  return parts.eol === '\n' || wellFormed.includes('\r') ? wellFormed : wellFormed.replaceAll('\n', '\r\n')
}

/**
 * ⏎ content
 * ⏎      one blank line before it and one after it are not part of it
 */
export function readContent(body: string, { crlf, titled }: { crlf: boolean; titled: boolean }): string {
  const text = crlf ? body.replaceAll('\r\n', '\n') : body
  const start = text.startsWith('\n') ? 1 : text.startsWith('\r\n') ? 2 : 0
  const rest = text.slice(start)
  // Cairn always ends content with two bare line feeds: only if they are missing may a CR come from the editor.
  const after = rest.endsWith('\n\n') ? 2 : (/(?:\r?\n){1,2}$/.exec(rest.slice(-4))?.[0].length ?? 0)
  const content = rest.slice(0, rest.length - after)
  if (!content.includes('\\')) return content
  return titled ? unescapeTitled(content) : unescapeUntitled(content)
}

// ---------------------------------------------------------------- format 1: the heading has no title

function escapeUntitled(content: string): string {
  if (!content.includes('<!--') && !content.includes('##') && !content.includes('<<<<<<<')) return content
  return mapLines(content, (pos, end) =>
    isStart(content, skipBackslashes(content, pos), end) ? 'add' : 'keep',
  )
}

function unescapeUntitled(content: string): string {
  return mapLines(content, (pos, end) => {
    const start = skipBackslashes(content, pos)
    return start > pos && isStart(content, start, end) ? 'drop' : 'keep'
  })
}

/** Text that would be read as the start of an entry or of a conflict. */
function isStart(text: string, pos: number, end: number): boolean {
  const first = text.charCodeAt(pos)
  if (first === 0x23 /* # */) return isDatedHeading(text, pos)
  return first === 0x3c /* < */ && isStartInFence(text, pos, end)
}

function isStartInFence(text: string, pos: number, end: number): boolean {
  return isMarkerAt(text, pos) || isEntryComment(text, pos, end)
}

// ---------------------------------------------------------------- format 2: the heading has a title

const NEEDS_ESCAPE = /---|<!--|##|<<<<<<<|```|~~~/

/**
 * A body of format 2 ends at its first `---` line, so those of the content are escaped, and so is the opening line of a fence that the
 * content never closes: then every body has closed fences, and `---` is safe inside them.
 */
function escapeTitled(content: string): string {
  return NEEDS_ESCAPE.test(content) ? mapTitled(content, 'add') : content
}

function unescapeTitled(content: string): string {
  return mapTitled(content, 'drop')
}

/** Both directions find the same fences: an escaped line neither opens nor closes one. */
function mapTitled(content: string, change: 'add' | 'drop'): string {
  const fences = codeFences(content)
  let fencedUntil = 0
  return mapLines(content, (pos, end) => {
    if (pos >= fencedUntil) fencedUntil = fences.endOf(pos) ?? pos
    const start = skipBackslashes(content, pos)
    if (change === 'drop' && start === pos) return 'keep'
    const isFenced = pos < fencedUntil
    const guarded = isFenced
      ? content.charCodeAt(start) === 0x3c && isStartInFence(content, start, end)
      : isStart(content, start, end) || isRule(content, start) || isFenceOpener(content, start)
    return guarded ? change : 'keep'
  })
}
