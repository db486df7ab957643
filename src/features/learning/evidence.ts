import type { Memory } from '../../kernel/memory.ts'
import type { Entry } from '../../kernel/model/entry.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { Finding, SessionFinding, SessionMemory } from '../../kernel/model/session.ts'
import { rejectionsIn } from '../entries/decide/rejections.ts'
import type { MeaningPorts } from '../search/decide/ports.ts'
import type { SessionPorts } from '../sessions/decide/ports.ts'
import type { KnownFinding } from './decide/finding-index.ts'
import type { Weighed } from './decide/plan-promotion.ts'
import type { LearningPorts } from './decide/ports.ts'

/** So many sessions with the same words are looked at. */
const MAX_SAME = 20

export interface FoundByAgent {
  readonly agent: string
  readonly finding: Finding
}

export interface EvidenceInput {
  readonly session: string
  /** The first of the sessions that it was forked from, or itself. */
  readonly root: string
  readonly found: readonly FoundByAgent[]
  /** What an earlier closing of this session made of a finding. */
  readonly earlierOf: (fingerprint: string) => SessionFinding | undefined
  /** The other sessions were read in a moment ago. */
  readonly knowsOthers?: boolean
}

/** What else is known about each finding, by its exact words: other sessions, an entry, a person's rejection. */
export async function gatherEvidence(
  memory: Memory & MeaningPorts & SessionPorts & LearningPorts,
  input: EvidenceInput,
): Promise<Weighed[]> {
  if (input.knowsOthers !== true) await readSessions(memory)
  const rejected = new Set(
    rejectionsIn(await memory.store.readDocument('curation.json')).map(({ fingerprint }) => fingerprint),
  )
  const weighed: Weighed[] = []
  for (const { agent, finding } of input.found) {
    const same = await memory.findings.findSame(finding.fingerprint, MAX_SAME)
    // A fork repeats what its origin said: it is no evidence of its own.
    const others = same.filter(({ root }) => root !== input.root)
    const here = input.found.filter(each => each.finding.fingerprint === finding.fingerprint)
    const earlier = input.earlierOf(finding.fingerprint)
    const entry = await entryOf(memory, same)
    weighed.push({
      finding,
      agent,
      sessions: new Set([input.session, ...others.map(({ root }) => root)]).size,
      agents: new Set([...here.map(each => each.agent), ...others.map(each => each.agent)]).size,
      wasRejected: rejected.has(finding.fingerprint),
      ...(earlier !== undefined && { earlier }),
      ...(entry !== undefined && { entry }),
    })
  }
  return weighed
}

/** The entry that the same words became before, while it is there. */
async function entryOf(memory: Memory, same: readonly KnownFinding[]): Promise<Entry | undefined> {
  for (const { promotedEntryId } of same) {
    const entry = promotedEntryId === undefined ? undefined : await memory.store.findEntry(promotedEntryId)
    if (entry !== undefined) return entry
  }
  return undefined
}

/** Takes in what stands in `sessions/` and was not read yet, and forgets what is no longer there. `only`: looks at one session alone. */
export async function readSessions(
  engine: MeaningPorts & SessionPorts & LearningPorts,
  only?: string,
): Promise<void> {
  const known = only === undefined ? await engine.findings.stamps() : new Map<string, string>()
  const there = await engine.sessions.memoryStamps(only)
  const gone = new Set(known.keys())
  const fresh: { memory: SessionMemory; stamp: string }[] = []
  for (const { session, stamp } of there) {
    gone.delete(session)
    if (known.get(session) === stamp) continue
    const memory = await readableMemory(engine, session)
    if (memory !== undefined) fresh.push({ memory, stamp })
  }
  for (const { memory, stamp } of fresh) {
    const ancestors = await ancestorsOf(engine, memory.parentSessionId)
    await engine.findings.put({ memory, stamp, root: ancestors.at(-1) ?? memory.sessionId })
  }
  if (gone.size > 0) await engine.findings.drop([...gone])
}

/** A damaged one is told, and the others are read. */
export async function readableMemory(
  memory: MeaningPorts & SessionPorts,
  session: string,
): Promise<SessionMemory | undefined> {
  try {
    return await memory.sessions.findMemory(session)
  } catch (error) {
    if (!(error instanceof CairnError)) throw error
    memory.semantics.note({ code: error.code, message: error.message })
    return undefined
  }
}

/** More is no lineage but a ring. */
const MAX_FORKS = 100

/** The sessions that one was forked from, its parent first. What is in the archive by now is known by its findings. */
export async function ancestorsOf(
  memory: SessionPorts & LearningPorts,
  parent: string | undefined,
): Promise<readonly string[]> {
  const ancestors: string[] = []
  for (let next = parent; next !== undefined && ancestors.length < MAX_FORKS; ) {
    if (ancestors.includes(next)) break
    ancestors.push(next)
    const heads = await memory.sessions.conversationsOf(next)
    const before: string | undefined = heads.find(head => head.parent !== undefined)?.parent
    const root = heads.length > 0 ? undefined : await memory.findings.rootOf(next)
    next = before ?? (root === next ? undefined : root)
  }
  return ancestors
}
