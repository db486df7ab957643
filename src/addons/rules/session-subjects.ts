import type { BriefPorts } from '../../features/brief/decide/ports.ts'
import { ownText, readablePart } from '../../features/learning/decide/spoken-text.ts'
import type { SearchPorts } from '../../features/search/decide/ports.ts'
import type { SessionPorts } from '../../features/sessions/decide/ports.ts'
import type { ToldEntry } from './decide/advise.ts'
import { type SessionSubject, sessionSubject } from './decide/rule-use.ts'

/** What is asked of hot memory is asked of the work of the last weeks, not of last year's. */
const RECENT_SESSIONS = 60
const MESSAGES_A_CONVERSATION = 200
const CHARACTERS_A_SESSION = 200_000
const RECENT_EVENTS = 1_000
const RECENT_BRIEFS = 200

/** What the last closed sessions were about: what was said and run in them, without what they were told, and their events. */
export async function recentSubjects(memory: SessionPorts): Promise<SessionSubject[]> {
  const { sessions } = await memory.sessions.list({ limit: RECENT_SESSIONS, state: 'closed' })
  if (sessions.length === 0) return []
  const eventTexts = await textsOfEvents(memory)
  const subjects: SessionSubject[] = []
  for (const { session, agents } of sessions) {
    const texts: string[] = [...(eventTexts.get(`session:${session}`) ?? [])]
    for (const agent of agents) {
      const end = await memory.sessions.readEnd({ session, agent }, MESSAGES_A_CONVERSATION)
      for (const { text } of end?.messages ?? []) texts.push(readablePart(ownText(text)))
    }
    subjects.push(sessionSubject(bounded(texts)))
  }
  return subjects
}

async function textsOfEvents(memory: SessionPorts): Promise<ReadonlyMap<string, readonly string[]>> {
  const { events } = await memory.events.newest(RECENT_EVENTS)
  const bySource = new Map<string, string[]>()
  for (const { sourceId, summary, signals } of events) {
    const texts = bySource.get(sourceId) ?? []
    texts.push(summary, ...signals.decisions, ...signals.gotchas, ...signals.keyPaths)
    bySource.set(sourceId, texts)
  }
  return bySource
}

function bounded(texts: readonly string[]): string[] {
  let left = CHARACTERS_A_SESSION
  return texts.flatMap(text => {
    if (left <= 0) return []
    left -= text.length
    return [text.slice(0, Math.max(0, left + text.length))]
  })
}

/** In how many of the sessions that were given a brief each entry was told. Only what is still there, and holds. */
export async function toldEntries(memory: SearchPorts & BriefPorts): Promise<ToldEntry[]> {
  const told = new Map<string, Set<string>>()
  for (const { session, included } of await memory.briefs.list(RECENT_BRIEFS)) {
    if (session === undefined) continue
    const ids = told.get(session) ?? new Set()
    for (const { id, tier } of included) if (id !== undefined && tier !== 'preferences') ids.add(id)
    told.set(session, ids)
  }
  const countById = new Map<string, number>()
  for (const ids of told.values()) for (const id of ids) countById.set(id, (countById.get(id) ?? 0) + 1)
  const entryById = await memory.search.loadEntries([...countById.keys()])
  return [...entryById.values()]
    .filter(
      ({ status, category }) => status !== 'candidate' && category !== 'handoffs' && category !== 'tasks',
    )
    .map(({ id, content, kind }) => ({
      id,
      content,
      kind,
      told: countById.get(id) ?? 0,
      sessions: told.size,
    }))
}
