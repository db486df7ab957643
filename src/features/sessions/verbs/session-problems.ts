import { CairnError } from '../../../kernel/model/errors.ts'
import type { Problem } from '../../../kernel/model/search.ts'
import type { SessionPorts } from '../decide/ports.ts'

const NEWEST_SESSIONS = 5

interface SessionsSeen {
  /** How many there are. */
  readonly sessions: number
  readonly problems: readonly Problem[]
}

/** Problems in the files of the newest sessions, read from their ends: the cost does not depend on the number of sessions. */
export async function newestSessionProblems(memory: SessionPorts): Promise<SessionsSeen> {
  const { sessions, total, problems } = await memory.sessions.list({ limit: NEWEST_SESSIONS })
  const found = [...problems]
  for (const agent of new Set(sessions.flatMap(({ agents }) => agents)))
    found.push(...(await orProblem('checkpoints', () => checkpointProblems(memory, agent))))
  return { sessions: total, problems: found }
}

async function checkpointProblems(memory: SessionPorts, agent: string): Promise<readonly Problem[]> {
  return (await memory.sessions.findCheckpoint(agent)).problems
}

/** Problems in all sessions, each read in full. */
export async function everySessionProblem(
  memory: SessionPorts,
): Promise<SessionsSeen & { readonly checkpoints: number }> {
  const { sessions, total, problems } = await memory.sessions.list({ limit: Number.MAX_SAFE_INTEGER })
  const found = [...problems]
  for (const { session, agents } of sessions) {
    for (const agent of agents) {
      const read = async () => (await memory.sessions.read({ session, agent }))?.problems ?? []
      found.push(...(await orProblem(`conversations/${agent}`, read)))
    }
  }
  const { checkpoints, damaged } = await memory.sessions.listCheckpoints()
  return { sessions: total, checkpoints: checkpoints.length, problems: [...found, ...damaged] }
}

/** Reports an unreadable file like a damaged one. */
async function orProblem(path: string, look: () => Promise<readonly Problem[]>): Promise<readonly Problem[]> {
  try {
    return await look()
  } catch (error) {
    if (!(error instanceof CairnError)) throw error
    return [{ code: error.code, path, message: error.message, hint: error.hint }]
  }
}
