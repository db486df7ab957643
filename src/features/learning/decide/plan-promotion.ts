import type { Entry } from '../../../kernel/model/entry.ts'
import type { NewEntry } from '../../../kernel/model/new-entry.ts'
import type { Lineage, UntrustedSource } from '../../../kernel/model/provenance.ts'
import type { Finding, SessionFinding } from '../../../kernel/model/session.ts'
import { type FilterCode, type FindingScore, type PromotionPreset, scoreFinding } from './score-finding.ts'

/** A finding with its evidence. */
export interface Weighed {
  readonly finding: Finding
  readonly agent: string
  /** In how many independent sessions, and by how many agents, the same words were found, including this one. */
  readonly sessions: number
  readonly agents: number
  /** The result of an earlier closing of the same session. */
  readonly earlier?: SessionFinding
  /** An entry with the same words. */
  readonly entry?: Entry
  /** A person rejected the same words before. */
  readonly wasRejected: boolean
}

/** Why a finding is stored with its session and hidden. */
type ArchiveReason = FilterCode | 'session_cap' | 'project_cap'

export type PromotionOutcome =
  /** Handled by an earlier closing or a review. */
  | { readonly kind: 'settled'; readonly earlier: SessionFinding }
  | { readonly kind: 'rejected' }
  /** An entry with these words exists. */
  | { readonly kind: 'known'; readonly entry: Entry }
  /** The person asked for it: it becomes an entry. */
  | { readonly kind: 'add'; readonly score: FindingScore }
  /** Waits in the review. */
  | { readonly kind: 'suggest'; readonly score: FindingScore }
  | { readonly kind: 'archive'; readonly score: FindingScore; readonly reason: ArchiveReason }

/** Why a finding is no longer suggested: a model rejected it. */
export const REFINED_AWAY = 'refined_away'

/** The most suggestions shown for one session. The rest is archived (SPEC, section 5); `MAX_WAITING` is the same for a project. */
const MAX_SHOWN_PER_SESSION = 3
export const MAX_WAITING = 30

/** Decides about each finding of a session, in order. */
export function planPromotions(
  weighed: readonly Weighed[],
  preset: PromotionPreset,
): readonly PromotionOutcome[] {
  const outcomes = weighed.map(each => planPromotion(each, preset))
  // Suggestions of an earlier closing that still wait count towards the cap.
  const taken = outcomes.filter(outcome => outcome.kind === 'settled' && isWaiting(outcome.earlier)).length
  const best = outcomes
    .flatMap((outcome, at) => (outcome.kind === 'suggest' ? [{ at, points: outcome.score.points }] : []))
    .sort(
      (a, b) =>
        b.points - a.points || importanceAt(weighed, b.at) - importanceAt(weighed, a.at) || b.at - a.at,
    )
    .slice(0, Math.max(0, MAX_SHOWN_PER_SESSION - taken))
  const shown = new Set(best.map(({ at }) => at))
  return outcomes.map((outcome, at) =>
    outcome.kind === 'suggest' && !shown.has(at)
      ? { kind: 'archive', score: outcome.score, reason: 'session_cap' }
      : outcome,
  )
}

/** Neither an entry, nor archived, nor judged. */
function isWaiting(finding: SessionFinding): boolean {
  return !finding.promotedToProjectMemory && finding.archived === undefined && !isJudged(finding)
}

/** Rejected by a person or by a model. */
export function isJudged({ rejectedBy }: SessionFinding): boolean {
  return rejectedBy === 'rejected_before' || rejectedBy === REFINED_AWAY
}

function importanceAt(weighed: readonly Weighed[], at: number): number {
  return weighed[at]?.finding.importance ?? 0
}

function planPromotion(
  { finding, earlier, entry, wasRejected, sessions, agents }: Weighed,
  preset: PromotionPreset,
): PromotionOutcome {
  const isWanted = finding.wanted === true
  // The person now asks for an earlier suggestion.
  const isTakenUp = isWanted && (earlier?.promotedToProjectMemory === false || entry?.status === 'candidate')
  if (earlier !== undefined && !isTakenUp) return { kind: 'settled', earlier }
  if (wasRejected && !isWanted) return { kind: 'rejected' }
  if (entry !== undefined && !isWanted) return { kind: 'known', entry }
  const score = scoreFinding(
    {
      content: finding.text,
      kind: finding.kind,
      importance: finding.importance,
      isRemembered: isWanted,
      isPinned: entry?.status === 'pinned',
      sessions,
      agents,
    },
    preset,
  )
  if (isWanted) return { kind: 'add', score }
  return score.hiddenBy === undefined
    ? { kind: 'suggest', score }
    : { kind: 'archive', score, reason: score.hiddenBy }
}

/** The entry for a finding that a person asked for, or that a rule found and a person accepts. */
export function entryOfFinding(
  { finding, agent }: Pick<Weighed, 'finding' | 'agent'>,
  {
    session,
    date,
    untrusted,
  }: { readonly session: string; readonly date: string; readonly untrusted?: UntrustedSource | undefined },
): NewEntry {
  const isWanted = finding.wanted === true
  const lineage: Lineage = isWanted
    ? {}
    : { capturedBy: 'rule', ...(untrusted !== undefined && { untrusted }) }
  return {
    content: finding.text,
    agent,
    kind: finding.kind,
    category: finding.category,
    tags: finding.tags,
    files: finding.files,
    importance: finding.importance,
    ...(!isWanted && { confidence: finding.confidence }),
    session,
    date,
    status: 'confirmed',
    origin: 'person',
    lineage,
  }
}
