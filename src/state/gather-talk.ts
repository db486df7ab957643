import type { Engine } from '../engine-parts.ts'
import { CairnError } from '../model/errors.ts'
import type { MemoryEvent } from '../model/event.ts'
import { type Message, speakerOf } from '../model/message.ts'
import type { Problem } from '../model/search.ts'
import type { SpokenText } from '../pipeline/recall/recall-input.ts'
import { fingerprint } from '../text/fingerprint.ts'

/** The newest sessions with something new; of each conversation its end, where it is said what was finished. */
const MOST_SESSIONS = 20
const MOST_MESSAGES = 200

export interface Talk {
  readonly spoken: readonly SpokenText[]
  readonly saidAt: ReadonlyMap<string, string>
  readonly problems: readonly Problem[]
}

/** What was said in the sessions that these events tell of, and when each of their findings was. */
export async function gatherTalk(engine: Engine, events: readonly MemoryEvent[]): Promise<Talk> {
  const spoken: SpokenText[] = []
  const saidAt = new Map<string, string>()
  const problems: Problem[] = []
  for (const session of newestSessions(events)) {
    try {
      const atByNumber = new Map<string, string>()
      for (const head of await engine.sessions.conversationsOf(session)) {
        const end = await engine.sessions.readEnd(head, MOST_MESSAGES)
        if (end === undefined) continue
        const first = end.count - end.messages.length
        for (const [at, message] of end.messages.entries()) {
          atByNumber.set(`${head.agent} ${first + at}`, message.at ?? '')
          if (isSaid(message)) spoken.push({ text: message.text, at: message.at ?? '' })
        }
      }
      for (const { content, agent, message } of (await engine.sessions.findMemory(session))?.findings ?? []) {
        const at = atByNumber.get(`${agent} ${message}`)
        if (at !== undefined && at !== '') saidAt.set(fingerprint(content), new Date(at).toISOString())
      }
    } catch (error) {
      if (!(error instanceof CairnError)) throw error
      const { code, message, hint } = error
      problems.push({ code, path: `sessions/${session}`, message, hint })
    }
  }
  return { spoken: spoken.filter(({ at }) => at !== ''), saidAt, problems }
}

function isSaid(message: Message): boolean {
  const speaker = speakerOf(message.role)
  return message.internal !== true && (speaker === 'user' || speaker === 'agent')
}

function newestSessions(events: readonly MemoryEvent[]): string[] {
  const lastBySession = new Map<string, string>()
  for (const { sourceId, createdAt } of events) {
    if (!sourceId.startsWith('session:')) continue
    const session = sourceId.slice('session:'.length)
    if (createdAt > (lastBySession.get(session) ?? '')) lastBySession.set(session, createdAt)
  }
  return [...lastBySession]
    .sort(([, a], [, b]) => (a < b ? 1 : -1))
    .slice(0, MOST_SESSIONS)
    .map(([session]) => session)
}
