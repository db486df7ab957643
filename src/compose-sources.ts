import type { BriefSources, Engine } from './engine-parts.ts'
import type { Finding } from './model/finding.ts'
import type { Marks } from './model/selection.ts'
import { fittingSummaries } from './pipeline/brief/fitting-summaries.ts'
import type { Disk } from './system/disk.ts'
import type { MemoryPaths } from './system/paths.ts'
import { fingerprint } from './text/fingerprint.ts'

/** Looked through for those that fit a prompt. */
const RECENT_SESSIONS = 20
/** How far back the other agents' conversations are read with every prompt. */
const BRIDGED_MESSAGES = 120
const RECOVERED_MESSAGES = 3
/** Such an id is its own file name (backends/files/session-names.ts); for any other the full look is taken. */
const PLAIN_ID = /^[a-z0-9][a-z0-9._-]{0,79}$/

/**
 * What a brief is made of beside entries. A prompt waits for this: a question that a look into a folder can answer with no is
 * answered so, and only then is more code loaded.
 */
export function composeSources({
  paths,
  disk,
  engine,
  marks,
}: {
  readonly paths: MemoryPaths
  readonly disk: Disk
  readonly engine: () => Engine
  readonly marks: readonly BriefSources['marks'][]
}): BriefSources {
  const agentsTalking = (): readonly string[] =>
    (disk.listFolder(`${paths.memory}/conversations`) ?? []).flatMap(folder =>
      folder.isDirectory() ? [folder.name] : [],
    )

  const mayHaveOthers = (session: string, agent: string): boolean => {
    const others = agentsTalking().filter(name => name !== agent)
    if (!PLAIN_ID.test(session)) return others.length > 0
    return others.some(name =>
      ['jsonl', 'json'].some(
        ending => disk.stamp(`${paths.memory}/conversations/${name}/${session}.${ending}`) !== undefined,
      ),
    )
  }

  return {
    async contextBridge(session, agent) {
      if (!mayHaveOthers(session, agent)) return []
      const { distil } = await import('./pipeline/distill/distil.ts')
      const heads = await engine().sessions.conversationsOf(session)
      const told = []
      for (const head of heads) {
        if (head.agent === agent) continue
        const end = await engine().sessions.readEnd(head, BRIDGED_MESSAGES)
        if (end === undefined) continue
        const { findings } = distil(end.messages, { messagesPerFinding: 2 })
        told.push(...findings.map(finding => bridged(finding, head, end.activeAt)))
      }
      return told
    },

    async sessionSummaries(agent, prompt) {
      const recent = await engine().findings.summaries({
        limit: RECENT_SESSIONS,
        ...(agent !== '' && { agent }),
      })
      return fittingSummaries(prompt, recent).map(({ session, agent: by, summary, finalizedAt }) => ({
        id: `session:${session}`,
        text: summary,
        kind: 'session',
        date: new Date(finalizedAt).toISOString().slice(0, 16),
        agent: by,
      }))
    },

    async recovery(agent, session) {
      const saved = disk.listFolder(`${paths.vaultData}/checkpoints`) ?? []
      if (saved.length === 0) return []
      const { recoverSession } = await import('./sessions/sessions.ts')
      const { checkpoint } = await recoverSession(engine(), agent)
      if (checkpoint === undefined || checkpoint.sessionId === session) return []
      const closed = await engine().sessions.findMemory(checkpoint.sessionId)
      if (closed !== undefined) return []
      return checkpoint.messages.slice(-RECOVERED_MESSAGES).map(({ role, text }) => ({ role, text }))
    },

    async marks(ids, reader) {
      const joined = new Map<string, Marks>()
      for (const source of marks) {
        for (const [id, found] of await source(ids, reader)) joined.set(id, { ...joined.get(id), ...found })
      }
      return joined
    },
  }
}

function bridged(finding: Finding, head: { session: string; agent: string }, activeAt: string) {
  return {
    id: `f${fingerprint(`${head.session} ${finding.fingerprint}`)}`,
    text: finding.text,
    kind: finding.kind,
    date: activeAt.slice(0, 16),
    agent: head.agent,
  }
}
