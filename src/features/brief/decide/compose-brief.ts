import type {
  Brief,
  BriefFormat,
  BriefItem,
  ItemOrigin,
  LeftItem,
  MarkedEntry,
  Tier,
  TierName,
} from '../../../kernel/model/selection.ts'
import { unmergedSideOf } from '../../../kernel/model/unmerged.ts'
import { type RedactOptions, redact } from '../../../kernel/text/redaction/redact.ts'
import { estimateTokens } from '../../../kernel/text/token-estimate.ts'
import { allocate } from './allocate.ts'
import { frameTokens, itemTokens, renderBrief, type UncountedItem } from './format.ts'

export interface BriefLimits {
  readonly format: BriefFormat
  /** The whole text has at most so many tokens. */
  readonly totalTokens: number
  /** What the host itself takes: 9,500 on Claude Code and Codex, which cut or hide what is longer. */
  readonly mostCharacters?: number
  /** Exceptions that the configuration makes. */
  readonly redaction?: RedactOptions | undefined
}

export interface ItemOptions extends Pick<BriefLimits, 'format' | 'redaction'> {
  readonly mayCut?: boolean
}

export interface BriefParts {
  readonly tiers: readonly Tier[]
  /** Left out before the budget was looked at. */
  readonly left: readonly LeftItem[]
  /** Our own words after the memory: how to save, what the project is. */
  readonly after?: string
}

/**
 * Tiers to text, within the limits. The cost of a text is not quite the sum of its parts, and a host counts characters:
 * what comes out too long is allocated again with that much less.
 */
export function composeBrief(
  parts: BriefParts,
  { format, totalTokens, mostCharacters = Infinity }: Omit<BriefLimits, 'redaction'>,
): Brief {
  const names = parts.tiers.filter(tier => tier.items.length > 0).map(tier => tier.name)
  const after = parts.after ?? ''
  let room = totalTokens - frameTokens(format, names) - (after === '' ? 0 : estimateTokens(`\n\n${after}`))
  for (;;) {
    const selection = allocate(parts.tiers, room)
    const text = [renderBrief(selection, format), after].filter(part => part !== '').join('\n\n')
    const tokens = estimateTokens(text)
    const overTokens = tokens - totalTokens
    const overCharacters = Math.ceil(((text.length - mostCharacters) / Math.max(1, text.length)) * tokens)
    const over = Math.max(overTokens, overCharacters)
    if (over <= 0) return { ...selection, left: [...parts.left, ...selection.left], text, tokens }
    // Our own words alone are too long for this host: then it gets nothing rather than half a sentence.
    if (selection.included.length === 0)
      return { included: [], left: [...parts.left, ...selection.left], text: '', tokens: 0 }
    room = Math.min(room, selection.tokens) - over
  }
}

export function itemOf(marked: MarkedEntry, tier: TierName, given: ItemOptions): BriefItem {
  const { entry, marks, score, document } = marked
  const unmerged = unmergedSideOf(entry)
  const changed = entry.updated?.slice(0, 10)
  const updated = changed === undefined || changed === entry.date.slice(0, 10) ? '' : `, updated ${changed}`
  const item: UncountedItem = {
    tier,
    id: entry.id,
    text: entry.content,
    provenance: {
      kind: entry.kind,
      date: `${entry.date.slice(0, 10)}${updated}`,
      agent: entry.agent,
      status: entry.status,
      origin: entry.origin,
      ...(unmerged === undefined ? {} : { unmerged }),
      ...(marks === undefined ? {} : { marks }),
      ...(document === undefined ? {} : { document }),
    },
    ...(score === undefined ? {} : { score }),
  }
  return countItem(item, given)
}

/** Every text of a brief comes through here and is freed of secrets, whoever wrote it. */
export function countItem(
  { tier, ...given }: UncountedItem,
  { format, redaction, mayCut = false }: ItemOptions,
): BriefItem {
  const { provenance } = given
  const clean = (text: string) => redact(text, redaction).text
  const item = {
    ...given,
    text: clean(given.text),
    ...(provenance !== undefined && { provenance: cleanProvenance(provenance, clean) }),
  }
  return { ...item, tokens: itemTokens({ ...item, tier }, format), mayCut }
}

/** A name of a file, a vault or a plan can be a secret too. */
function cleanProvenance(provenance: ItemOrigin, clean: (text: string) => string): ItemOrigin {
  const { agent, document, marks } = provenance
  const other = marks?.conflictsWith
  return {
    ...provenance,
    agent: clean(agent),
    ...(document !== undefined && { document: { ...document, path: clean(document.path) } }),
    ...(marks !== undefined && {
      marks: {
        ...marks,
        ...(marks.changedFiles !== undefined && { changedFiles: marks.changedFiles.map(clean) }),
        ...(marks.goneFiles !== undefined && { goneFiles: marks.goneFiles.map(clean) }),
        ...(other !== undefined && { conflictsWith: { ...other, content: clean(other.content) } }),
      },
    }),
  }
}
