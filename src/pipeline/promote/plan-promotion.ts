import type { Entry } from '../../model/entry.ts'
import type { Finding } from '../../model/finding.ts'
import type { NewEntry } from '../../model/new-entry.ts'
import type { SessionFinding } from '../../model/session.ts'
import { type PromotionDecision, type PromotionPreset, scoreFinding } from './score-finding.ts'

/** A finding with all that speaks for and against it. */
export interface Weighed {
  readonly finding: Finding
  readonly agent: string
  /** In how many independent sessions, and by how many agents, the same was found: itself included. */
  readonly sessions: number
  readonly agents: number
  /** What an earlier closing of the same session made of it, also when a model has given it other words since. */
  readonly earlier?: SessionFinding
  /** An entry that says the same. */
  readonly entry?: Entry
  /** The session's context held that entry: an agent that says it again only repeats what it was told. */
  readonly wasTold: boolean
  /** That entry was brought in or strengthened by this session, or by one that it shares its beginning with. */
  readonly isOwn: boolean
  /** A person has rejected the same before. */
  readonly wasRejected: boolean
  /** Its place among the findings, when another of this session says the same: they become one entry. */
  readonly sameAs?: number
}

export type PromotionOutcome =
  /** An earlier closing, or a review, has dealt with it. */
  | { readonly kind: 'settled'; readonly earlier: SessionFinding }
  /** A model has better words for what an earlier closing promoted. */
  | { readonly kind: 'reword'; readonly earlier: SessionFinding }
  | { readonly kind: 'rejected' }
  | { readonly kind: 'joined'; readonly to: number; readonly decision: PromotionDecision }
  | { readonly kind: 'echo'; readonly entry: Entry }
  /** Says what an entry says: it is strengthened, once a session. */
  | { readonly kind: 'strengthen'; readonly entry: Entry; readonly decision: PromotionDecision }
  | { readonly kind: 'add'; readonly decision: PromotionDecision }
  /** Kept with the session: for the review, and as evidence when it is found again. */
  | { readonly kind: 'wait'; readonly decision: PromotionDecision }

/** Why a finding is not proposed any more: a model saw nothing in it. */
export const REFINED_AWAY = 'refined_away'

export interface PromotionContext {
  readonly session: string
  readonly preset: PromotionPreset
}

/** What becomes of the findings of a session, in their order. */
export function planPromotions(
  weighed: readonly Weighed[],
  context: PromotionContext,
): readonly PromotionOutcome[] {
  const outcomes = weighed.map(each => planPromotion(each, context))
  return outcomes.map(outcome => {
    // The one it joins waits, because of who said it: then this one is what is kept.
    const isAlone = outcome.kind === 'joined' && outcomes[outcome.to]?.kind === 'wait'
    return isAlone && outcome.decision.promote ? { kind: 'add', decision: outcome.decision } : outcome
  })
}

function planPromotion(weighed: Weighed, { session, preset }: PromotionContext): PromotionOutcome {
  const { finding, earlier, entry } = weighed
  const isWanted = finding.wanted === true
  // What the machine had kept by itself, and the person asks for now.
  const isTakenUp = isWanted && entry !== undefined && entry.origin === 'machine'
  if (earlier?.promotedToProjectMemory === true && !isTakenUp) {
    const isReworded = earlier.fingerprint !== finding.fingerprint
    return isReworded ? { kind: 'reword', earlier } : { kind: 'settled', earlier }
  }
  if (earlier?.rejectedBy === REFINED_AWAY && !isWanted) return { kind: 'settled', earlier }
  if (weighed.wasRejected && !isWanted) return { kind: 'rejected' }
  const decision = scoreFinding(
    {
      content: finding.text,
      kind: finding.kind,
      importance: strengthened(weighed),
      confidence: finding.confidence,
      speaker: finding.speaker,
      isRemembered: isWanted,
      isPinned: entry?.status === 'pinned',
      isErrorResolution: finding.isErrorResolution === true,
      sessions: weighed.sessions,
      agents: weighed.agents,
    },
    preset,
  )
  if (weighed.sameAs !== undefined) return { kind: 'joined', to: weighed.sameAs, decision }
  if (entry !== undefined) {
    const isEcho = weighed.wasTold && finding.speaker !== 'user'
    // What this session itself brought in is no second voice for it.
    const isOwn = weighed.isOwn || entry.session === session
    if (!isTakenUp && (isEcho || isOwn)) return { kind: 'echo', entry }
    return { kind: 'strengthen', entry, decision }
  }
  return decision.promote ? { kind: 'add', decision } : { kind: 'wait', decision }
}

/** As an entry gains when it is said again (seed C, section 12): 0.1 for every other session that found the same. */
function strengthened({ finding, sessions }: Pick<Weighed, 'finding' | 'sessions'>): number {
  return Math.round(Math.min(1, finding.importance + 0.1 * (sessions - 1)) * 1000) / 1000
}

const MARKED = /^\s*[-*] \[[ xX]\] /

/**
 * What the vault is given. A person who asked for it has written it; everything else is the machine's, and a candidate until it
 * proves useful.
 */
export function entryOfFinding(
  { finding, agent, sessions }: Pick<Weighed, 'finding' | 'agent' | 'sessions'>,
  { session, date }: { session: string; date: string },
): NewEntry {
  const isTask = finding.category === 'tasks'
  const isWanted = finding.wanted === true
  return {
    content: isTask && !MARKED.test(finding.text) ? `- [ ] ${finding.text}` : finding.text,
    agent,
    kind: finding.kind,
    category: finding.category,
    tags: [...finding.tags, ...(isWanted ? [] : ['auto-extract'])],
    files: finding.files,
    importance: strengthened({ finding, sessions }),
    confidence: finding.confidence,
    session,
    date,
    status: isWanted ? 'confirmed' : 'candidate',
    origin: isWanted ? 'person' : 'machine',
  }
}
