import type { Memory } from '../../kernel/memory.ts'
import type { Entry } from '../../kernel/model/entry.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { Finding, SessionFinding, SessionMemory } from '../../kernel/model/session.ts'
import { rejectionsIn } from '../entries/decide/curation.ts'
import type { MeaningPorts } from '../search/decide/ports.ts'
import type { SessionPorts } from '../sessions/decide/ports.ts'
import { isJudged, MAX_WAITING, type Weighed } from './decide/plan-promotion.ts'
import type { KnownFinding, LearningPorts } from './decide/ports.ts'
import { PROMOTION_PRESETS, pointsOf } from './decide/score-finding.ts'

/** How many sessions with the same words are checked. */
const MAX_SAME = 20

export interface FoundByAgent {
  readonly agent: string
  readonly finding: Finding
}

interface EvidenceInput {
  readonly session: string
  /** The session at the root of its forks, or the session itself. */
  readonly root: string
  readonly found: readonly FoundByAgent[]
  /** The result of an earlier closing of this session for a finding. */
  readonly earlierOf: (fingerprint: string) => SessionFinding | undefined
  /** The other sessions were read a moment ago. */
  readonly knowsOthers?: boolean
}

/** The evidence for each finding, by its exact words: other sessions, an entry, a person's rejection. */
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
    // A fork repeats its origin, so it is not evidence of its own.
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

/** The existing entry that was made of the same words. */
async function entryOf(memory: Memory, same: readonly KnownFinding[]): Promise<Entry | undefined> {
  for (const { promotedEntryId } of same) {
    const entry = promotedEntryId === undefined ? undefined : await memory.store.findEntry(promotedEntryId)
    if (entry !== undefined) return entry
  }
  return undefined
}

/** Reads new and changed files of `sessions/` into the index, and removes deleted ones. `only`: updates one session. */
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

/** A damaged file is reported, and the others are read. */
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

/** A longer chain is a cycle. */
const MAX_FORKS = 100

/** The sessions that this one was forked from, parent first. Archived sessions are known by their findings. */
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

/** More than a project stores: older sessions are moved to the archive. */
const MAX_READ = 5_000

interface FindingQueue {
  /** Strong suggestions first, then newest first; at most `MAX_WAITING` after a closing. */
  readonly waiting: readonly KnownFinding[]
  /** Hidden by default, newest first. */
  readonly archived: readonly KnownFinding[]
}

/** Open findings, one for each text. A text that is an entry or was rejected is in neither list. */
export async function findingQueue(memory: Memory & LearningPorts, agent?: string): Promise<FindingQueue> {
  const { waiting, archived } = await openFindings(memory, agent)
  const { minPoints } = PROMOTION_PRESETS[(await memory.config())['promotion.preset']]
  const shown = waiting.slice(0, MAX_WAITING)
  const rank = ({ signals = [] }: KnownFinding) => (pointsOf(signals) >= minPoints ? 0 : 1)
  return {
    waiting: shown.sort((a, b) => rank(a) - rank(b) || b.finalizedAt - a.finalizedAt),
    archived: [...waiting.slice(MAX_WAITING), ...archived],
  }
}

/** Waiting findings: most points first, then newest first. */
async function openFindings(memory: Memory & LearningPorts, agent?: string) {
  const rejected = new Set(
    rejectionsIn(await memory.store.readDocument('curation.json')).map(each => each.fingerprint),
  )
  const { findings } = await memory.findings.pending({ limit: MAX_READ, offset: 0 })
  const open = findings.filter(
    finding =>
      !rejected.has(finding.fingerprint) &&
      (agent === undefined || finding.agent === agent) &&
      !isJudged(finding),
  )
  const seen = new Set<string>()
  const waiting: KnownFinding[] = []
  const archived: KnownFinding[] = []
  // A visible finding is not listed as archived too.
  for (const finding of [...open].sort((a, b) => Number(isHidden(a)) - Number(isHidden(b)))) {
    if (seen.has(finding.fingerprint)) continue
    seen.add(finding.fingerprint)
    if (await isEntry(memory, finding)) continue
    if (isHidden(finding)) archived.push(finding)
    else waiting.push(finding)
  }
  const points = ({ signals = [] }: KnownFinding) => pointsOf(signals)
  return { waiting: waiting.sort((a, b) => points(b) - points(a) || b.finalizedAt - a.finalizedAt), archived }
}

function isHidden({ archived }: KnownFinding): boolean {
  return archived !== undefined
}

/** The same words of another session are an entry: accepting one settles all. */
async function isEntry(memory: Memory & LearningPorts, { fingerprint }: KnownFinding): Promise<boolean> {
  for (const { promotedEntryId } of await memory.findings.findSame(fingerprint, MAX_SAME))
    if (promotedEntryId !== undefined && (await memory.store.findEntry(promotedEntryId)) !== undefined)
      return true
  return false
}

/** Archives findings over the cap of the project: fewest points first, oldest first. */
export async function archiveOverCap(
  memory: Memory & MeaningPorts & SessionPorts & LearningPorts,
): Promise<void> {
  const { waiting } = await openFindings(memory)
  const over = waiting.slice(MAX_WAITING)
  for (const session of new Set(over.map(finding => finding.session))) {
    const ids = new Set(over.filter(finding => finding.session === session).map(({ id }) => id))
    await changeFindings(memory, session, finding =>
      ids.has(finding.id) ? { ...finding, archived: 'project_cap' } : finding,
    )
  }
}

/** Rewrites findings in the file of their session. */
export async function changeFindings(
  engine: MeaningPorts & SessionPorts & LearningPorts,
  session: string,
  change: (finding: SessionFinding) => SessionFinding,
): Promise<void> {
  const memory = await readableMemory(engine, session)
  if (memory === undefined) return
  await engine.sessions.saveMemory({ ...memory, findings: memory.findings.map(change) })
  await readSessions(engine, session)
}
