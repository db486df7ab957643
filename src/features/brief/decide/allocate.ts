import type {
  BriefItem,
  IncludedItem,
  LeftItem,
  PromptTierName,
  Selection,
  Tier,
  TierName,
} from '../../../kernel/model/selection.ts'
import { cutToTokens } from '../../../kernel/text/cut-to-tokens.ts'
import { estimateTokens } from '../../../kernel/text/token-estimate.ts'

/** Seed C, section 8. */
const SHARE_OF_REMAINING = 0.08
const MAX_TOKENS = 5_000

/** A shorter cut of a text is useless. */
const MIN_CUT_TOKENS = 24

/** Preferences are bounded by themselves (preference-items.ts). */
type SeedTier = Exclude<PromptTierName, 'preferences'>

/**
 * The rows of seed C's table, by total. Its limits add up to more than the smallest total: they are soft, the total is
 * hard.
 */
const PROMPT_LIMITS: readonly (readonly [total: number, limits: Readonly<Record<SeedTier, number>>])[] = [
  [0, { 'always-inject': 0, 'context-bridge': 0, retrieval: 0, 'session-summary': 0 }],
  [640, { 'always-inject': 200, 'context-bridge': 500, retrieval: 300, 'session-summary': 200 }],
  [1_600, { 'always-inject': 200, 'context-bridge': 700, retrieval: 500, 'session-summary': 200 }],
  [4_000, { 'always-inject': 320, 'context-bridge': 1_840, retrieval: 1_196, 'session-summary': 600 }],
  [5_000, { 'always-inject': 400, 'context-bridge': 2_300, retrieval: 1_500, 'session-summary': 600 }],
]

/** min(8 % of the context that is left, 5,000 unless the user set another limit, what the host takes) */
export function totalBudget(given: {
  /** Tokens left in the model's context; absent if the host does not report them. */
  readonly remainingContext?: number
  /** Assumed if `remainingContext` is absent. */
  readonly configuredDefault: number
  readonly maxTokens?: number
  readonly hostCapTokens?: number
}): number {
  const remaining = given.remainingContext ?? given.configuredDefault
  const share = Math.floor(Math.max(0, remaining) * SHARE_OF_REMAINING)
  return Math.max(0, Math.min(share, given.maxTokens ?? MAX_TOKENS, given.hostCapTokens ?? Infinity))
}

/** The seed's table, straight between its rows. */
export function promptTierLimit(tier: SeedTier, total: number): number {
  let [belowTotal, below] = PROMPT_LIMITS[0] ?? [0, undefined]
  for (const [rowTotal, row] of PROMPT_LIMITS) {
    if (total <= rowTotal) {
      const from = below?.[tier] ?? 0
      const share = rowTotal === belowTotal ? 0 : (total - belowTotal) / (rowTotal - belowTotal)
      return Math.floor(from + share * (row[tier] - from))
    }
    belowTotal = rowTotal
    below = row
  }
  return below?.[tier] ?? 0
}

/**
 * The one allocator. Two rounds, each in the order of the tiers and of the items in them:
 *
 *   1. a tier takes up to its soft limit plus what the tiers before it did not use
 *   2. the rest goes to items that the soft limits excluded and to items that were cut
 *
 * An item that does not fit is skipped; a smaller one after it may still fit. The total is never exceeded. Pinned items
 * share: if they do not all fit, the long ones are cut equally, so that each is shown.
 */
export function allocate(tiers: readonly Tier[], total: number): Selection {
  const slots = tiers.flatMap(tier =>
    tier.items.map((item): Slot => ({ item, tier: tier.name, taken: undefined })),
  )
  let free = Math.max(0, total)
  const fill = (slot: Slot, room: number): number => {
    const before = slot.taken?.tokens ?? 0
    const taken = fitItem(slot.item, Math.min(room, free) + before)
    if (taken === undefined || taken.tokens < before) return 0
    slot.taken = taken
    free -= taken.tokens - before
    return taken.tokens - before
  }

  let carried = 0
  let next = 0
  for (const tier of tiers) {
    let room = Math.max(0, tier.softLimit) + carried
    const shares = tier.name === 'always-inject' ? sharesOf(tier.items, Math.min(room, free)) : undefined
    const ofTier = slots.slice(next, next + tier.items.length)
    next += tier.items.length
    if (shares !== undefined) for (const slot of ofTier) room -= fill(slot, shares.get(slot.item) ?? 0)
    for (const slot of ofTier) if (slot.taken === undefined || slot.taken.isCut) room -= fill(slot, room)
    carried = room
  }
  for (const slot of slots) {
    if (slot.taken === undefined || slot.taken.isCut) fill(slot, free)
  }
  return selectionOf(slots)
}

/** The tokens for each item, for as many items as can be shown: short ones whole, the others with equal parts of the rest. */
function sharesOf(items: readonly BriefItem[], room: number): ReadonlyMap<BriefItem, number> {
  for (let count = items.length; count > 0; count--) {
    const shown = items.slice(0, count)
    const shares = new Map<BriefItem, number>()
    let rest = room
    for (const [n, item] of shown.toSorted((a, b) => a.tokens - b.tokens).entries()) {
      const share = Math.min(item.tokens, Math.floor(rest / (count - n)))
      shares.set(item, share)
      rest -= share
    }
    if (shown.every(item => item.text.trim() === '' || fitItem(item, shares.get(item) ?? 0) !== undefined))
      return shares
  }
  return new Map()
}

interface Slot {
  readonly item: BriefItem
  readonly tier: TierName
  taken: Taken | undefined
}

interface Taken {
  readonly text: string
  readonly tokens: number
  readonly isCut: boolean
}

/** The item as it fits into the room: whole, cut, or not at all. */
function fitItem(item: BriefItem, room: number): Taken | undefined {
  if (item.text.trim() === '') return undefined
  if (item.tokens <= room) return { text: item.text, tokens: item.tokens, isCut: false }
  if (item.mayCut !== true) return undefined
  const around = Math.max(0, item.tokens - estimateTokens(item.text))
  if (room - around < MIN_CUT_TOKENS) return undefined
  const text = cutToTokens(item.text, room - around)
  return text === '' ? undefined : { text, tokens: around + estimateTokens(text), isCut: true }
}

function selectionOf(slots: readonly Slot[]): Selection {
  const included: IncludedItem[] = []
  const left: LeftItem[] = []
  for (const { item, tier, taken } of slots) {
    if (taken !== undefined) included.push({ ...item, ...taken, tier })
    else left.push(leftOut(item, tier, item.text.trim() === '' ? 'empty' : 'no room'))
  }
  return { included, left, tokens: included.reduce((sum, item) => sum + item.tokens, 0) }
}

export function leftOut(
  item: { readonly id?: string },
  tier: TierName,
  reason: LeftItem['reason'],
): LeftItem {
  return item.id === undefined ? { tier, reason } : { id: item.id, tier, reason }
}
