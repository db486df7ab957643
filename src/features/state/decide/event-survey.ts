import type { RecallCursor } from '../../../kernel/model/bundle.ts'

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
