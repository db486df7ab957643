import type { Preference } from '../../../kernel/model/preference.ts'
import {
  type Brief,
  type BriefItem,
  type LeftItem,
  MAX_PINNED,
  type MarkedEntry,
  PROMPT_TIERS,
  type PromptTierName,
  type Tier,
} from '../../../kernel/model/selection.ts'
import { leftOut, promptTierLimit } from './allocate.ts'
import { type BriefLimits, composeBrief, conflictOnce, itemOf, preferenceItems } from './compose-brief.ts'

const MAX_RETRIEVED = 3
const MAX_BRIDGED = 3

export interface PromptSources {
  /** Entries with the status pinned, most important first. */
  readonly alwaysInject: readonly MarkedEntry[]
  /** The user's own, best first. */
  readonly preferences?: readonly Preference[]
  /** What other agents of this session saved. */
  readonly contextBridge?: readonly MarkedEntry[]
  /** The hits for this prompt, best first, conflicts and drift marked. */
  readonly retrieval: readonly MarkedEntry[]
  /** The part of the last handoff about remaining work. */
  readonly leftToDo?: MarkedEntry | undefined
  /** Ids that this session's context still has; emptied when the host compacts it away. */
  readonly alreadySent: ReadonlySet<string>
}

/** What a prompt gets with it; empty when nothing is worth its tokens. */
export function buildPromptBrief(sources: PromptSources, limits: BriefLimits): Brief {
  const { format, redaction, totalTokens } = limits
  const left: LeftItem[] = []
  const seen = new Set<string>()
  const markOf = conflictOnce()
  /** The first `max` that the context does not have yet; what it has does not use up a place. */
  const entries = (list: readonly MarkedEntry[], tier: PromptTierName, max: number): BriefItem[] => {
    const chosen: BriefItem[] = []
    for (const marked of list) {
      const { id } = marked.entry
      const reason = sources.alreadySent.has(id)
        ? 'already in context'
        : seen.has(id)
          ? 'already in this brief'
          : chosen.length >= max
            ? tier === 'always-inject'
              ? 'more than 5 entries are pinned: unpin one'
              : 'over the limit of its kind'
            : undefined
      if (reason !== undefined) left.push(leftOut({ id }, tier, reason))
      else {
        seen.add(id)
        chosen.push(itemOf(markOf(marked), tier, { format, redaction, mayCut: true }))
      }
    }
    return chosen
  }
  const { alreadySent, leftToDo } = sources
  const preferences = preferenceItems(sources.preferences ?? [], {
    format,
    redaction,
    totalTokens,
    alreadySent,
  })
  const itemsByTier: Record<PromptTierName, readonly BriefItem[]> = {
    'always-inject': entries(sources.alwaysInject, 'always-inject', MAX_PINNED),
    preferences: preferences.items,
    'context-bridge': entries(sources.contextBridge ?? [], 'context-bridge', MAX_BRIDGED),
    retrieval: entries(sources.retrieval, 'retrieval', MAX_RETRIEVED),
    'session-summary': entries(leftToDo === undefined ? [] : [leftToDo], 'session-summary', 1),
  }
  const tiers = PROMPT_TIERS.map((name): Tier => {
    const items = itemsByTier[name]
    // Pinned entries take what they need before any other tier gets a token.
    const isWhole = name === 'preferences' || name === 'always-inject'
    return { name, softLimit: isWhole ? tokensOf(items) : promptTierLimit(name, totalTokens), items }
  })
  return composeBrief({ tiers, left: [...left, ...preferences.left] }, limits)
}

function tokensOf(items: readonly BriefItem[]): number {
  return items.reduce((sum, { tokens }) => sum + tokens, 0)
}
