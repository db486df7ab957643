import { findAssignments } from './assignments.ts'
import { findInCommandLines } from './command-lines.ts'
import { findEmails } from './email.ts'
import { findDataUris, findHighEntropy } from './high-entropy.ts'
import { findKubernetesSecrets } from './kubernetes-secrets.ts'
import { isMachineMade, isUnmistakable } from './literal-value.ts'
import { findPersonalNumbers } from './personal-numbers.ts'
import {
  findPlaceholders,
  locate,
  mergeSpans,
  type Range,
  type Redaction,
  type RedactionType,
  replaceSpans,
  type Span,
} from './placeholder.ts'
import { findArmouredBlocks } from './private-key.ts'
import { isWordy, looksRandom } from './randomness.ts'
import { findRuns } from './runs.ts'
import { findInTables } from './table-columns.ts'
import { findTokens } from './token-rules.ts'
import { findUrlCredentials, findUrls } from './url-credentials.ts'
import { findVendorKeys } from './vendor-context.ts'
import { findWrappedTokens } from './wrapped-tokens.ts'

export type { Redaction } from './placeholder.ts'

export interface RedactOptions {
  /** E-mail addresses. On unless switched off. */
  readonly emails?: boolean
  /** Card numbers, IBANs, CPFs and phone numbers. On unless switched off. */
  readonly personalNumbers?: boolean
  /**
   * A guess or an address that matches one of these is not removed: an assignment by name, a high-entropy string, an e-mail address. A
   * certain secret always is: `config.json` comes with a repository and must not let secrets through.
   */
  readonly allow?: readonly RegExp[]
}

export interface RedactedText {
  readonly text: string
  readonly redacted: Redaction[]
}

/**
 * How often a stretch may show something new once its neighbours are removed. Real text needs two rounds; text that needs more was built
 * to, so the rest of it is removed as a whole.
 */
const MAX_ROUNDS = 6

/**
 * Removes secrets and mail addresses before anything is persisted.
 *
 * A placeholder is a wall: the stretches between placeholders are inspected as if each were a text of its own. And a stretch is finished
 * only when another inspection finds nothing. Together these make a second pass change nothing, whatever the text:
 *
 * "a SECRET b SECRET c"  →  "a " ▮ " b " ▮ " c"  →  each of the three is inspected again
 */
export function redact(text: string, options: RedactOptions = {}): RedactedText {
  const first = collectAll(text, { options, known: new Map() })
  const known = secretsToFollow(text, first)
  const found = new Set(first.map(({ start }) => start))
  const isRepeated = findRepeats(text, known).some(({ start }) => !found.has(start))
  const spans = isRepeated ? collectAll(text, { options, known }) : first
  if (spans.length === 0) return { text, redacted: [] }
  return { text: replaceSpans(text, spans), redacted: locate(text, spans) }
}

interface Search {
  readonly options: RedactOptions
  /** Secrets that are recognised in one place of the text and repeated in others. */
  readonly known: ReadonlyMap<string, RedactionType>
}

function collectAll(text: string, search: Search): Span[] {
  const spans: Span[] = []
  let start = 0
  for (const wall of findPlaceholders(text)) {
    collect(text, { start, end: wall.start }, search, spans)
    start = wall.end
  }
  collect(text, { start, end: text.length }, search, spans)
  return spans
}

/** Appends, in order, every span of the stretch to remove. */
function collect(text: string, stretch: Range, search: Search, spans: Span[], round = 1): void {
  if (stretch.end === stretch.start) return
  const part = text.slice(stretch.start, stretch.end)
  const found = detect(part, search)
  if (found.length === 0) return
  if (round > MAX_ROUNDS) {
    spans.push({ type: 'unsafe_text', ...stretch })
    return
  }
  let start = stretch.start
  for (const span of found) {
    const shifted = { type: span.type, start: stretch.start + span.start, end: stretch.start + span.end }
    collect(text, { start, end: shifted.start }, search, spans, round + 1)
    spans.push(shifted)
    start = shifted.end
  }
  collect(text, { start, end: stretch.end }, search, spans, round + 1)
}

/** One inspection of one stretch: as it is, and as a reader sees it, without zero-width characters. */
function detect(text: string, { options, known }: Search): Span[] {
  const found = detectVisible(text, { options, known })
  const bare = withoutInvisible(text)
  if (bare === undefined) return found
  const seen = detectVisible(bare.text, { options, known }).map(({ type, start, end }) => ({
    type,
    start: bare.originalAt(start),
    end: bare.originalAt(end - 1) + 1,
  }))
  return seen.length === 0 ? found : mergeSpans([...seen, ...found])
}

/** The detectors are in the order of how precise their type is, which decides overlaps. */
function detectVisible(text: string, { options, known }: Search): Span[] {
  const { emails = true, personalNumbers = true, allow = [] } = options
  const lowerCased = text.toLowerCase()
  const runs = findRuns(text)
  const urls = findUrls(text)
  const { privateKeys, publicBlocks } = findArmouredBlocks(text)
  const harmless = [...urls, ...publicBlocks, ...findDataUris(text)].sort((a, b) => a.start - b.start)
  const credentials = findUrlCredentials(text, urls)
  const tokens = findTokens(text, runs)
  const certain = [
    ...privateKeys,
    ...findWrappedTokens(text, tokens),
    ...tokens,
    ...credentials,
    ...findInCommandLines(text, lowerCased),
    ...findKubernetesSecrets(text),
  ]
  const likely = [
    ...findAssignments(text, lowerCased),
    ...findInTables(text, lowerCased),
    ...findVendorKeys(text, runs),
    ...findHighEntropy(text, runs, harmless, isHarmlessText),
    ...(emails ? findEmails(text, credentials) : []),
    ...(personalNumbers ? findPersonalNumbers(text) : []),
  ]
  const refused = likely.filter(
    span => !allow.some(pattern => text.slice(span.start, span.end).search(pattern) !== -1),
  )
  const repeats = findRepeats(text, known)
  if (certain.length + refused.length + repeats.length === 0) return []
  return mergeSpans([...[...certain, ...refused].map(span => overBreak(text, span)), ...repeats])
}

/** The second half of a secret that was broken over two lines, if it fills its line and is not a word. */
const SECOND_HALF =
  /["'`]?[ \t]{0,8}\\?\r?\n[ \t]{0,40}["'`]?([A-Za-z0-9+/_=!@#$%^&*-]{4,200})(?=["'`]?[ \t]*(?:\r?\n|$))/y
const MIN_BROKEN_LENGTH = 8

function overBreak(text: string, span: Span): Span {
  if (span.end - span.start < MIN_BROKEN_LENGTH || span.type === 'email' || span.type === 'phone') return span
  SECOND_HALF.lastIndex = span.end
  const half = SECOND_HALF.exec(text)?.[1]
  if (half === undefined || !/\d/.test(half) || !/[A-Za-z]/.test(half) || isWordy(half)) return span
  return { ...span, end: SECOND_HALF.lastIndex }
}

/** Base64 of text that needs no redaction. */
function isHarmlessText(decoded: string): boolean {
  return (
    detect(decoded, { options: { emails: false, personalNumbers: false }, known: new Map() }).length === 0
  )
}

/**
 * Soft hyphens, zero-width characters, joiners, direction marks and variation selectors: invisible, but they would break the match of a
 * rule.
 */
const INVISIBLE =
  /(?:[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]|[\ufe00-\ufe0f])+/g

interface BareText {
  readonly text: string
  /** The position in the original of a character of the bare text. */
  readonly originalAt: (index: number) => number
}

/** The text without its invisible characters; undefined if it has none. */
function withoutInvisible(text: string): BareText | undefined {
  const starts: number[] = []
  const skipped: number[] = []
  let bare = ''
  let from = 0
  for (const match of text.matchAll(INVISIBLE)) {
    bare += text.slice(from, match.index)
    from = match.index + match[0].length
    starts.push(bare.length)
    skipped.push(from - bare.length)
  }
  if (starts.length === 0) return undefined
  bare += text.slice(from)
  return { text: bare, originalAt: index => index + (skipped[lastAtMost(starts, index)] ?? 0) }
}

/** The position of the last of the sorted numbers that is at most the limit, or -1. */
function lastAtMost(sorted: readonly number[], limit: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? 0) <= limit) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** A value between the separators of a sentence, an address or an assignment. */
const WORD = /[^\s"'`<>()[\]{},;:=|/\\&?.]{8,}/g

/** So distinctive that its other occurrences in the same text can only mean the secret. */
function isDistinctive(value: string): boolean {
  return isMachineMade(value) || isUnmistakable(value) || looksRandom(value)
}

/** The secrets of a text that may occur again where nothing identifies them. */
function secretsToFollow(text: string, spans: readonly Span[]): Map<string, RedactionType> {
  const secrets = new Map<string, RedactionType>()
  for (const { type, start, end } of spans) {
    if (end - start > MAX_LENGTH) continue
    const value = text.slice(start, end)
    // The punctuation may belong to the sentence.
    for (const secret of [value, value.replace(/[!?]+$/, '')])
      if (isDistinctive(secret)) secrets.set(secret, type)
  }
  return secrets
}

const MAX_LENGTH = 512

/** `token = 'x'` identifies `x`; the same `x` in an address further down is the token too. */
function findRepeats(text: string, secrets: ReadonlyMap<string, RedactionType>): Span[] {
  if (secrets.size === 0) return []
  return Array.from(text.matchAll(WORD)).flatMap(match => {
    const type = secrets.get(match[0])
    return type === undefined ? [] : [{ type, start: match.index, end: match.index + match[0].length }]
  })
}
