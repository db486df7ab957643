import { LAYOUT } from '../../../kernel/layout.ts'
import { EVENT_KINDS, type MemoryEvent } from '../../../kernel/model/event.ts'
import type { Problem } from '../../../kernel/model/search.ts'

/** `history/events.jsonl`: the active event stream. Append-only; only upkeep removes old events, after archiving them. */
export interface EventLog {
  /** Skips events whose content hash is in the log. Returns the added ones. */
  append(events: readonly MemoryEvent[]): Promise<readonly MemoryEvent[]>
  /** Oldest first. An unreadable line is reported as a problem with its number, and the others are read. */
  read(onProblem?: (problem: Problem) => void): AsyncIterable<MemoryEvent>
  /** Newest first. */
  newest(
    limit: number,
  ): Promise<{ readonly events: readonly MemoryEvent[]; readonly problems: readonly Problem[] }>
  count(): Promise<number>
  /** Removes events whose lines are already archived. */
  remove(ids: ReadonlySet<string>): Promise<void>
  /** Restores archived events in order of their dates. Returns the added ones. */
  putBack(events: readonly MemoryEvent[]): Promise<readonly MemoryEvent[]>
}

const EVENT_LOG = LAYOUT.events.path
const SIGNALS = ['decisions', 'gotchas', 'nextStepHints', 'keyPaths', 'validationObservations'] as const

export function damagedLine(text: string, line: number): Problem {
  return {
    code: 'event_line_damaged',
    path: EVENT_LOG,
    line,
    message: `Line ${line} of ${EVENT_LOG} is not an event: ${text.slice(0, 60)}`,
    hint: 'The other lines are used. The damaged line stays in the file.',
  }
}

export function parseEvent(line: string): MemoryEvent | undefined {
  let json: unknown
  try {
    json = JSON.parse(line)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return undefined
  }
  return isEvent(json) ? json : undefined
}

function isEvent(json: unknown): json is MemoryEvent {
  if (typeof json !== 'object' || json === null) return false
  const event = json as Partial<Record<keyof MemoryEvent, unknown>>
  const texts = [event.id, event.sourceId, event.createdAt, event.contentHash, event.summary, event.sourceRef]
  if (!texts.every(text => typeof text === 'string')) return false
  if (!(EVENT_KINDS as readonly unknown[]).includes(event.kind)) return false
  const signals = event.signals as Record<string, unknown> | null | undefined
  return typeof signals === 'object' && signals !== null && SIGNALS.every(key => Array.isArray(signals[key]))
}
