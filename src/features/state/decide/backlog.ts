import type { RecallCursor } from '../../../kernel/model/bundle.ts'
import type { MemoryEvent } from '../../../kernel/model/event.ts'

/** What tells how far a source was read. */
export type LoggedEvent = Pick<MemoryEvent, 'id' | 'sourceId' | 'createdAt'>

export interface Backlog<Event extends LoggedEvent = MemoryEvent> {
  /** To be folded in now, as they stand in the log. */
  readonly events: readonly Event[]
  /** Folded in before. */
  readonly known: readonly Event[]
  /** Not folded in, and not asked for now. */
  readonly left: number
  /** How far each source is read once `events` are folded in. */
  readonly cursors: Readonly<Record<string, RecallCursor>>
}

/** All, the sessions of this memory, what was imported, the entries of the vault, or one source by its id. */
export type SourceChoice = 'all' | 'sessions' | 'imports' | 'entries' | (string & {})

export function isChosen(source: SourceChoice, sourceId: string): boolean {
  if (source === 'all' || source === sourceId || `session:${source}` === sourceId) return true
  const isSession = sourceId.startsWith('session:')
  return source === 'sessions' ? isSession : source === 'imports' ? !isSession : false
}

/**
 * What has not been folded in yet, by source. A source is read in the order of the log:
 *
 *   cursor in the log   what stands behind it is new
 *   cursor archived     what is younger than it is new: the archive takes the oldest
 *   no cursor           all of it is new
 */
export function planBacklog<Event extends LoggedEvent>(
  events: readonly Event[],
  cursors: Readonly<Record<string, RecallCursor>>,
  source: SourceChoice,
): Backlog<Event> {
  const known = new Map(Object.entries(cursors))
  const inLog = new Set<string>()
  for (const { id, sourceId } of events) if (known.get(sourceId)?.id === id) inLog.add(sourceId)
  const passed = new Set<string>()
  const fresh: Event[] = []
  const old: Event[] = []
  const next = new Map(known)
  let left = 0
  for (const event of events) {
    const { id, sourceId, createdAt } = event
    const cursor = known.get(sourceId)
    const isNew = cursor === undefined || (inLog.has(sourceId) ? passed.has(sourceId) : createdAt > cursor.at)
    if (cursor?.id === id) passed.add(sourceId)
    if (!isNew) old.push(event)
    else if (isChosen(source, sourceId)) {
      fresh.push(event)
      next.set(sourceId, { id, at: createdAt })
    } else left++
  }
  return { events: fresh, known: old, left, cursors: Object.fromEntries(next) }
}

/** What a log of events tells at a glance. */
export interface EventSurvey {
  readonly count: number
  /** How many events of each source recall has not folded in. */
  readonly waitingBySource: ReadonlyMap<string, number>
  /** How many are younger than each of the moments that were asked for. */
  readonly since: readonly number[]
  /** Where the lines of the events begin that are younger than the first of these moments. */
  readonly youngLines: readonly number[]
}

/** As Cairn writes them, these four come first. A line of somebody else's is parsed. */
const HEAD =
  /\{"id":"([^"\\]{1,200})","kind":"[^"\\]{1,40}","sourceId":"([^"\\]{1,400})","createdAt":"([^"\\]{1,40})"/y
const MAX_PARSED_LENGTH = 1_048_576

interface SourceCount {
  readonly cursor: RecallCursor | undefined
  all: number
  /** Behind the cursor, once it was seen. */
  behind: number
  sawCursor: boolean
  younger: number
}

/**
 * Goes over a log once, and keeps nothing of its lines. What is no event is passed over: `cairn validate` tells of it. A source is read
 * in the order of the log: behind its cursor all is new; where the cursor was archived, what is younger than it; without a cursor, all.
 */
export function surveyEvents(
  text: string,
  cursors: Readonly<Record<string, RecallCursor>>,
  moments: readonly string[],
): EventSurvey {
  const counts = new Map<string, SourceCount>()
  const since = moments.map(() => 0)
  const youngLines: number[] = []
  let count = 0
  const take = (id: string, sourceId: string, createdAt: string, at: number) => {
    count++
    let source = counts.get(sourceId)
    if (source === undefined) {
      const cursor = Object.hasOwn(cursors, sourceId) ? cursors[sourceId] : undefined
      source = { cursor, all: 0, behind: 0, sawCursor: false, younger: 0 }
      counts.set(sourceId, source)
    }
    source.all++
    source.behind++
    if (source.cursor !== undefined && createdAt > source.cursor.at) source.younger++
    if (source.cursor?.id === id) {
      source.sawCursor = true
      source.behind = 0
    }
    for (let n = 0; n < moments.length; n++) {
      if (createdAt <= (moments[n] as string)) continue
      since[n] = (since[n] as number) + 1
      if (n === 0) youngLines.push(at)
    }
  }
  for (let start = text.charCodeAt(0) === 0xfeff ? 1 : 0; start < text.length; ) {
    const newline = text.indexOf('\n', start)
    const end = newline === -1 ? text.length : newline
    HEAD.lastIndex = start
    const match = HEAD.exec(text) ?? parsedHead(text.slice(start, end))
    if (match !== undefined) take(match[1] ?? '', match[2] ?? '', match[3] ?? '', start)
    start = end + 1
  }
  const waitingBySource = new Map<string, number>()
  for (const [sourceId, { cursor, all, behind, sawCursor, younger }] of counts) {
    const waiting = cursor === undefined ? all : sawCursor ? behind : younger
    if (waiting > 0) waitingBySource.set(sourceId, waiting)
  }
  return { count, waitingBySource, since, youngLines }
}

function parsedHead(line: string): readonly ['', string, string, string] | undefined {
  if (line.length > MAX_PARSED_LENGTH || line.trim() === '') return undefined
  try {
    const { id, sourceId, createdAt } = (JSON.parse(line) ?? {}) as Record<string, unknown>
    if (typeof id !== 'string' || typeof sourceId !== 'string' || typeof createdAt !== 'string')
      return undefined
    return ['', id, sourceId, createdAt]
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return undefined
  }
}
