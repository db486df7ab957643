import type { Entry } from '../../../kernel/model/entry.ts'
import type { NewEntry } from '../../../kernel/model/new-entry.ts'
import type { Lineage, UntrustedSource } from '../../../kernel/model/provenance.ts'
import type { Finding, SessionFinding } from '../../../kernel/model/session.ts'
import { type FilterCode, type FindingScore, type PromotionPreset, scoreFinding } from './score-finding.ts'

/** A finding with what else is known about it. */
export interface Weighed {
  readonly finding: Finding
  readonly agent: string
  /** In how many independent sessions, and by how many agents, the same words were found: itself included. */
  readonly sessions: number
  readonly agents: number
  /** What an earlier closing of the same session made of it. */
  readonly earlier?: SessionFinding
  /** An entry with the same words. */
  readonly entry?: Entry
  /** A person rejected the same words before. */
  readonly wasRejected: boolean
}

/** Why a finding is stored with its session and not shown. */
export type ArchiveReason = FilterCode | 'session_cap' | 'project_cap'

export type PromotionOutcome =
  /** An earlier closing, or a review, has dealt with it. */
  | { readonly kind: 'settled'; readonly earlier: SessionFinding }
  | { readonly kind: 'rejected' }
  /** An entry has these words already. */
  | { readonly kind: 'known'; readonly entry: Entry }
  /** The person asked for it: it becomes an entry. */
  | { readonly kind: 'add'; readonly score: FindingScore }
  /** Waits in the review. */
  | { readonly kind: 'suggest'; readonly score: FindingScore }
  | { readonly kind: 'archive'; readonly score: FindingScore; readonly reason: ArchiveReason }

/** Why a finding is not suggested any more: a model saw nothing in it. */
export const REFINED_AWAY = 'refined_away'

/** So many suggestions of one session are shown, and so many of a project wait; the rest is archived (SPEC, section 5). */
export const MAX_SHOWN_PER_SESSION = 3
export const MAX_WAITING = 30

/** What becomes of the findings of a session, in their order. */
export function planPromotions(
  weighed: readonly Weighed[],
  preset: PromotionPreset,
): readonly PromotionOutcome[] {
  const outcomes = weighed.map(each => planPromotion(each, preset))
  // Those of an earlier closing that still wait have their places.
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

/** A person rejected it, or a model saw nothing in it. */
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
  // What was a suggestion, the person asks for now.
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

/** The entry that a finding becomes by a person's word: what they asked for, or what a rule found and they accept. */
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
