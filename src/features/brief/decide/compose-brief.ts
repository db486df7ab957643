import type { Preference } from '../../../kernel/model/preference.ts'
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
import { cutToTokens } from '../../../kernel/text/cut-to-tokens.ts'
import { type RedactOptions, redact } from '../../../kernel/text/redaction/redact.ts'
import { estimateTokens } from '../../../kernel/text/token-estimate.ts'
import { allocate, leftOut } from './allocate.ts'
import { frameTokens, itemTokens, renderBrief, type UncountedItem } from './format.ts'

export interface BriefLimits {
  readonly format: BriefFormat
  /** Maximum tokens of the whole text. */
  readonly totalTokens: number
  /** The host's own limit: 9,500 on Claude Code and Codex, which cut or hide longer text. */
  readonly maxCharacters?: number
  /** Exceptions that the configuration makes. */
  readonly redaction?: RedactOptions | undefined
}

interface ItemOptions extends Pick<BriefLimits, 'format' | 'redaction'> {
  readonly mayCut?: boolean
}

interface BriefParts {
  readonly tiers: readonly Tier[]
  /** Omitted before the budget was allocated. */
  readonly left: readonly LeftItem[]
  /** Cairn's own words after the memory: how to save, what the project is. */
  readonly after?: string
}

/**
 * Renders tiers to text within the limits. The tokens of a text are not exactly the sum of its parts, and a host
 * counts characters: a result that is too long is allocated again with a smaller budget.
 */
export function composeBrief(
  parts: BriefParts,
  { format, totalTokens, maxCharacters = Infinity }: Omit<BriefLimits, 'redaction'>,
): Brief {
  const names = parts.tiers.filter(tier => tier.items.length > 0).map(tier => tier.name)
  const after = parts.after ?? ''
  let room = totalTokens - frameTokens(format, names) - (after === '' ? 0 : estimateTokens(`\n\n${after}`))
  for (;;) {
    const selection = allocate(parts.tiers, room)
    const text = [renderBrief(selection, format), after].filter(part => part !== '').join('\n\n')
    const tokens = estimateTokens(text)
    const overTokens = tokens - totalTokens
    const overCharacters = Math.ceil(((text.length - maxCharacters) / Math.max(1, text.length)) * tokens)
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

/** Every text of a brief passes through here and is redacted, whoever wrote it. */
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

/** Leaves a conflict's mark on the first entry of a pair: it quotes both sides, and a second mark would say the same again. */
export function conflictOnce(): (marked: MarkedEntry) => MarkedEntry {
  const pairs = new Set<string>()
  return marked => {
    const { entry, marks } = marked
    if (marks?.conflictsWith === undefined) return marked
    const pair = [entry.id, marks.conflictsWith.id].sort().join(' ')
    if (!pairs.has(pair)) {
      pairs.add(pair)
      return marked
    }
    const { conflictsWith: _, ...others } = marks
    return { ...marked, marks: others }
  }
}

/**
 * The tokens for the user's own preferences in one brief, and so in one session, since none is sent twice. Enough for
 * four or five sentences; a start brief has 2,000 tokens, and project entries must not be displaced.
 */
export const PREFERENCE_TOKENS = 120
/** Preferences get at most an eighth of a small brief. */
const SHARE_OF_TOTAL = 1 / 8
/** After this many preferences that did not fit, the others are not counted: a prompt waits for this. */
const MAX_MISSES = 3
/** A shorter cut of a preference is useless. */
const MIN_CUT_TOKENS = 24

/**
 * Always takes the same first preferences, minus those already in the session, so a session receives a bounded amount
 * however many prompts it has.
 */
export function preferenceItems(
  preferences: readonly Preference[],
  given: {
    readonly totalTokens: number
    readonly alreadySent?: ReadonlySet<string>
  } & ItemOptions,
): { readonly items: readonly BriefItem[]; readonly left: readonly LeftItem[] } {
  let room = Math.min(PREFERENCE_TOKENS, Math.floor(given.totalTokens * SHARE_OF_TOTAL))
  const items: BriefItem[] = []
  const left: LeftItem[] = []
  let misses = 0
  for (const preference of preferences) {
    const item = misses < MAX_MISSES ? itemWithin(preference, room, given) : undefined
    if (item === undefined) {
      misses += 1
      left.push(leftOut(preference, 'preferences', 'over the limit of its kind'))
    } else {
      room -= item.tokens
      if (given.alreadySent?.has(preference.id) === true)
        left.push(leftOut(preference, 'preferences', 'already in context'))
      else items.push(item)
    }
  }
  return { items, left }
}

function itemWithin(
  { id, kind, status, origin, text }: Preference,
  room: number,
  options: ItemOptions,
): BriefItem | undefined {
  // The heading names the owner, and the date matters little: both would cost more than the preference itself.
  const provenance = { kind, date: '', agent: '', status, origin }
  const count = (words: string) =>
    countItem({ tier: 'preferences', id, text: words, provenance }, { ...options, mayCut: true })
  const whole = count(text)
  if (whole.tokens <= room) return whole
  const around = count('').tokens
  if (room - around < MIN_CUT_TOKENS) return undefined
  const cut = count(cutToTokens(redact(text, options.redaction).text, room - around))
  return cut.text === '' || cut.tokens > room ? undefined : cut
}

/** The agent can open the file of a document: a brief only needs its subject and the reason for the match. */
const MAX_TOKENS = 120
const OPENING_TOKENS = 80

/** A short text whole; of a longer one its beginning, and the place that the prompt is about where that is further on. */
export function documentExcerpt(content: string, snippetOf: (content: string) => string): string {
  const opening = cutToTokens(content, MAX_TOKENS)
  if (opening === content || estimateTokens(content) <= MAX_TOKENS) return content
  const snippet = snippetOf(content).trim()
  // A snippet of the opening may have marks of its cut at both ends.
  const inner = snippet.replace(/^…\s*|\s*…$/g, '')
  if (inner === '' || opening.replace(/\s+/g, ' ').includes(inner.replace(/\s+/g, ' '))) return opening
  return `${cutToTokens(content, OPENING_TOKENS)}\n${snippet}`
}
