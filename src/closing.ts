import type { Engine } from './engine-parts.ts'
import { type FoundByAgent, gatherEvidence, readSessions } from './evidence.ts'
import type { Degradation, Problem } from './model/search.ts'
import type { Conversation, SessionFinding, SessionMemory } from './model/session.ts'
import { type PromotionOutcome, planPromotions, type Weighed } from './pipeline/promote/plan-promotion.ts'
import type { PromotionDecision } from './pipeline/promote/score-finding.ts'
import { type Promotion, tryOut, writePromotion } from './promoting.ts'
import { eventIds, sessionNotFound } from './session-ids.ts'
import { checkpointSession } from './sessions.ts'
import { fingerprint } from './text/fingerprint.ts'
import { redactionOptions } from './text/redaction/redaction-options.ts'

/** Messages may come in while a session is closed: it is then closed again with them, and no more often than this. */
const MOST_ROUNDS = 3

export interface ClosedSession {
  readonly session: string
  readonly agents: readonly string[]
  readonly messages: number
  /** Nothing was added since it was closed before: nothing was done. */
  readonly wasClosed: boolean
  readonly findings: readonly SessionFinding[]
  /** Entries that it brought in, and those that it strengthened. */
  readonly added: readonly string[]
  readonly strengthened: readonly string[]
  readonly handoffs: readonly string[]
  readonly summary: string
  readonly problems: readonly Problem[]
  readonly degraded: readonly Degradation[]
}

export interface CloseOptions {
  /** Says what would become of it, and changes nothing. */
  readonly isTrial?: boolean
}

/**
 * What a session leaves behind:
 *
 *   conversations ▶ last checkpoint ▶ findings ▶ evidence ▶ promotion ▶ one mutation (entries, handoff)
 *                 ▶ sessions/{session}.memory.json ▶ an event ▶ conversations/{agent}/{session}.json
 *
 * Every step may be the last one of this process: closing again goes on from there, and adds nothing twice.
 */
export async function closeSession(
  engine: Engine,
  session: string,
  options: CloseOptions = {},
): Promise<ClosedSession> {
  for (let round = 1; ; round++) {
    const conversations = await conversationsOf(engine, session)
    const known = await engine.sessions.findMemory(session)
    const wasClosed = isCovered(conversations, known) && known !== undefined
    const outcome = wasClosed
      ? settledOutcome(known)
      : await distilAndPromote(engine, { session, conversations, known, isTrial: options.isTrial === true })
    const closed: ClosedSession = {
      session,
      agents: conversations.map(({ head }) => head.agent),
      messages: conversations.reduce((sum, { messages, trimmed }) => sum + messages.length + trimmed, 0),
      wasClosed,
      ...outcome,
      problems: conversations.flatMap(({ problems }) => problems),
      degraded: [...engine.store.takeDegraded(), ...engine.semantics.takeDegraded()],
    }
    if (options.isTrial === true) return closed
    if ((await settleAll(engine, conversations)) || round === MOST_ROUNDS) return closed
  }
}

/**
 * Closes what nobody closed: sessions whose process had no time, and those that were left idle. One that was put to sleep waits
 * as long as its checkpoint holds.
 */
export async function pickUpSessions(
  engine: Engine,
  options: { readonly except?: string; readonly most?: number } = {},
): Promise<readonly ClosedSession[]> {
  const config = await engine.config()
  const idleMs = {
    open: config['session.idleHours'] * 3_600_000,
    asleep: config['session.checkpointDays'] * 86_400_000,
  }
  const nowMs = engine.clock.nowMs()
  const busy = new Set<string>()
  const left = new Set<string>()
  for (const { session, state, activeAt } of await engine.sessions.unclosed()) {
    const isLeft = state === 'ending' || nowMs - Date.parse(activeAt) >= idleMs[state]
    if (isLeft) left.add(session)
    else busy.add(session)
  }
  const closed: ClosedSession[] = []
  for (const session of left) {
    if (busy.has(session) || session === options.except) continue
    if (closed.length >= (options.most ?? Number.POSITIVE_INFINITY)) break
    closed.push(await closeSession(engine, session))
  }
  return closed
}

async function conversationsOf(engine: Engine, session: string): Promise<Conversation[]> {
  const heads = await engine.sessions.conversationsOf(session)
  const conversations: Conversation[] = []
  for (const head of heads) {
    const conversation = await engine.sessions.read(head)
    if (conversation !== undefined) conversations.push(conversation)
  }
  if (conversations.length > 0) return conversations
  throw await sessionNotFound(engine, session)
}

/** Distilled before, and nothing was said since. */
function isCovered(conversations: readonly Conversation[], known: SessionMemory | undefined): boolean {
  return conversations.every(
    ({ head, messages, trimmed }) => known?.distilled?.[head.agent] === messages.length + trimmed,
  )
}

type Outcome = Pick<ClosedSession, 'findings' | 'added' | 'strengthened' | 'handoffs' | 'summary'>

function settledOutcome({ findings, summary }: SessionMemory): Outcome {
  return { findings, added: [], strengthened: [], handoffs: [], summary }
}

interface Closing {
  readonly session: string
  readonly conversations: readonly Conversation[]
  readonly known: SessionMemory | undefined
  readonly isTrial: boolean
}

async function distilAndPromote(engine: Engine, closing: Closing): Promise<Outcome> {
  const { session, conversations, known, isTrial } = closing
  const config = await engine.config()
  if (!isTrial) for (const { head } of conversations) await checkpointSession(engine, head)
  const found = await findAll(engine, conversations)
  const activeAt =
    conversations
      .map(each => each.activeAt)
      .sort()
      .at(-1) ?? ''
  const date = new Date(Math.min(engine.clock.nowMs(), Date.parse(activeAt) || engine.clock.nowMs()))
    .toISOString()
    .slice(0, 16)
  const parent = conversations.find(({ head }) => head.parent !== undefined)?.head.parent
  const { sessionKeyOf } = await import('./brief.ts')
  const weighed = await gatherEvidence(engine, {
    session,
    ...(parent !== undefined && { parent }),
    found,
    earlier: known?.findings ?? [],
    touched: await touchedBy(engine, session),
    told: await engine.briefs.sentIn(sessionKeyOf(session)),
    date,
  })
  const outcomes = planPromotions(weighed, { session, preset: config['promotion.preset'] })
  const promotion: Promotion = { session, conversations, weighed, outcomes, date }
  const written = isTrial ? tryOut(promotion) : await writePromotion(engine, promotion)
  const { composeSummary } = await import('./pipeline/distill/handoff.ts')
  const findings = [
    ...weighed.map((each, at) =>
      sessionFinding(each, outcomes[at] as PromotionOutcome, {
        session,
        entryId: written.idByFinding.get(at),
      }),
    ),
    ...leftBefore(known, weighed),
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
    distilled: Object.fromEntries(
      conversations.map(({ head, messages, trimmed }) => [head.agent, messages.length + trimmed]),
    ),
  }
  if (!isTrial) {
    await engine.sessions.saveMemory(memory)
    await recordEvents(engine, memory, conversations)
    await readSessions(engine)
  }
  return {
    findings,
    added: written.added,
    strengthened: written.strengthened,
    handoffs: written.handoffs,
    summary: memory.summary,
  }
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

async function findAll(engine: Engine, conversations: readonly Conversation[]): Promise<FoundByAgent[]> {
  const { distil } = await import('./pipeline/distill/distil.ts')
  const { findFixes } = await import('./pipeline/distill/tool-runs.ts')
  const config = await engine.config()
  return conversations.flatMap(({ head, messages, trimmed }) => {
    const { findings } = distil(messages, { redaction: redactionOptions(config) })
    const all = [...findings, ...findFixes(messages)]
    return all
      .filter(finding => config['memory.auto'] || finding.wanted === true)
      .map(finding => ({ agent: head.agent, finding: { ...finding, message: finding.message + trimmed } }))
  })
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

/** What an earlier closing found in messages that are in the archive by now. */
function leftBefore(known: SessionMemory | undefined, weighed: readonly Weighed[]): SessionFinding[] {
  const again = new Set(weighed.map(({ finding }) => finding.fingerprint))
  return (known?.findings ?? []).filter(finding => !again.has(finding.fingerprint))
}

/** One for each agent that found something. */
async function recordEvents(
  engine: Engine,
  memory: SessionMemory,
  conversations: readonly Conversation[],
): Promise<void> {
  const { eventOfSession } = await import('./pipeline/capture/session-event.ts')
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
        redaction: redactionOptions(config),
      }),
    ]
  })
  if (events.length > 0) await engine.events.append(events)
}

/** false: something was said meanwhile. */
async function settleAll(engine: Engine, conversations: readonly Conversation[]): Promise<boolean> {
  let isSettled = true
  for (const { head, state, messages, trimmed } of conversations) {
    if (state === 'closed') continue
    const done = await engine.sessions.settle(head, { messages, trimmed, expected: messages.length })
    isSettled &&= done
  }
  return isSettled
}
