import type { Memory } from '../../kernel/memory.ts'
import type { SessionFinding } from '../../kernel/model/session.ts'
import { rejectionsIn } from '../entries/decide/curation.ts'
import type { MeaningPorts } from '../search/decide/ports.ts'
import type { SessionPorts } from '../sessions/decide/ports.ts'
import type { KnownFinding } from './decide/finding-index.ts'
import { isJudged, MAX_WAITING } from './decide/plan-promotion.ts'
import type { LearningPorts } from './decide/ports.ts'
import { PROMOTION_PRESETS, pointsOf } from './decide/score-finding.ts'
import { readableMemory, readSessions } from './evidence.ts'

/** More than a project stores: older sessions go to the archive. */
const MAX_READ = 5_000
const MAX_SAME = 20

export interface FindingQueue {
  /** Strong suggestions first, then newest first; at most `MAX_WAITING` after a closing. */
  readonly waiting: readonly KnownFinding[]
  /** Not shown by default, newest first. */
  readonly archived: readonly KnownFinding[]
}

/** Findings that nobody has judged, one for each text. A text that is an entry already, or was rejected, is in neither list. */
export async function findingQueue(memory: Memory & LearningPorts, agent?: string): Promise<FindingQueue> {
  const { waiting, archived } = await openFindings(memory, agent)
  const { leastPoints } = PROMOTION_PRESETS[(await memory.config())['promotion.preset']]
  const shown = waiting.slice(0, MAX_WAITING)
  const rank = ({ signals = [] }: KnownFinding) => (pointsOf(signals) >= leastPoints ? 0 : 1)
  return {
    waiting: shown.sort((a, b) => rank(a) - rank(b) || b.finalizedAt - a.finalizedAt),
    archived: [...waiting.slice(MAX_WAITING), ...archived],
  }
}

/** Waiting: most points first, then newest first. */
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
  // What is shown anywhere is not also archived.
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

/** The same words of another session are an entry: accepting one answers for all. */
async function isEntry(memory: Memory & LearningPorts, { fingerprint }: KnownFinding): Promise<boolean> {
  for (const { promotedEntryId } of await memory.findings.findSame(fingerprint, MAX_SAME))
    if (promotedEntryId !== undefined && (await memory.store.findEntry(promotedEntryId)) !== undefined)
      return true
  return false
}

/** Marks those over the cap of the project: with the fewest points, the oldest first. */
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

/** Rewrites the findings in the file of a session. */
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
