import type { Engine } from '../engine-parts.ts'
import type { Degradation } from '../model/search.ts'
import { closeSession, conversationsOf } from './closing.ts'
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
export async function refineSession(engine: Engine, session: string): Promise<RefinedSession> {
  await closeSession(engine, session)
  const known = await engine.sessions.findMemory(session)
  const calls: ModelCall[] = []
  if (known?.refinedBy !== undefined) return { session, isRefined: false, calls, degraded: [] }
  const conversations = await conversationsOf(engine, session)
  const found = await findAll(engine, conversations)
  const refined: FoundByAgent[] = []
  for (const { head, messages, trimmed } of conversations) {
    const own = found
      .filter(({ agent }) => agent === head.agent)
      .map(({ finding }) => ({ ...finding, message: finding.message - trimmed }))
    const { findings, model, changes, degraded } = await refineFindings(engine, { messages, findings: own })
    if (model !== undefined) calls.push(model)
    // Of several agents one that could not be gone over leaves all as they are: half a refinement would drop the rest.
    if (changes === undefined && degraded.length > 0) return { session, isRefined: false, calls, degraded }
    refined.push(
      ...findings.map(finding => ({
        agent: head.agent,
        finding: { ...finding, message: finding.message + trimmed },
      })),
    )
  }
  const refinedBy = calls[0]?.name
  if (refinedBy === undefined) return { session, isRefined: false, calls, degraded: [] }
  const learnt = await learn(engine, {
    session,
    conversations,
    found: refined,
    known,
    isTrial: false,
    refinedBy,
  })
  return { session, isRefined: true, calls, learnt, degraded: engine.store.takeDegraded() }
}

/** Every session that was closed of late and that no model has gone over, until one cannot be. */
export async function refineRecent(engine: Engine): Promise<readonly RefinedSession[]> {
  if ((await engine.model.standing()).kind !== 'allowed') return []
  const { sessions } = await engine.sessions.list({ limit: SESSIONS_LOOKED_AT })
  const refined: RefinedSession[] = []
  for (const { session, state } of sessions) {
    if (state !== 'closed') continue
    const known = await engine.sessions.findMemory(session)
    if (known === undefined || known.refinedBy !== undefined) continue
    if (engine.clock.nowMs() - known.finalizedAt > RECENT_MS) continue
    const one = await refineSession(engine, session)
    refined.push(one)
    if (!one.isRefined) break
  }
  return refined
}
