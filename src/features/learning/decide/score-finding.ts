import type { Kind } from '../../../kernel/model/category.ts'

/** The seed's signals (C, section 9). They rank suggestions; a request of a person needs none. */
const SIGNAL_POINTS = {
  'user-intent': 5,
  'explicit-pin': 5,
  'multi-session': 2,
  'error-resolution': 2,
  'multi-agent': 1,
  'high-importance': 1,
} as const
type SignalName = keyof typeof SIGNAL_POINTS

const HIGH_IMPORTANCE = 0.7
/** How many sessions or agents must have found the same words. */
const SEVERAL = 2

interface PromotionRules {
  /** The points of a strong suggestion, which is listed first. */
  readonly minPoints: number
  /** Characters. */
  readonly minContentLength: number
  readonly minImportance: number
}

/** The seed's. A shorter or less important finding is stored with its session and hidden. */
export const PROMOTION_PRESETS = {
  conservative: { minPoints: 4, minContentLength: 50, minImportance: 0.4 },
  balanced: { minPoints: 3, minContentLength: 30, minImportance: 0.25 },
  aggressive: { minPoints: 2, minContentLength: 20, minImportance: 0.15 },
} as const satisfies Record<string, PromotionRules>
export type PromotionPreset = keyof typeof PROMOTION_PRESETS

export interface FindingEvidence {
  readonly content: string
  readonly kind: Kind
  readonly importance: number
  /** A person said `/remember` or `#remember`. */
  readonly isRemembered: boolean
  /** A person pinned it. */
  readonly isPinned: boolean
  /** In how many sessions, and by how many agents, the same words were found, including this one. */
  readonly sessions: number
  readonly agents: number
}

export interface Signal {
  readonly name: SignalName
  readonly points: number
}

/** Why a finding is hidden. */
export type FilterCode = 'content_too_short' | 'importance_too_low'

export interface FindingScore {
  readonly points: number
  readonly signals: readonly Signal[]
  readonly hiddenBy?: FilterCode
}

export function scoreFinding(evidence: FindingEvidence, preset: PromotionPreset): FindingScore {
  const signals = signalsOf(evidence)
  const hiddenBy =
    evidence.isRemembered || evidence.isPinned ? undefined : filterOf(evidence, PROMOTION_PRESETS[preset])
  return { points: pointsOf(signals.map(({ name }) => name)), signals, ...(hiddenBy && { hiddenBy }) }
}

/** Unknown signals count nothing. */
export function pointsOf(signals: readonly string[]): number {
  return signals.reduce(
    (sum, name) => sum + (Object.hasOwn(SIGNAL_POINTS, name) ? SIGNAL_POINTS[name as SignalName] : 0),
    0,
  )
}

function signalsOf(evidence: FindingEvidence): Signal[] {
  const applies: Record<SignalName, boolean> = {
    'user-intent': evidence.isRemembered,
    'explicit-pin': evidence.isPinned,
    'multi-session': evidence.sessions >= SEVERAL,
    'error-resolution': evidence.kind === 'error',
    'multi-agent': evidence.agents >= SEVERAL,
    'high-importance': evidence.importance >= HIGH_IMPORTANCE,
  }
  return (Object.keys(SIGNAL_POINTS) as SignalName[])
    .filter(name => applies[name])
    .map(name => ({ name, points: SIGNAL_POINTS[name] }))
}

function filterOf({ content, importance }: FindingEvidence, rules: PromotionRules): FilterCode | undefined {
  if (content.trim().length < rules.minContentLength) return 'content_too_short'
  // `!(a >= b)`, so that NaN is hidden too.
  return importance >= rules.minImportance ? undefined : 'importance_too_low'
}
