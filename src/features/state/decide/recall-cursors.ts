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
