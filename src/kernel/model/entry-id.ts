const DIGITS = /^\d+/
const ID_TIME = /^(\d{1,15})(?:[-~]|$)/
/** The first millisecond of the year 10000: later times do not have a four-digit year. */
const YEAR_10000_MS = 253_402_300_800_000

interface IdSource {
  readonly nowMs: number
  /** The time part of the last generated id: ids never repeat and never decrease, even if the clock goes back. */
  readonly lastMs: number
  /** 0 <= n < bound */
  readonly random: (bound: number) => number
}

/**
 *   1773679871839-k3f9
 *   └ milliseconds┘ └ four of base 36: two clones that write in the same millisecond do not collide
 */
export function newEntryId({ nowMs, lastMs, random }: IdSource): string {
  const ms = Math.max(Math.floor(nowMs), lastMs + 1)
  let suffix = ''
  for (let i = 0; i < 4; i++) suffix += random(36).toString(36)
  return `${ms}-${suffix}`
}

const MADE = /^\d{13}-[0-9a-z]{4}$/

/** An id in the form of `newEntryId`, which does not occur in normal text. */
export function isMadeId(text: string): boolean {
  return MADE.test(text)
}

const TYPED = 'typed-'

/** The id of an entry that a person typed: the same on every clone, as long as the text is the same. */
export function typedId(fingerprint: string): string {
  return TYPED + fingerprint
}

export function isTypedId(id: string): boolean {
  return id.startsWith(TYPED)
}

const COPY = /~\d+$/

/** `1773679871839-k3f9` for `1773679871839-k3f9~2`, the second entry with that id. */
export function rootOfId(id: string): string {
  return id.replace(COPY, '')
}

/** When the id was generated; undefined for ids that other tools or people chose. */
export function timeOfId(id: string): number | undefined {
  const digits = ID_TIME.exec(id)?.[1]
  if (digits === undefined) return undefined
  const ms = Number(digits)
  return ms < YEAR_10000_MS ? ms : undefined
}

/** Newest first: by the number an id starts with, then by the whole id. Ids without a number come last. */
export function compareIds(a: string, b: string): number {
  return compareNumbers(numberOf(b), numberOf(a)) || compareText(b, a)
}

function numberOf(id: string): string {
  return (DIGITS.exec(id)?.[0] ?? '').replace(/^0+(?=\d)/, '')
}

/** As text, so that ids of any length compare exactly. '' (no number) is the smallest. */
function compareNumbers(a: string, b: string): number {
  return a.length - b.length || compareText(a, b)
}

function compareText(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
