import type { SessionFiles } from '../../features/sessions/decide/session-files.ts'
import type { AgentRunFiles } from '../../hosts/run/decide/agent-pipeline.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { SessionKey } from '../../kernel/model/session.ts'
import type { Clock } from '../../kernel/system/clock.ts'

/** A process that was killed during a run left a draft of its answer: it is added to the conversation. */
async function recoverRuns(sessions: SessionFiles, runFiles: AgentRunFiles, clock: Clock): Promise<void> {
  for (const { session, agent, draft, isAlive } of await runFiles.list()) {
    const key = { session, agent }
    if (isAlive || !(await runFiles.claim(key, draft))) continue
    try {
      const at = new Date(clock.nowMs()).toISOString()
      // A draft is free of secrets (AgentRunFiles).
      if (draft !== '' && !(await isStored(sessions, key, draft)))
        await sessions.append(key, [{ role: 'agent', text: draft, at }])
      await sessions.append(key, [
        {
          role: 'system',
          text: 'The run was interrupted: its process died.',
          internal: true,
          at,
        },
      ])
    } finally {
      await runFiles.release(key)
    }
  }
}

/**
 * The same sessions, with the draft of a killed run added before anything is read. A read-only memory is read without it.
 */
export function withRecoveredRuns(
  sessions: SessionFiles,
  runFiles: AgentRunFiles,
  clock: Clock,
): SessionFiles {
  const recovered =
    <Given extends unknown[], Answer>(read: (...given: Given) => Promise<Answer>) =>
    async (...given: Given): Promise<Answer> => {
      try {
        await recoverRuns(sessions, runFiles, clock)
      } catch (error) {
        if (!(error instanceof CairnError)) throw error
      }
      return read(...given)
    }
  return {
    ...sessions,
    conversationsOf: recovered(sessions.conversationsOf),
    read: recovered(sessions.read),
    readEnd: recovered(sessions.readEnd),
    list: recovered(sessions.list),
    unclosed: recovered(sessions.unclosed),
  }
}

/** The process died between storing the message and removing the draft. */
async function isStored(sessions: SessionFiles, key: SessionKey, draft: string): Promise<boolean> {
  const end = await sessions.readEnd(key, 1)
  return end?.messages.at(-1)?.text.trim() === draft.trim()
}
