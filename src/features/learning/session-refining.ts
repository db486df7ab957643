import type { Memory } from '../../kernel/memory.ts'
import type { Degradation } from '../../kernel/model/search.ts'
import { closeSession, conversationsOf } from './closing.ts'
import type { ClosingPorts, ModelPorts } from './decide/ports.ts'
import type { FoundByAgent } from './evidence.ts'
import { findAll, type Learnt, learn } from './learn.ts'
import { type ModelCall, refineFindings } from './refining.ts'

/** A session that was closed longer ago is left as it is. */
const RECENT_MS = 7 * 86_400_000
const SESSIONS_LOOKED_AT = 50

export interface RefinedSession {
  readonly session: string
  /** false: the model had gone over it before, or could not be asked, which `degraded` tells. */
  readonly isRefined: boolean
  readonly calls: readonly ModelCall[]
  readonly learnt?: Learnt
  readonly degraded: readonly Degradation[]
}

/**
 * Goes over a closed session with the configured model. What the rules found stands until the answer is there, and where none comes.
 * Throws `session_not_found`.
 */
export async function refineSession(
  memory: Memory & ClosingPorts & ModelPorts,
  session: string,
): Promise<RefinedSession> {
  await closeSession(memory, session)
  const known = await memory.sessions.findMemory(session)
  const calls: ModelCall[] = []
  if (known?.refinedBy !== undefined) return { session, isRefined: false, calls, degraded: [] }
  const conversations = await conversationsOf(memory, session)
  const { found } = await findAll(memory, conversations)
  // What a person asked for stays as they said it: the model goes over the suggestions only.
  const isSuggested = ({ finding }: FoundByAgent) => finding.wanted !== true
  const refined: FoundByAgent[] = found.filter(each => !isSuggested(each))
  const dropped = new Set<string>()
  const rewrittenFrom = new Map<string, string>()
  const notes: Degradation[] = []
  for (const { head, messages, trimmed } of conversations) {
    const own = found
      .filter(each => each.agent === head.agent && isSuggested(each))
      .map(({ finding }) => ({ ...finding, message: finding.message - trimmed }))
    const { findings, model, changes, degraded } = await refineFindings(memory, { messages, findings: own })
    if (model !== undefined) calls.push(model)
    notes.push(...degraded)
    for (const { finding } of changes?.dropped ?? []) dropped.add(finding.fingerprint)
    for (const { from, to } of changes?.rewritten ?? []) rewrittenFrom.set(to, from)
    refined.push(
      ...findings.map(finding => ({
        agent: head.agent,
        finding: { ...finding, message: finding.message + trimmed },
      })),
    )
  }
  // Nobody was asked, and can be later.
  if (calls.length === 0 && notes.length > 0) return { session, isRefined: false, calls, degraded: notes }
  const learnt = await learn(memory, {
    session,
    conversations,
    found: refined,
    known,
    isTrial: false,
    // Also where its answer was of no use: it is not paid for twice.
    refinement: { by: calls[0]?.name ?? NOTHING_TO_ASK, dropped, rewrittenFrom },
  })
  return {
    session,
    isRefined: calls.length > 0 && notes.length === 0,
    calls,
    learnt,
    degraded: [...notes, ...memory.store.takeDegraded()],
  }
}

/** In place of a model, for a session in which nothing was said that one could go over. */
const NOTHING_TO_ASK = 'none'

/** Every session that was closed of late and that no model has gone over, until one cannot be. */
export async function refineRecent(
  memory: Memory & ClosingPorts & ModelPorts,
): Promise<readonly RefinedSession[]> {
  if ((await memory.model.standing()).kind !== 'allowed') return []
  const { sessions } = await memory.sessions.list({ limit: SESSIONS_LOOKED_AT })
  const refined: RefinedSession[] = []
  for (const { session, state } of sessions) {
    if (state !== 'closed') continue
    const known = await memory.sessions.findMemory(session)
    if (known === undefined || known.refinedBy !== undefined) continue
    if (memory.clock.nowMs() - known.finalizedAt > RECENT_MS) continue
    const one = await refineSession(memory, session)
    refined.push(one)
    // The cap is reached, or nobody answers: the next would fare no better.
    if (one.calls.length === 0 && one.degraded.length > 0) break
  }
  return refined
}
