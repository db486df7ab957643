import type { Memory } from '../../kernel/memory.ts'
import type { Entry } from '../../kernel/model/entry.ts'
import type { Problem } from '../../kernel/model/search.ts'
import type { SessionOverview } from '../../kernel/model/session.ts'
import type { SearchPorts } from '../search/decide/ports.ts'
import type { SessionPorts } from '../sessions/decide/ports.ts'
import { listSessions } from '../sessions/sessions.ts'

export const MAX_TAUGHT = 20
const TEXT_CHARACTERS = 400

export interface TimelineSession {
  readonly session: string
  readonly agents: string[]
  readonly host?: string
  readonly startedAt: string
  readonly activeAt: string
  readonly endedAt?: string
  readonly state: SessionOverview['state']
  readonly messages: number
  readonly doing?: string
  readonly summary?: string
  readonly taught: (Pick<Entry, 'id' | 'kind' | 'status' | 'category'> & { readonly text: string })[]
  readonly taughtTotal: number
  readonly findings: number
  readonly handoff?: { readonly id: string; readonly text: string }
}

/** Sessions with the entries that came from them. Each needs one small file and one query. */
export async function readTimeline(
  memory: Memory & SearchPorts & SessionPorts,
  query: { readonly limit: number; readonly offset: number; readonly agent?: string },
): Promise<{
  readonly sessions: TimelineSession[]
  readonly total: number
  readonly problems: readonly Problem[]
}> {
  await memory.store.refresh()
  const { sessions, total, problems } = await listSessions(memory, query)
  const sessionRows: TimelineSession[] = []
  for (const session of sessions) sessionRows.push(await timelineSession(memory, session))
  return { sessions: sessionRows, total, problems }
}

async function timelineSession(
  engine: SearchPorts & SessionPorts,
  overview: SessionOverview,
): Promise<TimelineSession> {
  const { session, agents, host, startedAt, activeAt, state, messages, doing, summary } = overview
  const memory = await engine.sessions.findMemory(session)
  const own = await engine.search.listEntries({ filter: { session }, limit: MAX_TAUGHT + 1, offset: 0 })
  const promoted = (memory?.findings ?? []).flatMap(({ promotedEntryId }) => promotedEntryId ?? [])
  const known = new Set(own.entries.map(({ id }) => id))
  // A finding that repeated an entry of an earlier session was merged into it: this session taught it again.
  const merged = await engine.search.loadEntries(promoted.filter(id => !known.has(id)))
  const isHandoff = ({ category }: Entry) => category === 'handoffs'
  const handoff = own.entries.find(isHandoff)
  const handoffs = own.entries.filter(isHandoff).length
  const taught = [...own.entries.filter(entry => !isHandoff(entry)), ...merged.values()]
  return {
    session,
    agents: [...agents],
    host,
    startedAt,
    activeAt,
    ...(memory !== undefined &&
      state === 'closed' && { endedAt: new Date(memory.finalizedAt).toISOString() }),
    state,
    messages,
    ...(doing !== undefined && { doing }),
    ...(summary !== undefined && { summary }),
    taught: taught.slice(0, MAX_TAUGHT).map(({ id, kind, status, category, content }) => ({
      id,
      kind,
      status,
      category,
      text: content.slice(0, TEXT_CHARACTERS),
    })),
    taughtTotal: own.total - handoffs + merged.size,
    findings: memory?.findings.length ?? 0,
    ...(handoff !== undefined && {
      handoff: { id: handoff.id, text: handoff.content.slice(0, TEXT_CHARACTERS * 5) },
    }),
  }
}
