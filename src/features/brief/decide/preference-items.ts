import type { Preference } from '../../../kernel/model/preference.ts'
import type { BriefItem, LeftItem } from '../../../kernel/model/selection.ts'
import { cutToTokens } from '../../../kernel/text/cut-to-tokens.ts'
import { redact } from '../../../kernel/text/redaction/redact.ts'
import { leftOut } from './allocate.ts'
import { countItem, type ItemOptions } from './compose-brief.ts'

/**
 * What the user's own preferences may take of a brief, and so of a session, since none is told twice in one. Four or five of one sentence
 * each; a start brief has 2,000 tokens, and what the project says must not make way for more.
 */
export const PREFERENCE_TOKENS = 120
/** Of a small brief they get no more than an eighth. */
const SHARE_OF_TOTAL = 1 / 8
/** After so many that did not fit the others are not counted any more: a prompt waits for this. */
const MAX_MISSES = 3
/** Less than this of one that was cut tells nothing. */
const MIN_CUT_TOKENS = 24

/**
 * The same first few every time, less those that the session knows: what a session is told of preferences is bounded, however many
 * prompts it has.
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
  // Whose it is the heading says, and when it was said matters little: both would cost more than the preference.
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
