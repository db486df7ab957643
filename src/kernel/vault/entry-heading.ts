import type { Entry } from '../model/entry.ts'
import { timeOfId } from '../model/entry-id.ts'
import { mergeTags } from '../text/tags.ts'
import { titleOf } from './entry-title.ts'

export const UNKNOWN_DATE = '1970-01-01T00:00'
const DATE = /^ {0,3}#{1,6}[ \t]+(\d{4})-(\d\d)-(\d\d)(?!\d)(?:[T ](\d\d):(\d\d)(?::\d\d(?:\.\d+)?)?Z?)?/
/** The date, any number of dots and tags, and the beginning of another word. `(?=(…))\1` never gives back a part of the date. */
const TITLE =
  / {0,3}#{1,6}[ \t]+(?=(\d{4}-\d\d-\d\d(?!\d)(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z?)?))\1(?:[ \t\r]|(?:(?:\u00C2?\u00B7)+|#[^ \t\r\n]*)(?=[ \t\r\n]|$))*(?:[^ \t\r\n#\u00B7\u00C2]|\u00C2(?!\u00B7)|(?:\u00C2?\u00B7)+(?![ \t\r\n\u00B7\u00C2]|$))/y
const MARKS = /^ {0,3}#{1,6}(?=[ \t\r]|$)/
/** `·` is C2 B7 in UTF-8: a file read byte by byte shows both. */
const DOT = /^(?:\u00C2?\u00B7)+$/
const BLANKS = /[ \t\r\n]+/
const DAYS_IN_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** To the minute, as in the model; undefined for a date that does not exist. */
export function readHeadingDate(heading: string): string | undefined {
  const match = DATE.exec(heading)
  if (match === null) return undefined
  const [, year = '', month = '', day = '', hour = '00', minute = '00'] = match
  const real = Number(day) >= 1 && Number(day) <= daysIn(Number(year), Number(month))
  return real && Number(hour) < 24 && Number(minute) < 60
    ? `${year}-${month}-${day}T${hour}:${minute}`
    : undefined
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return DAYS_IN_MONTH[month - 1] ?? 0
}

function dateOfMs(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : new Date(ms).toISOString().slice(0, 16)
}

/** The date of an entry whose heading has no valid date. */
export function dateOfId(id: string): string {
  return dateOfMs(timeOfId(id)) ?? UNKNOWN_DATE
}

/** Whether it begins with a date, valid or not. */
export function isDated(heading: string): boolean {
  return DATE.test(heading)
}

export function headingTags(heading: string): string[] {
  if (heading.lastIndexOf('#') < 2) return []
  return heading.split(/\s+/).filter(isTag)
}

function isTag(word: string): boolean {
  return word.startsWith('#') && !/^#+$/.test(word)
}

/**
 * Whether a heading with a date has a title: any word besides tags. An entry with a comment and a title was written by format 2, which
 * has its own rules for the body, so this is checked on the text in the file.
 */
export function hasTitle(text: string, pos = 0): boolean {
  TITLE.lastIndex = pos
  return TITLE.test(text)
}

function isTitleWord(word: string): boolean {
  return word !== '' && !word.startsWith('#') && !DOT.test(word)
}

/**
 * The text of a heading besides its date and its tags.
 *
 * `## 2026-03-16 · Unit tests never touch Redis · #redis`   →   `Unit tests never touch Redis`
 *
 * A tag inside the sentence is a word of it: `### Use #redis for caches`. The `##` that closes a heading in some styles is not a word.
 */
export function headingText(heading: string): string {
  const date = readHeadingDate(heading) === undefined ? null : DATE.exec(heading)
  const rest = date === null ? heading.replace(MARKS, '') : heading.slice(date[0].length)
  const words = rest.split(BLANKS).filter(Boolean)
  const first = words.findIndex(isTitleWord)
  const last = words.findLastIndex(isTitleWord)
  return first < 0 ? '' : words.slice(first, last + 1).join(' ')
}

/** `## DATE · title · #tag #tag`, without the parts that are empty. */
export function renderHeading(entry: Entry): string {
  const date = readHeadingDate(`## ${entry.date}`) ?? dateOfId(entry.id)
  const tags = mergeTags(entry.tags).map(tag => `#${tag}`)
  return [`## ${date}`, titleOf(entry.content), tags.join(' ')].filter(Boolean).join(' · ')
}
