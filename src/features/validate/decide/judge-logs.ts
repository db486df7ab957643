import { LAYOUT } from '../../../kernel/layout.ts'
import { EVENT_KINDS } from '../../../kernel/model/event.ts'
import { JOURNAL_ACTIONS } from '../../../kernel/model/journal.ts'
import { isObject, parseJson } from '../../../kernel/model/json-value.ts'
import { inMemory, type ValidationFinding } from './finding.ts'

/** Every line with its number, from 1; the last one may be unfinished. A BOM is not part of the first. */
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

/** The number of lines of a file, without decoding it. Blank ones do not count. */
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

/** A file with a million bad lines is one problem, not a million. */
export const MAX_LINES = 50

function moreLines(count: number): Omit<ValidationFinding, 'path'> {
  return {
    code: 'more_lines',
    severity: 'error',
    message: `${count} more ${count === 1 ? 'line has' : 'lines have'} a problem and ${count === 1 ? 'is' : 'are'} not listed`,
    fix: 'Correct those that are listed first, then check again.',
  }
}

export function isDateTime(value: unknown): value is string {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value))
}

const ACTIONS: ReadonlySet<unknown> = new Set(JOURNAL_ACTIONS)

/** Every line is a record of a change: undo and the history use them. */
export function judgeJournalLines(text: string, name: string = LAYOUT.journal.path): ValidationFinding[] {
  const path = inMemory(name)
  const findings: ValidationFinding[] = []
  const ids = new Set<string>()
  let left = 0
  const add = (finding: Omit<ValidationFinding, 'path'>) => {
    if (findings.length < MAX_LINES) findings.push({ ...finding, path })
    else left++
  }
  eachLine(text, (line, number, isEnded) => {
    if (line.trim() === '') return
    const record = objectOf(line)
    if (record === undefined && !isEnded)
      return add({
        code: 'journal_line_unfinished',
        severity: 'warning',
        line: number,
        message: 'the last line was never finished: a process died before it changed anything',
        fix: 'Remove the line; its change was not made.',
      })
    const why = record === undefined ? 'it is not JSON' : wrongRecordField(record)
    if (record === undefined || why !== undefined)
      return add({
        code: 'journal_line_damaged',
        severity: 'error',
        line: number,
        message: `the line is not a record: ${why}`,
        fix: 'Correct the line if you can: `cairn undo` and `cairn log` skip it until then.',
      })
    const { id, action } = record as { id: string; action: unknown }
    if (ids.has(id))
      add({
        code: 'journal_id_twice',
        severity: 'error',
        line: number,
        message: 'an earlier record has the same id, so `cairn undo` would not know which one is meant',
        fix: 'Remove the line if both are the same.',
      })
    ids.add(id)
    if (!ACTIONS.has(action))
      add({
        code: 'journal_action_unknown',
        severity: 'note',
        line: number,
        message: 'an action that this version does not know',
        fix: 'Update Cairn, if a newer version wrote this.',
      })
  })
  return left === 0 ? findings : [...findings, { ...moreLines(left), path }]
}

function wrongRecordField({ id, at, action, by, changes }: Record<string, unknown>): string | undefined {
  if (typeof id !== 'string' || id === '') return '`id` is not a text'
  if (!isDateTime(at)) return '`at` is not a date and time'
  if (typeof action !== 'string') return '`action` is not a text'
  if (typeof (by as { host?: unknown } | null)?.host !== 'string') return '`by` has no `host`'
  if (!Array.isArray(changes)) return '`changes` is not a list'
  const isTyped = changes.every(change => typeof (change as { type?: unknown } | null)?.type === 'string')
  return isTyped ? undefined : 'one of its `changes` has no `type`'
}

const LISTS = ['decisions', 'gotchas', 'nextStepHints', 'keyPaths'] as const
const KINDS: ReadonlySet<unknown> = new Set(EVENT_KINDS)
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z$/

export interface EventsSeen {
  readonly findings: readonly ValidationFinding[]
  readonly count: number
  has(id: string): boolean
}

/** A longer line is parsed: a hostile one could exhaust the stack of the pattern. */
const MAX_MATCHED_LENGTH = 65_536

/**
 * Recognises a line as Cairn writes it without parsing it, which takes a sixth of the time. Any other line is parsed.
 */
function writtenByUs(): RegExp {
  const text = String.raw`"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*)*"`
  const texts = String.raw`\[(?:${text}(?:,${text})*)?\]`
  const observation = String.raw`\{"command":${text},"outcome":"(?:passed|failed)"\}`
  const name = String.raw`"([^"\\\u0000-\u001f]+)"`
  const moment = String.raw`"\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z"`
  const signals = [
    ...LISTS.map(list => `"${list}":${texts}`),
    String.raw`"validationObservations":\[(?:${observation}(?:,${observation})*)?\]`,
  ]
  const fields = [
    `"id":${name}`,
    `"kind":"(?:${EVENT_KINDS.join('|')})"`,
    `"sourceId":${text}`,
    `"createdAt":${moment}`,
    `"contentHash":${name}`,
    `"summary":${text}`,
    String.raw`"signals":\{${signals.join(',')}\}`,
    `"sourceRef":${text}`,
  ]
  return new RegExp(String.raw`\{${fields.join(',')}\}\r?(?=\n|$)`, 'y')
}

/** Every line an event, every id and every content once. */
export function judgeEventLines(text: string): EventsSeen {
  const path = inMemory(LAYOUT.events.path)
  const findings: ValidationFinding[] = []
  const ids: string[] = []
  const hashes = new Set<string>()
  // Ids grow with time: while each is greater than the last, none is there twice, and no lookup is needed.
  let known: Set<string> | undefined
  const knownIds = () => {
    known ??= new Set(ids)
    return known
  }
  const written = writtenByUs()
  const add = (finding: Omit<ValidationFinding, 'path'>) => findings.push({ ...finding, path })
  const take = (id: string, hash: string, line: number) => {
    const last = ids.at(-1)
    if (last !== undefined && (known !== undefined || id <= last)) {
      if (knownIds().has(id)) add(idTwice(line))
      else if (hashes.has(hash)) add(contentTwice(line))
      knownIds().add(id)
    } else if (hashes.has(hash)) add(contentTwice(line))
    ids.push(id)
    hashes.add(hash)
  }

  let number = 0
  let left = 0
  for (let start = text.charCodeAt(0) === 0xfeff ? 1 : 0; start < text.length; ) {
    number++
    const newline = text.indexOf('\n', start)
    const end = newline === -1 ? text.length : newline
    written.lastIndex = start
    const match = end - start <= MAX_MATCHED_LENGTH ? written.exec(text) : null
    if (match !== null) take(match[1] ?? '', match[2] ?? '', number)
    else {
      const line = text.slice(start, end)
      const event = line.trim() === '' ? undefined : objectOf(line)
      const wrong = event === undefined ? 'it is not JSON' : wrongEventField(event)
      if (event !== undefined && wrong === undefined)
        take(event.id as string, event.contentHash as string, number)
      else if (line.trim() !== '') {
        if (findings.length < MAX_LINES) add(damagedEvent(line, number, newline !== -1, wrong ?? ''))
        else left++
      }
    }
    start = newline === -1 ? text.length : newline + 1
  }
  const reported = findings.slice(0, 4 * MAX_LINES)
  left += findings.length - reported.length
  if (left > 0) reported.push({ ...moreLines(left), path })
  return { findings: reported, count: ids.length, has: id => knownIds().has(id) }
}

function idTwice(line: number): Omit<ValidationFinding, 'path'> {
  return {
    code: 'event_id_twice',
    severity: 'error',
    line,
    message: 'an earlier event has the same id, so recall does not know how far it has read',
    fix: 'Remove one of the two lines.',
  }
}

function contentTwice(line: number): Omit<ValidationFinding, 'path'> {
  return {
    code: 'event_twice',
    severity: 'warning',
    line,
    message: 'an earlier event has the same content',
    fix: 'Remove the line: the other one has the same content.',
  }
}

function damagedEvent(
  line: string,
  number: number,
  isEnded: boolean,
  why: string,
): Omit<ValidationFinding, 'path'> {
  if (/^(?:<<<<<<<|=======|>>>>>>>|\|\|\|\|\|\|\|)/.test(line))
    return {
      code: 'conflict_markers',
      severity: 'error',
      line: number,
      message: 'git left a conflict in this file',
      fix: 'Keep the lines of both sides, and remove those that start with <<<<<<<, ======= and >>>>>>>.',
    }
  if (!isEnded)
    return {
      code: 'event_line_unfinished',
      severity: 'warning',
      line: number,
      message: 'the last line was never finished: a process died while it wrote',
      fix: 'No action is needed; the next event starts on a new line. Remove the line if you like.',
    }
  return {
    code: 'event_line_damaged',
    severity: 'error',
    line: number,
    message: `the line is not an event: ${why}`,
    fix: 'Correct or remove the line; the others are used until then.',
  }
}

/** Without the value, which may be a secret. */
function wrongEventField(event: Record<string, unknown>): string | undefined {
  const { id, sourceId, createdAt, contentHash, summary, sourceRef, kind, signals } = event
  if (typeof id !== 'string' || id === '') return '`id` is not a text'
  if (typeof sourceId !== 'string') return '`sourceId` is not a text'
  if (typeof contentHash !== 'string') return '`contentHash` is not a text'
  if (typeof summary !== 'string') return '`summary` is not a text'
  if (typeof sourceRef !== 'string') return '`sourceRef` is not a text'
  if (!KINDS.has(kind)) return `\`kind\` is not one of ${EVENT_KINDS.join(', ')}`
  if (typeof createdAt !== 'string' || !DATE_TIME.test(createdAt))
    return '`createdAt` is not a date and time in UTC'
  if (typeof signals !== 'object' || signals === null) return '`signals` is not an object'
  const lists = signals as Record<string, unknown>
  for (const name of LISTS) {
    const list = lists[name]
    if (!Array.isArray(list) || !list.every(item => typeof item === 'string'))
      return `\`signals.${name}\` is not a list of texts`
  }
  const { validationObservations: seen } = lists
  if (!Array.isArray(seen)) return '`signals.validationObservations` is not a list'
  const isWrong = seen.some(
    one => typeof one?.command !== 'string' || (one.outcome !== 'passed' && one.outcome !== 'failed'),
  )
  return isWrong ? '`signals.validationObservations` has one without a command or an outcome' : undefined
}
