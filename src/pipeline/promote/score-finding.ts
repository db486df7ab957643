import type { Kind } from '../../model/category.ts'
import type { Speaker } from '../../model/message.ts'

/**
 * Why a finding may be worth keeping, and how much each reason weighs. Six are the seed's (C, section 9). Two say what its patterns
 * could not tell: who said it, and how plainly. Seed A keeps whatever is extracted; with these a person's word becomes a candidate
 * at once, an agent's when it is plain and matters (ADR 20 has the figures).
 */
export const SIGNAL_POINTS = {
  'user-intent': 5,
  'explicit-pin': 5,
  'user-statement': 3,
  'multi-session': 2,
  'error-resolution': 2,
  'plain-statement': 2,
  'multi-agent': 1,
  'high-importance': 1,
} as const
export type SignalName = keyof typeof SIGNAL_POINTS

export const HIGH_IMPORTANCE = 0.7
const PLAIN_CONFIDENCE = 0.6
/** Below it the subject is missing, or the person was guessing. */
const STATED_CONFIDENCE = 0.4
/** Sessions, or agents, that must have found the same. */
const SEVERAL = 2

export interface PromotionRules {
  readonly leastPoints: number
  /** Characters. */
  readonly minContentLength: number
  readonly minImportance: number
}

/**
 * Balanced is the seed's. What is enough on its own, besides a person's word:
 *
 *   conservative   nothing: two of the strong signals, or a strong one with both weak ones
 *   balanced       what a person stated; a strong signal (several sessions, a solved error, said plainly) with a weak one
 *                  (several agents, importance)
 *   aggressive     a strong signal, or both weak ones
 */
export const PROMOTION_PRESETS = {
  conservative: { leastPoints: 4, minContentLength: 50, minImportance: 0.4 },
  balanced: { leastPoints: 3, minContentLength: 30, minImportance: 0.25 },
  aggressive: { leastPoints: 2, minContentLength: 20, minImportance: 0.15 },
} as const satisfies Record<string, PromotionRules>
export type PromotionPreset = keyof typeof PROMOTION_PRESETS

export interface FindingEvidence {
  readonly content: string
  readonly kind: Kind
  readonly importance: number
  readonly confidence: number
  readonly speaker: Speaker
  /** A person said `/remember` or `#remember`. */
  readonly isRemembered: boolean
  /** A person pinned it. */
  readonly isPinned: boolean
  /** An error that was solved, whatever the kind says. */
  readonly isErrorResolution: boolean
  /** In how many sessions, and by how many agents, the same was found: counted by similarity, itself included. */
  readonly sessions: number
  readonly agents: number
}

export interface Signal {
  readonly name: SignalName
  readonly points: number
}

export type Rejection =
  | { readonly code: 'content_too_short'; readonly length: number; readonly least: number }
  | { readonly code: 'importance_too_low'; readonly importance: number; readonly least: number }
  | { readonly code: 'too_few_points'; readonly points: number; readonly least: number }

export type PromotionDecision =
  | { readonly promote: true; readonly points: number; readonly signals: readonly Signal[] }
  | {
      readonly promote: false
      readonly points: number
      readonly signals: readonly Signal[]
      readonly rejectedBy: Rejection
    }

/** Whether a finding becomes an entry, with the reasons that a review shows. A person's own word passes every filter. */
export function scoreFinding(
  evidence: FindingEvidence,
  preset: PromotionPreset | PromotionRules = 'balanced',
): PromotionDecision {
  const rules = typeof preset === 'string' ? PROMOTION_PRESETS[preset] : preset
  const signals = signalsOf(evidence)
  const points = signals.reduce((sum, signal) => sum + signal.points, 0)
  const rejectedBy =
    evidence.isRemembered || evidence.isPinned ? undefined : rejectionOf(evidence, points, rules)
  return rejectedBy === undefined
    ? { promote: true, points, signals }
    : { promote: false, points, signals, rejectedBy }
}

function signalsOf(evidence: FindingEvidence): Signal[] {
  const holds: Record<SignalName, boolean> = {
    'user-intent': evidence.isRemembered,
    'explicit-pin': evidence.isPinned,
    'user-statement': evidence.speaker === 'user' && evidence.confidence >= STATED_CONFIDENCE,
    'plain-statement': evidence.confidence >= PLAIN_CONFIDENCE,
    'multi-session': evidence.sessions >= SEVERAL,
    'error-resolution': evidence.isErrorResolution || evidence.kind === 'error',
    'multi-agent': evidence.agents >= SEVERAL,
    'high-importance': evidence.importance >= HIGH_IMPORTANCE,
  }
  return (Object.keys(SIGNAL_POINTS) as SignalName[])
    .filter(name => holds[name])
    .map(name => ({ name, points: SIGNAL_POINTS[name] }))
}

function rejectionOf(
  { content, importance }: FindingEvidence,
  points: number,
  rules: PromotionRules,
): Rejection | undefined {
  const length = content.trim().length
  if (length < rules.minContentLength)
    return { code: 'content_too_short', length, least: rules.minContentLength }
  // Not below, so that an importance that is no number is rejected too.
  if (!(importance >= rules.minImportance))
    return { code: 'importance_too_low', importance, least: rules.minImportance }
  if (points < rules.leastPoints) return { code: 'too_few_points', points, least: rules.leastPoints }
  return undefined
}
