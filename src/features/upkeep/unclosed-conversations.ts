import type { Memory } from '../../kernel/memory.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { Problem } from '../../kernel/model/search.ts'
import type { SessionHead } from '../../kernel/model/session.ts'
import { closeSession } from '../learning/closing.ts'
import type { ClosingPorts } from '../learning/decide/ports.ts'
import type { SessionPorts } from '../sessions/decide/ports.ts'
import type { UpkeepPorts } from './decide/ports.ts'
import { gatherSessionFacts } from './session-facts.ts'

export interface Unclosed {
  readonly session: string
  readonly kind: 'seed' | 'open'
}

/** A conversation that was open, and is to be open again. */
export interface Interrupted {
  readonly head: SessionHead
  readonly state: 'open' | 'asleep'
}

/**
 * Seed files that were not distilled as they are now, and open sessions without tool runs that are longer than upkeep leaves them. One with
 * tool runs stays whole until it is closed: its handoff is made of all of it.
 */
export async function unclosedConversations(
  memory: Memory & SessionPorts & UpkeepPorts,
): Promise<readonly Unclosed[]> {
  const seeds = (await gatherSessionFacts(memory, await memory.memoryFiles.survey()))
    .flatMap(({ conversations }) => conversations)
    .filter(({ isSeed, isDistilled }) => isSeed === true && !isDistilled)
    .map(({ key }): Unclosed => ({ session: key.session, kind: 'seed' }))
  const most = (await memory.config())['upkeep.conversationMessages']
  const busy = new Set<string>()
  const long = new Set<string>()
  for (const { state, ...key } of most === 0 ? [] : await memory.sessions.unclosed()) {
    const isLong = ((await memory.sessions.readEnd(key, 1))?.count ?? 0) > most
    const conversation = isLong ? await memory.sessions.read(key) : undefined
    if (state === 'ending' || conversation?.messages.some(({ run }) => run !== undefined) === true)
      busy.add(key.session)
    else if (conversation !== undefined && conversation.messages.length > most) long.add(key.session)
  }
  const open = [...long]
    .filter(session => !busy.has(session))
    .map((session): Unclosed => ({ session, kind: 'open' }))
  return [...seeds, ...open]
}

/** One that cannot be read stays as it is, and keeps no other from it. */
export async function distilUnclosed(
  memory: Memory & ClosingPorts,
  unclosed: readonly Unclosed[],
): Promise<{ readonly interrupted: readonly Interrupted[]; readonly problems: readonly Problem[] }> {
  const interrupted: Interrupted[] = []
  const problems: Problem[] = []
  for (const { session, kind } of unclosed) {
    try {
      const open = kind === 'open' ? await openConversations(memory, session) : []
      await closeSession(memory, session, { foundBy: 'compaction' })
      interrupted.push(...open)
    } catch (error) {
      if (!(error instanceof CairnError)) throw error
      const { code, message, hint } = error
      problems.push({
        code,
        path: `sessions/${session}`,
        message: `Session ${session} is not trimmed: ${message}`,
        hint,
      })
    }
  }
  return { interrupted, problems }
}

async function openConversations(memory: SessionPorts, session: string): Promise<Interrupted[]> {
  const open: Interrupted[] = []
  for (const head of await memory.sessions.conversationsOf(session)) {
    const state = (await memory.sessions.readEnd(head, 1))?.state
    if (state === 'open' || state === 'asleep') open.push({ head, state })
  }
  return open
}

/** Whoever is killed before this leaves a closed session, which its next message opens. */
export async function goOn(
  memory: Memory & SessionPorts,
  interrupted: readonly Interrupted[],
): Promise<void> {
  for (const { head, state } of interrupted) {
    await memory.sessions.start(head)
    if (state === 'asleep')
      await memory.sessions.setState(head, state, new Date(memory.clock.nowMs()).toISOString())
  }
}
