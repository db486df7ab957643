import type { BriefSources, Engine } from './engine-parts.ts'
import { CairnError } from './model/errors.ts'
import type { Finding } from './model/finding.ts'
import type { Marks } from './model/selection.ts'
import type { SessionKey } from './model/session.ts'
import type { BridgeCache, BridgedConversation } from './pipeline/brief/bridge-cache.ts'
import { fittingSummaries } from './pipeline/brief/fitting-summaries.ts'
import type { Finding as Told } from './pipeline/brief/prompt-brief.ts'
import type { Disk } from './system/disk.ts'
import type { MemoryPaths } from './system/paths.ts'
import { fingerprint } from './text/fingerprint.ts'

/** Looked through for those that fit a prompt. */
const RECENT_SESSIONS = 20
/** How far back the other agents' conversations are read for a prompt. */
const BRIDGED_MESSAGES = 60
const RECOVERED_MESSAGES = 3
/** Such an id is its own file name: the code that makes one of any other is not loaded for it. */
const PLAIN_ID = /^[a-z0-9][a-z0-9._-]{0,79}$/

/**
 * What a brief is made of beside entries. A prompt waits for this: a question that a look into a folder can answer with no is
 * answered so, and only then is more code loaded.
 */
export function composeSources({
  talks: { talksOf, hasCheckpoints },
  engine,
  bridged,
  preferences,
  marks,
}: {
  readonly talks: Talks
  readonly engine: () => Engine
  readonly bridged: BridgeCache
  readonly preferences: BriefSources['preferences']
  readonly marks: readonly BriefSources['marks'][]
}): BriefSources {
  /** What is found is free of secrets: it is kept in the index. */
  const readTalk = async ({ name, stamp, key }: Talk): Promise<BridgedConversation> => {
    const { distil } = await import('./pipeline/distill/distil.ts')
    const { redactionOptions } = await import('./text/redaction/redaction-options.ts')
    const end = await engine().sessions.readEnd(key, BRIDGED_MESSAGES)
    if (end === undefined) return { name, stamp, findings: [] }
    const redaction = redactionOptions(await engine().config())
    // Suggestions are never injected: only what the person asked for, and the rules they stated.
    const stated = distil(end.messages, { redaction }).findings.filter(
      ({ wanted, standing, quarantine }) => (wanted ?? standing) === true && quarantine === undefined,
    )
    return { name, stamp, findings: stated.map(finding => told(finding, end.head, end.activeAt)) }
  }

  return {
    preferences,

    async contextBridge(session, agent, isTimeUp) {
      const talks = await talksOf(session, agent)
      if (talks.length === 0) return []
      const known = await bridged.find(talks.map(({ name }) => name))
      const read: BridgedConversation[] = []
      const findings: Told[] = []
      for (const talk of talks) {
        let own = known.find(({ name, stamp }) => name === talk.name && stamp === talk.stamp)
        if (own === undefined) {
          if (isTimeUp()) continue
          own = await readTalk(talk)
          read.push(own)
        }
        findings.push(...own.findings)
      }
      if (read.length > 0) await keepFor(bridged, read)
      return findings.filter(finding => finding.agent !== agent)
    },

    async sessionSummaries(agent, prompt) {
      const recent = await engine().findings.summaries({
        limit: RECENT_SESSIONS,
        ...(agent !== '' && { agent }),
      })
      if (recent.length === 0) return []
      const { summaryTeller } = await import('./sessions/told-summaries.ts')
      const { told, problems } = await summaryTeller(engine())
      for (const { code, message } of problems) engine().semantics.note({ code, message })
      const tellable = recent.filter(each => told(each) !== '')
      return fittingSummaries(prompt, tellable).map(({ session, agent: by, summary, finalizedAt }) => ({
        id: `session:${session}`,
        text: summary,
        kind: 'session',
        date: new Date(finalizedAt).toISOString().slice(0, 16),
        agent: by,
      }))
    },

    async recovery(agent, session) {
      if (!(await hasCheckpoints())) return []
      const { recoverSession } = await import('./sessions/sessions.ts')
      const { checkpoint } = await recoverSession(engine(), agent)
      if (checkpoint === undefined || checkpoint.sessionId === session) return []
      if (await wasClosed(engine(), checkpoint.sessionId)) return []
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

/** What a prompt asks first of the conversations: whether there is anything to read at all. */
export interface Talks {
  /** The conversations of a session but that of this agent. */
  talksOf(session: string, agent: string): Promise<readonly Talk[]>
  hasCheckpoints(): Promise<boolean>
}

/** One conversation of a session. It says the same as long as it has the same stamp. */
export interface Talk {
  readonly name: string
  readonly stamp: string
  readonly key: SessionKey
}

/** The next prompt is spared the work. Where the index cannot be written it is done again. */
async function keepFor(cache: BridgeCache, read: readonly BridgedConversation[]): Promise<void> {
  try {
    await cache.keep(read)
  } catch (error) {
    if (!(error instanceof CairnError)) throw error
  }
}

/** A memory that cannot be read says nothing about how its session ended: its last messages are better than nothing. */
async function wasClosed({ sessions }: Engine, session: string): Promise<boolean> {
  try {
    return (await sessions.findMemory(session)) !== undefined
  } catch (error) {
    if (error instanceof CairnError && error.code === 'document_damaged') return false
    throw error
  }
}

function told(finding: Finding, head: SessionKey, activeAt: string): Told {
  return {
    id: `f${fingerprint(`${head.session} ${finding.fingerprint}`)}`,
    text: finding.text,
    kind: finding.kind,
    date: activeAt.slice(0, 16),
    agent: head.agent,
  }
}

/** By a look into folders: most prompts end there. */
export function folderTalks({
  paths,
  disk,
  fileNameOf,
}: {
  readonly paths: MemoryPaths
  readonly disk: Disk
  readonly fileNameOf: (session: string) => Promise<string>
}): Talks {
  return {
    async talksOf(session, agent) {
      const folders = (disk.listFolder(`${paths.memory}/conversations`) ?? []).flatMap(item =>
        item.isDirectory() && item.name !== agent ? [item.name] : [],
      )
      if (folders.length === 0) return []
      const file = PLAIN_ID.test(session) ? session : await fileNameOf(session)
      return folders.flatMap(folder => {
        const name = `${folder}/${file}`
        const stamps = ['jsonl', 'json'].map(ending => {
          const stamp = disk.stamp(`${paths.memory}/conversations/${name}.${ending}`)
          return stamp && `${stamp.size}-${stamp.mtimeMs}-${stamp.inode}`
        })
        return stamps.every(stamp => stamp === undefined)
          ? []
          : [{ name, stamp: stamps.join(' '), key: { session, agent: folder } }]
      })
    },
    hasCheckpoints: async () => (disk.listFolder(`${paths.vaultData}/checkpoints`) ?? []).length > 0,
  }
}
