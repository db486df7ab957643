import { LAYOUT } from '../../../kernel/layout.ts'
import { EVENT_KINDS } from '../../../kernel/model/event.ts'
import { inMemory, type ValidationFinding } from './finding.ts'
import { MAX_LINES, moreLines, objectOf } from './log-lines.ts'

const LISTS = ['decisions', 'gotchas', 'nextStepHints', 'keyPaths'] as const
const KINDS: ReadonlySet<unknown> = new Set(EVENT_KINDS)
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z$/

export interface EventsSeen {
  readonly findings: readonly ValidationFinding[]
  readonly count: number
  has(id: string): boolean
}

/** A longer one is parsed: a pattern has a stack that a hostile line could use up. */
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
  // Ids grow with time: as long as each is above the last, none is there twice, and nothing has to be looked up.
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
      const wrong = event === undefined ? 'it is not JSON' : wrongField(event)
      if (event !== undefined && wrong === undefined)
        take(event.id as string, event.contentHash as string, number)
      else if (line.trim() !== '') {
        if (findings.length < MAX_LINES) add(damaged(line, number, newline !== -1, wrong ?? ''))
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
    message: 'an event before it has the same id, so that recall does not know how far it has read',
    fix: 'Remove one of the two lines.',
  }
}

function contentTwice(line: number): Omit<ValidationFinding, 'path'> {
  return {
    code: 'event_twice',
    severity: 'warning',
    line,
    message: 'an event before it was made of the same content',
    fix: 'Remove the line: the other one says the same.',
  }
}

function damaged(
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
      message: 'git left a conflict here',
      fix: 'Keep the lines of both sides, and remove those that start with <<<<<<<, ======= and >>>>>>>.',
    }
  if (!isEnded)
    return {
      code: 'event_line_unfinished',
      severity: 'warning',
      line: number,
      message: 'the last line was never finished: a process died while it wrote',
      fix: 'Nothing has to be done; what follows begins a line of its own. Remove the line to be rid of it.',
    }
  return {
    code: 'event_line_damaged',
    severity: 'error',
    line: number,
    message: `the line is not an event: ${why}`,
    fix: 'Mend or remove the line; the others are used until then.',
  }
}

/** Without the value, which may be a secret. */
function wrongField(event: Record<string, unknown>): string | undefined {
  const { id, sourceId, createdAt, contentHash, summary, sourceRef, kind, signals } = event
  if (typeof id !== 'string' || id === '') return '`id` is not a text'
  if (typeof sourceId !== 'string') return '`sourceId` is not a text'
  if (typeof contentHash !== 'string') return '`contentHash` is not a text'
  if (typeof summary !== 'string') return '`summary` is not a text'
  if (typeof sourceRef !== 'string') return '`sourceRef` is not a text'
  if (!KINDS.has(kind)) return `\`kind\` is not one of ${EVENT_KINDS.join(', ')}`
  if (typeof createdAt !== 'string' || !MOMENT.test(createdAt))
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
