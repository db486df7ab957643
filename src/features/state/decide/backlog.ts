import type { RecallCursor } from '../../../kernel/model/bundle.ts'
import type { MemoryEvent } from '../../../kernel/model/event.ts'

/** The fields that show how far a source was read. */
type LoggedEvent = Pick<MemoryEvent, 'id' | 'sourceId' | 'createdAt'>

export interface Backlog<Event extends LoggedEvent = MemoryEvent> {
  /** To be folded in now, in the order of the log. */
  readonly events: readonly Event[]
  /** Folded in before. */
  readonly known: readonly Event[]
  /** Number of events that are not folded in and not requested now. */
  readonly left: number
  /** The cursor of each source after `events` are folded in. */
  readonly cursors: Readonly<Record<string, RecallCursor>>
}

/** All, the sessions of this memory, imports, the entries of the vault, or one source by its id. */
export type SourceChoice = 'all' | 'sessions' | 'imports' | 'entries' | (string & {})

export function isChosen(source: SourceChoice, sourceId: string): boolean {
  if (source === 'all' || source === sourceId || `session:${source}` === sourceId) return true
  const isSession = sourceId.startsWith('session:')
  return source === 'sessions' ? isSession : source === 'imports' ? !isSession : false
}

/**
 * The events that are not folded in yet. A source is read in the order of the log:
 *
 *   cursor in the log   events after it are new
 *   cursor archived     events newer than it are new: the archive has the oldest
 *   no cursor           all events are new
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

/** Counts over a log of events. */
interface EventCounts {
  readonly count: number
  /** How many events of each source recall has not folded in. */
  readonly waitingBySource: ReadonlyMap<string, number>
  /** Number of events that are newer than each of the given times. */
  readonly since: readonly number[]
  /** Offsets of the lines of events that are newer than the first of these times. */
  readonly youngLines: readonly number[]
}

/** Cairn writes these four fields first. Any other line is parsed. */
const HEAD =
  /\{"id":"([^"\\]{1,200})","kind":"[^"\\]{1,40}","sourceId":"([^"\\]{1,400})","createdAt":"([^"\\]{1,40})"/y
const MAX_PARSED_LENGTH = 1_048_576

interface SourceCount {
  readonly cursor: RecallCursor | undefined
  all: number
  /** Events after the cursor, once it was seen. */
  behind: number
  sawCursor: boolean
  younger: number
}

/**
 * Reads a log once without storing its lines. Lines that are not events are skipped: `cairn validate` reports them. A source is read in the
 * order of the log: events after its cursor are new; if the cursor was archived, events newer than it; without a cursor, all.
 */
export function countEvents(
  text: string,
  cursors: Readonly<Record<string, RecallCursor>>,
  moments: readonly string[],
): EventCounts {
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
