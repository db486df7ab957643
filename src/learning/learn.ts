import type { Engine } from '../engine-parts.ts'
import type { Degradation } from '../model/search.ts'
import type { Conversation, SessionFinding, SessionMemory } from '../model/session.ts'
import {
  type PromotionOutcome,
  planPromotions,
  REFINED_AWAY,
  type Weighed,
} from '../pipeline/promote/plan-promotion.ts'
import type { PromotionDecision } from '../pipeline/promote/score-finding.ts'
import { eventIds } from '../sessions/session-ids.ts'
import { storedUnder } from '../sessions/sub-agents.ts'
import { fingerprint } from '../text/fingerprint.ts'
import { redactionOptions } from '../text/redaction/redaction-options.ts'
import { ancestorsOf, type FoundByAgent, gatherEvidence, readSessions } from './evidence.ts'
import { type Promotion, tryOut, writePromotion } from './promoting.ts'
import { withoutUserEchoes } from './user-echoes.ts'

export interface Learning {
  readonly session: string
  readonly conversations: readonly Conversation[]
  readonly found: readonly FoundByAgent[]
  /** What was learnt of it before. */
  readonly known: SessionMemory | undefined
  /** Says what would be learnt, and changes nothing. */
  readonly isTrial: boolean
  readonly refinement?: SessionRefinement
  /** The other sessions were read in a moment ago. */
  readonly knowsOthers?: boolean
  /** The import that it came with. */
  readonly batch?: string
}

/** What a model made of the findings of an earlier closing, by their fingerprints. */
export interface SessionRefinement {
  readonly by: string
  /** Taken out again where nobody has touched it. */
  readonly dropped: ReadonlySet<string>
  /** What a finding is now → what it was. */
  readonly rewrittenFrom: ReadonlyMap<string, string>
}

export interface Learnt {
  readonly findings: readonly SessionFinding[]
  /** Entries that it brought in, those that it strengthened, and those that a model had better words for. */
  readonly added: readonly string[]
  readonly strengthened: readonly string[]
  readonly replaced: readonly string[]
  readonly handoffs: readonly string[]
  readonly summary: string
  /** What `undo` takes back; null: nothing was changed. */
  readonly record: string | null
}

/** findings ▶ evidence ▶ promotion ▶ one mutation (entries, handoff) ▶ sessions/{session}.memory.json ▶ an event */
export async function learn(engine: Engine, learning: Learning): Promise<Learnt> {
  const { session, conversations, known, isTrial, refinement } = learning
  const config = await engine.config()
  const activeAt =
    conversations
      .map(each => each.activeAt)
      .sort()
      .at(-1) ?? ''
  // To the millisecond: of sessions that end in the same minute the last one is the last.
  const date = new Date(
    Math.min(engine.clock.nowMs(), Date.parse(activeAt) || engine.clock.nowMs()),
  ).toISOString()
  const parent = conversations.find(({ head }) => head.parent !== undefined)?.head.parent
  const ancestors = await ancestorsOf(engine, parent)
  const told = await toldIn(engine, [session, ...ancestors])
  const found = await withoutUserEchoes(engine, learning.found, { told, date: date.slice(0, 16) })
  const weighed = await gatherEvidence(engine, {
    session,
    root: ancestors.at(-1) ?? session,
    found,
    earlierOf: print => earlierOf(print, known, refinement),
    told,
    date: date.slice(0, 16),
    ...(learning.knowsOthers === true && { knowsOthers: true }),
  })
  // After the entries were looked at: what another process has strengthened since is seen by its change.
  const touched = await touchedBy(engine, session)
  const judged = weighed.map(each =>
    each.entry !== undefined && touched.has(each.entry.id) ? { ...each, isOwn: true } : each,
  )
  const outcomes = planPromotions(judged, { session, preset: config['promotion.preset'] })
  const gone = (known?.findings ?? []).filter(
    finding => refinement?.dropped.has(finding.fingerprint) === true,
  )
  const promotion: Promotion = {
    ...{ session, conversations, weighed: judged, outcomes, date, gone },
    ...(learning.batch !== undefined && { batch: learning.batch }),
  }
  const written = isTrial ? tryOut(promotion) : await writePromotion(engine, promotion)
  const { composeSummary } = await import('../pipeline/distill/handoff.ts')
  const findings = [
    ...weighed.map((each, at) =>
      sessionFinding(
        { ...each, agent: storedUnder(each.agent, conversations) },
        outcomes[at] as PromotionOutcome,
        {
          session,
          entryId: written.idByFinding.get(at),
        },
      ),
    ),
    ...leftBefore(known, weighed, refinement),
  ]
  const memory: SessionMemory = {
    version: 1,
    sessionId: session,
    ...(parent !== undefined && { parentSessionId: parent }),
    agentId: conversations[0]?.head.agent ?? '',
    findings,
    summary: composeSummary(
      conversations.flatMap(({ messages }) => messages),
      findings.length,
    ),
    createdAt: Math.min(...conversations.map(({ head }) => Date.parse(head.startedAt))),
    finalizedAt: engine.clock.nowMs(),
    ...(refinement !== undefined && { refinedBy: refinement.by }),
    distilled: Object.fromEntries(
      conversations.map(({ head, messages, trimmed }) => [head.agent, messages.length + trimmed]),
    ),
  }
  if (!isTrial) {
    // The memory comes last: with it the session counts as closed, and nobody would make up for what is missing.
    await recordEvents(engine, memory, conversations)
    await engine.sessions.saveMemory(memory)
    await readSessions(engine, memory.sessionId)
  }
  return {
    findings,
    added: written.added,
    strengthened: written.strengthened,
    replaced: written.replaced,
    handoffs: written.handoffs,
    summary: memory.summary,
    record: written.record,
  }
}

/** What an earlier closing made of a finding, under the words that it had then. */
function earlierOf(
  print: string,
  known: SessionMemory | undefined,
  refinement: SessionRefinement | undefined,
): SessionFinding | undefined {
  const before = refinement?.rewrittenFrom.get(print) ?? print
  return known?.findings.find(finding => finding.fingerprint === before)
}

/** What was in the context of a session and of those that it was forked from. */
async function toldIn(engine: Engine, sessions: readonly string[]): Promise<ReadonlySet<string>> {
  const { sessionKeyOf } = await import('../brief.ts')
  const told = new Set<string>()
  for (const session of sessions)
    for (const id of await engine.briefs.sentIn(sessionKeyOf(session))) told.add(id)
  return told
}

/** How far back a closing that broke off is looked for. */
const RECENT_RECORDS = 200

async function touchedBy(engine: Engine, session: string): Promise<ReadonlySet<string>> {
  const touched = new Set<string>()
  for await (const { action, by, changes } of engine.store.readJournal({ limit: RECENT_RECORDS })) {
    if (action !== 'finalize' || by.session !== session) continue
    for (const change of changes) {
      if (change.type === 'entry' && change.after !== null) touched.add(change.after.id)
    }
  }
  return touched
}

export interface Found {
  readonly found: readonly FoundByAgent[]
  /** What was not taken, or not whole. */
  readonly notes: readonly Degradation[]
}

/** By rules alone; what tool runs tell, too. */
export async function findAll(engine: Engine, conversations: readonly Conversation[]): Promise<Found> {
  const { distil } = await import('../pipeline/distill/distil.ts')
  const { findFixes } = await import('../pipeline/distill/tool-runs.ts')
  const config = await engine.config()
  let leftOut = 0
  let shortened = 0
  const found = conversations.flatMap(({ head, messages, trimmed }) => {
    const { findings, skipped } = distil(messages, { redaction: redactionOptions(config) })
    leftOut += skipped.filter(({ reason }) => reason === 'over the cap').length
    shortened += skipped.filter(({ reason }) => reason === 'shortened').length
    const all = [...findings, ...findFixes(messages)]
    return all
      .filter(finding => config['memory.auto'] || finding.wanted === true)
      .map(finding => ({ agent: head.agent, finding: { ...finding, message: finding.message + trimmed } }))
  })
  const notes: Degradation[] = []
  if (leftOut > 0)
    notes.push({
      code: 'findings_left_out',
      message: `${leftOut} more findings were left out: only the best of a conversation are kept.`,
    })
  if (shortened > 0)
    notes.push({
      code: 'findings_shortened',
      message: `${shortened} of what you asked to remember is longer than an entry may be, and was cut.`,
    })
  return { found, notes }
}

function sessionFinding(
  { finding, agent }: Weighed,
  outcome: PromotionOutcome,
  { session, entryId }: { session: string; entryId: string | undefined },
): SessionFinding {
  if (outcome.kind === 'settled') return outcome.earlier
  const decision: PromotionDecision | undefined = 'decision' in outcome ? outcome.decision : undefined
  const rejectedBy =
    outcome.kind === 'rejected'
      ? 'rejected_before'
      : outcome.kind === 'wait' && decision?.promote === false
        ? decision.rejectedBy.code
        : undefined
  return {
    id: `f${fingerprint(`${session} ${finding.fingerprint}`)}`,
    fingerprint: finding.fingerprint,
    content: finding.text,
    category: finding.kind,
    importance: finding.importance,
    confidence: finding.confidence,
    ...(finding.files.length > 0 && { filePaths: finding.files }),
    ...(finding.tags.length > 0 && { tags: finding.tags }),
    promotedToProjectMemory: entryId !== undefined,
    ...(entryId !== undefined && { promotedEntryId: entryId }),
    file: finding.category,
    agent,
    speaker: finding.speaker,
    message: finding.message,
    signals: decision?.signals.map(({ name }) => name) ?? [],
    ...(rejectedBy !== undefined && { rejectedBy }),
  }
}

/** What an earlier closing found and this one did not look at again: its messages are in the archive by now. */
function leftBefore(
  known: SessionMemory | undefined,
  weighed: readonly Weighed[],
  refinement: SessionRefinement | undefined,
): SessionFinding[] {
  const again = new Set([
    ...weighed.map(({ finding }) => finding.fingerprint),
    ...(refinement?.rewrittenFrom.values() ?? []),
  ])
  return (known?.findings ?? [])
    .filter(finding => !again.has(finding.fingerprint))
    .map(finding => (refinement?.dropped.has(finding.fingerprint) === true ? letGo(finding) : finding))
}

/** A model saw nothing in it: no longer proposed, and kept with its session. */
function letGo({ promotedEntryId: _, ...finding }: SessionFinding): SessionFinding {
  return { ...finding, promotedToProjectMemory: false, rejectedBy: REFINED_AWAY }
}

/** One for each agent that found something. */
async function recordEvents(
  engine: Engine,
  memory: SessionMemory,
  conversations: readonly Conversation[],
): Promise<void> {
  const { eventOfSession } = await import('../pipeline/capture/session-event.ts')
  const config = await engine.config()
  const newId = eventIds(engine)
  const events = conversations.flatMap(({ head, activeAt, messages }) => {
    const findings = memory.findings.filter(finding => finding.agent === head.agent)
    if (findings.length === 0) return []
    return [
      eventOfSession({
        key: head,
        summary: memory.summary,
        findings: findings.map(({ content, category, filePaths = [] }) => ({
          text: content,
          kind: category,
          files: filePaths,
        })),
        runs: messages.flatMap(({ run }) => run ?? []),
        at: activeAt,
        newId,
        ...(head.source !== undefined && { sourceId: head.source }),
        redaction: redactionOptions(config),
      }),
    ]
  })
  if (events.length > 0) await engine.events.append(events)
}
