import type { Memory } from '../../kernel/memory.ts'
import type { UntrustedSource } from '../../kernel/model/provenance.ts'
import type { Degradation } from '../../kernel/model/search.ts'
import type { Conversation, SessionFinding, SessionMemory } from '../../kernel/model/session.ts'
import { withPauses } from '../../kernel/system/pauses.ts'
import { fingerprint } from '../../kernel/text/fingerprint.ts'
import { redactionOptions } from '../../kernel/text/redaction/redaction-options.ts'
import type { FreshnessPorts } from '../freshness/decide/ports.ts'
import type { MeaningPorts, SearchPorts } from '../search/decide/ports.ts'
import type { SessionPorts } from '../sessions/decide/ports.ts'
import { type HandoffInput, storedUnder } from '../sessions/handoffs.ts'
import { eventIds } from '../sessions/session-ids.ts'
import { type PromotionOutcome, planPromotions, REFINED_AWAY, type Weighed } from './decide/plan-promotion.ts'
import type { LearningPorts } from './decide/ports.ts'
import { ancestorsOf, archiveOverCap, type FoundByAgent, gatherEvidence, readSessions } from './evidence.ts'
import { type Promotion, tryOut, writePromotion } from './promoting.ts'

interface LearningInput {
  readonly session: string
  readonly conversations: readonly Conversation[]
  readonly found: readonly FoundByAgent[]
  /** The stored result of an earlier closing. */
  readonly known: SessionMemory | undefined
  /** Reports what would be learned without changing anything. */
  readonly isTrial: boolean
  readonly refinement?: SessionRefinement
  /** The other sessions were read a moment ago. */
  readonly knowsOthers?: boolean
  /** The import that it belongs to. */
  readonly batch?: string
  readonly handoffForm?: HandoffInput['handoffForm']
  readonly foundBy?: keyof typeof FOUND_BY_TAGS
}

/** The tags of seed A for findings of rules. */
const FOUND_BY_TAGS = {
  close: ['auto-extract', 'session-close'],
  compaction: ['auto-extract', 'compacted'],
} as const

/** A suggestion that a person accepts is theirs, and loses the tags of the rule. */
export function withoutRuleTags(tags: readonly string[]): readonly string[] {
  const marks = new Set<string>(Object.values(FOUND_BY_TAGS).flat())
  return tags.filter(tag => !marks.has(tag))
}

/** A model's decisions about the suggestions of an earlier closing, by fingerprint. */
interface SessionRefinement {
  readonly by: string
  readonly dropped: ReadonlySet<string>
  /** New fingerprint → old fingerprint. */
  readonly rewrittenFrom: ReadonlyMap<string, string>
}

export interface LearningResult {
  readonly findings: readonly SessionFinding[]
  /** Entries: new ones, and candidates that are confirmed because the person asked for them. */
  readonly added: readonly string[]
  readonly strengthened: readonly string[]
  /** Suggestions that a model reworded or dropped. */
  readonly replaced: readonly string[]
  readonly handoffs: readonly string[]
  readonly summary: string
  /** The change that `undo` reverts; null: nothing changed. */
  readonly record: string | null
}

/** findings ▶ evidence ▶ plan ▶ one mutation (entries, handoff) ▶ sessions/{session}.memory.json (suggestions) ▶ an event */
export async function learn(
  engine: Memory & SearchPorts & MeaningPorts & SessionPorts & LearningPorts & FreshnessPorts,
  learning: LearningInput,
): Promise<LearningResult> {
  const { session, conversations, known, isTrial, refinement } = learning
  const config = await engine.config()
  const activeAt =
    conversations
      .map(each => each.activeAt)
      .sort()
      .at(-1) ?? ''
  // To the millisecond, to order sessions that end in the same minute.
  const date = new Date(
    Math.min(engine.clock.nowMs(), Date.parse(activeAt) || engine.clock.nowMs()),
  ).toISOString()
  const parent = conversations.find(({ head }) => head.parent !== undefined)?.head.parent
  const ancestors = await ancestorsOf(engine, parent)
  const weighed = await gatherEvidence(engine, {
    session,
    root: ancestors.at(-1) ?? session,
    found: learning.found,
    earlierOf: print => earlierOf(print, known, refinement),
    ...(learning.knowsOthers === true && { knowsOthers: true }),
  })
  const outcomes = planPromotions(weighed, config['promotion.preset'])
  const { untrustedIn } = await import('./decide/untrusted-text.ts')
  const untrusted = untrustedIn(conversations.flatMap(({ messages }) => messages))
  const promotion: Promotion = {
    ...{ session, conversations, weighed, outcomes, date },
    ...(learning.batch !== undefined && { batch: learning.batch }),
    ...(learning.handoffForm !== undefined && { handoffForm: learning.handoffForm }),
  }
  const written = isTrial ? tryOut(promotion) : await writePromotion(engine, promotion)
  const { composeSummary } = await import('../sessions/decide/handoff.ts')
  const findings = [
    ...weighed.map((each, at) =>
      sessionFinding(
        { ...each, agent: storedUnder(each.agent, conversations) },
        outcomes[at] as PromotionOutcome,
        {
          session,
          entryId: written.idByFinding.get(at),
          untrusted,
          foundBy: FOUND_BY_TAGS[learning.foundBy ?? 'close'],
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
    summary: composeSummary(conversations.flatMap(({ messages }) => messages)),
    createdAt: Math.min(...conversations.map(({ head }) => Date.parse(head.startedAt))),
    finalizedAt: engine.clock.nowMs(),
    ...(refinement !== undefined && { refinedBy: refinement.by }),
    distilled: Object.fromEntries(
      conversations.map(({ head, messages, trimmed }) => [head.agent, messages.length + trimmed]),
    ),
  }
  if (!isTrial) {
    // The memory file is written last: the session counts as closed once it exists, and an earlier crash would leave steps undone.
    await recordEvents(engine, memory, { conversations, isRealWork: written.handoffs.length > 0 })
    await engine.sessions.saveMemory(memory)
    await readSessions(engine, memory.sessionId)
    await archiveOverCap(engine)
  }
  return {
    findings,
    added: written.added,
    strengthened: written.strengthened,
    replaced: replacedBy(known, refinement),
    handoffs: written.handoffs,
    summary: memory.summary,
    record: written.record,
  }
}

/** The result of an earlier closing for a finding. A reworded suggestion counts as new, unless a person has accepted it since. */
function earlierOf(
  print: string,
  known: SessionMemory | undefined,
  refinement: SessionRefinement | undefined,
): SessionFinding | undefined {
  const before = refinement?.rewrittenFrom.get(print)
  const same = known?.findings.find(finding => finding.fingerprint === print)
  const reworded = known?.findings.find(finding => finding.fingerprint === before)
  return same ?? (reworded?.promotedToProjectMemory === true ? reworded : undefined)
}

function replacedBy(
  known: SessionMemory | undefined,
  refinement: SessionRefinement | undefined,
): readonly string[] {
  const gone = new Set([...(refinement?.dropped ?? []), ...(refinement?.rewrittenFrom.values() ?? [])])
  return (known?.findings ?? [])
    .filter(({ fingerprint, promotedToProjectMemory }) => gone.has(fingerprint) && !promotedToProjectMemory)
    .map(({ id }) => id)
}

interface FoundInSession {
  readonly found: readonly FoundByAgent[]
  /** Texts that were not stored, or not in full. */
  readonly notes: readonly Degradation[]
}

/** By rules, without a model. */
export async function findAll(
  memory: Memory,
  conversations: readonly Conversation[],
): Promise<FoundInSession> {
  const { distilSteps } = await import('./decide/distil.ts')
  const config = await memory.config()
  let cut = 0
  const found: FoundByAgent[] = []
  for (const { head, messages, trimmed } of conversations) {
    const redaction = redactionOptions(config)
    const { findings, shortened } = await withPauses(distilSteps(messages, { redaction }))
    cut += shortened
    for (const finding of findings)
      if (config['memory.auto'] || finding.wanted === true)
        found.push({ agent: head.agent, finding: { ...finding, message: finding.message + trimmed } })
  }
  const notes: Degradation[] =
    cut === 0
      ? []
      : [
          {
            code: 'findings_shortened',
            message: `${cut} of what you asked to remember is longer than an entry may be, and was cut.`,
          },
        ]
  return { found, notes }
}

function sessionFinding(
  { finding, agent }: Weighed,
  outcome: PromotionOutcome,
  {
    session,
    entryId,
    untrusted,
    foundBy,
  }: {
    session: string
    entryId: string | undefined
    untrusted: UntrustedSource | undefined
    foundBy: readonly string[]
  },
): SessionFinding {
  if (outcome.kind === 'settled') return outcome.earlier
  const isOpen = outcome.kind === 'suggest' || outcome.kind === 'archive'
  const tags = isOpen ? [...finding.tags, ...foundBy] : finding.tags
  return {
    id: `f${fingerprint(`${session} ${finding.fingerprint}`)}`,
    fingerprint: finding.fingerprint,
    content: finding.text,
    category: finding.kind,
    importance: finding.importance,
    confidence: finding.confidence,
    ...(finding.files.length > 0 && { filePaths: finding.files }),
    ...(tags.length > 0 && { tags }),
    promotedToProjectMemory: entryId !== undefined,
    ...(entryId !== undefined && { promotedEntryId: entryId }),
    file: finding.category,
    agent,
    speaker: finding.speaker,
    message: finding.message,
    signals: 'score' in outcome ? outcome.score.signals.map(({ name }) => name) : [],
    ...(outcome.kind === 'rejected' && { rejectedBy: 'rejected_before' }),
    ...(outcome.kind === 'archive' && { archived: outcome.reason }),
    ...(finding.quarantine !== undefined && { quarantine: finding.quarantine }),
    ...(isOpen && untrusted !== undefined && { untrusted }),
  }
}

/** Findings of an earlier closing that were not found again because their messages are archived. */
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

/** Rejected by a model: stored with its session and no longer suggested. */
function letGo(finding: SessionFinding): SessionFinding {
  return finding.promotedToProjectMemory ? finding : { ...finding, rejectedBy: REFINED_AWAY }
}

/** One event for each agent with findings. */
async function recordEvents(
  engine: Memory & SessionPorts,
  memory: SessionMemory,
  {
    conversations,
    isRealWork,
  }: { readonly conversations: readonly Conversation[]; readonly isRealWork: boolean },
): Promise<void> {
  const { eventOfSession } = await import('../sessions/decide/session-events.ts')
  const { composeHandoff } = await import('../sessions/decide/handoff.ts')
  const { readHandoff } = await import('../state/decide/handoff-parts.ts')
  const config = await engine.config()
  const newId = eventIds(engine)
  const events = conversations.flatMap(({ head, activeAt, messages }) => {
    const findings = memory.findings.filter(finding => finding.agent === head.agent)
    // A handoff is news for recall, even without findings.
    if (findings.length === 0 && !isRealWork) return []
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
        left: readHandoff(composeHandoff(messages)).left,
        at: activeAt,
        newId,
        ...(head.source !== undefined && { sourceId: head.source }),
        redaction: redactionOptions(config),
      }),
    ]
  })
  if (events.length > 0) await engine.events.append(events)
}
