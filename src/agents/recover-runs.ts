import type { Engine } from '../engine-parts.ts'
import type { SessionKey } from '../model/session.ts'
import type { AgentRunFiles } from '../pipeline/agents/agent-pipeline.ts'
import { appendMessages } from '../sessions/sessions.ts'

/** A process that was killed over a run left what had been said until then: it goes where the rest of the answer is. */
export async function recoverRuns(engine: Engine, runFiles: AgentRunFiles): Promise<void> {
  for (const { session, agent, draft, isAlive } of await runFiles.list()) {
    const key = { session, agent }
    if (isAlive || !(await runFiles.claim(key, draft))) continue
    try {
      if (draft !== '' && !(await isKept(engine, key, draft)))
        await appendMessages(engine, key, [{ role: 'agent', text: draft }])
      await noteEnd(engine, key, 'The run broke off: the process that it ran in was gone.')
    } finally {
      await runFiles.release(key)
    }
  }
}

/** For whoever reads the conversation; nothing that was said. */
export async function noteEnd(engine: Engine, key: SessionKey, text: string): Promise<void> {
  await appendMessages(engine, key, [{ role: 'system', text, internal: true }])
}

/** It died between keeping the message and forgetting the draft. */
async function isKept(engine: Engine, key: SessionKey, draft: string): Promise<boolean> {
  const end = await engine.sessions.readEnd(key, 1)
  return end?.messages.at(-1)?.text.trim() === draft.trim()
}
