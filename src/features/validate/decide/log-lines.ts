import { isObject, parseJson } from '../../../kernel/model/json-value.ts'
import type { ValidationFinding } from './finding.ts'

/** Every line with its number, from 1; the last one may never have been ended. A BOM is not part of the first. */
export function eachLine(text: string, read: (line: string, number: number, isEnded: boolean) => void): void {
  let number = 0
  for (let start = text.charCodeAt(0) === 0xfeff ? 1 : 0; start < text.length; ) {
    const newline = text.indexOf('\n', start)
    number++
    read(text.slice(start, newline === -1 ? text.length : newline), number, newline !== -1)
    start = newline === -1 ? text.length : newline + 1
  }
}

const NEWLINE = 0x0a

/** How many lines a file has, without decoding it. Blank ones do not count. */
export function countLines(bytes: Uint8Array): number {
  let lines = 0
  let start = 0
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, start)) {
    if (at > start) lines++
    start = at + 1
  }
  return start < bytes.length ? lines + 1 : lines
}

/** A line as an object, with no fields where it is other JSON. undefined: it is not JSON. */
export function objectOf(line: string): Record<string, unknown> | undefined {
  const value = line.startsWith('\ufeff') ? undefined : parseJson(line)
  return value === undefined || isObject(value) ? value : {}
}

/** A file of a million bad lines is one thing to mend, not a million. */
export const MAX_LINES = 50

export function moreLines(count: number): Omit<ValidationFinding, 'path'> {
  return {
    code: 'more_lines',
    severity: 'error',
    message: `${count} more ${count === 1 ? 'line has' : 'lines have'} a problem and ${count === 1 ? 'is' : 'are'} not listed`,
    fix: 'Mend those that are listed first, then check again.',
  }
}

export function isMoment(value: unknown): value is string {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value))
}
