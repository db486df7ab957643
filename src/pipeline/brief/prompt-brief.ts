import type { Preference } from '../../model/preference.ts'
import type { Brief, BriefItem, LeftItem, MarkedEntry, PromptTierName, Tier } from '../../model/selection.ts'
import { PROMPT_TIERS } from '../../model/selection.ts'
import { leftOut, promptTierLimit } from './allocate.ts'
import { type BriefLimits, composeBrief, countItem, itemOf } from './compose-brief.ts'
import { preferenceItems } from './preference-items.ts'

/** Seed C, sections 6 and 7. */
const MOST_PINNED = 5
const MOST_RETRIEVED = 5

export interface PromptSources {
  /** Entries with the status pinned, most important first. */
  readonly alwaysInject: readonly MarkedEntry[]
  /** The user's own, best first. */
  readonly preferences?: readonly Preference[]
  /** What other agents found in this session. */
  readonly contextBridge: readonly Finding[]
  /** The hits for this prompt, best first, conflicts and drift marked. */
  readonly retrieval: readonly MarkedEntry[]
  readonly sessionSummaries: readonly Finding[]
  /** Ids that this session's context still holds; emptied when the host compacts it away. */
  readonly alreadySent: ReadonlySet<string>
}

/** Something that is told and is no entry of the vault (yet). */
export interface Finding {
  readonly id?: string
  readonly text: string
  readonly kind: string
  readonly date: string
  readonly agent: string
}

/** What a prompt gets with it; nothing when nothing is worth telling. */
export function buildPromptBrief(sources: PromptSources, limits: BriefLimits): Brief {
  const { format, totalTokens } = limits
  const left: LeftItem[] = []
  const seen = new Set<string>()
  /** The first `most` that the context does not hold yet; what it holds does not use up a place. */
  const choose = <T>(
    list: readonly T[],
    tier: PromptTierName,
    most: number,
    idOf: (one: T) => string | undefined,
  ): T[] => {
    const chosen: T[] = []
    for (const one of list) {
      const id = idOf(one)
      const reason =
        id !== undefined && sources.alreadySent.has(id)
          ? 'already in context'
          : id !== undefined && seen.has(id)
            ? 'already in this brief'
            : chosen.length >= most
              ? 'over the limit of its kind'
              : undefined
      if (reason !== undefined) {
        left.push(leftOut(id === undefined ? {} : { id }, tier, reason))
        continue
      }
      if (id !== undefined) seen.add(id)
      chosen.push(one)
    }
    return chosen
  }
  const entries = (list: readonly MarkedEntry[], tier: PromptTierName, most: number) =>
    choose(list, tier, most, marked => marked.entry.id).map(marked =>
      itemOf(marked, tier, { format, mayCut: true }),
    )
  const findings = (list: readonly Finding[], tier: PromptTierName) =>
    choose(list, tier, Infinity, finding => finding.id).map(({ id, text, kind, date, agent }) =>
      countItem(
        {
          tier,
          text,
          provenance: { kind, date: date.slice(0, 10), agent },
          ...(id === undefined ? {} : { id }),
        },
        { format, mayCut: true },
      ),
    )
  const { alreadySent } = sources
  const preferences = preferenceItems(sources.preferences ?? [], { format, totalTokens, alreadySent })
  const itemsByTier: Record<PromptTierName, readonly BriefItem[]> = {
    'always-inject': entries(sources.alwaysInject, 'always-inject', MOST_PINNED),
    preferences: preferences.items,
    'context-bridge': findings(sources.contextBridge, 'context-bridge'),
    retrieval: entries(sources.retrieval, 'retrieval', MOST_RETRIEVED),
    'session-summary': findings(sources.sessionSummaries, 'session-summary'),
  }
  const tiers = PROMPT_TIERS.map((name): Tier => {
    const items = itemsByTier[name]
    const softLimit = name === 'preferences' ? tokensOf(items) : promptTierLimit(name, totalTokens)
    return { name, softLimit, items }
  })
  return composeBrief({ tiers, left: [...left, ...preferences.left] }, limits)
}

function tokensOf(items: readonly BriefItem[]): number {
  return items.reduce((sum, { tokens }) => sum + tokens, 0)
}
