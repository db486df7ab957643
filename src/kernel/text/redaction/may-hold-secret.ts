import { isRandomRun } from './high-entropy.ts'
import { findPlaceholders } from './placeholder.ts'
import { looksRandom } from './randomness.ts'
import { findRuns } from './runs.ts'

/** Places that a scanner inspects whatever their content. */
const PLACE = /:\/\/[^\s/@]{1,512}@|-----BEGIN|_authToken|:_password|xox[a-z]-/
const HEX_OR_ID = /^(?:0x)?[0-9a-f]+$|^[0-9A-F]+$|^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
/** A prefix and a body, the way vendors build tokens: `dckr_pat_…`, `hvs.…`, `glc_…`. */
const PREFIXED_TOKEN = /(?:^|[^A-Za-z0-9])[A-Za-z][A-Za-z0-9]{0,9}[-_.][\w.+/=-]{20,}$/

/**
 * Whether a redacted text may still contain something that is worth loading a secret scanner for. A library takes longer to load than a
 * hook may take, so prose, paths, digests and ids must answer no. If unsure, the answer is yes.
 */
export function mayHoldSecret(text: string): boolean {
  const bare = withoutPlaceholders(text)
  if (PLACE.test(bare)) return true
  return findRuns(bare).some(({ start, end }) => {
    const run = bare.slice(start, end)
    return run.split(/[/:=%@!~]+/).some(part => part.length >= 20 && isTokenLike(part))
  })
}

/**
 * The text without everything that a scanner would inspect, for a caller that must write it down but has no time to load a scanner.
 * Removes more than a scanner would.
 */
export function withoutUnsure(text: string): string {
  if (!mayHoldSecret(text)) return text
  let sure = ''
  let from = 0
  for (const { start, end } of findPlaceholders(text)) {
    sure += sureOf(text.slice(from, start)) + text.slice(start, end)
    from = end
  }
  return sure + sureOf(text.slice(from))
}

const UNSURE = '[redacted:unsafe_text]'

function sureOf(stretch: string): string {
  const begin = stretch.indexOf('-----BEGIN')
  const open = begin === -1 ? stretch : stretch.slice(0, begin)
  let sure = ''
  let from = 0
  for (const { start, end } of findRuns(open)) {
    const run = open.slice(start, end)
    if (!run.split(/[/:=%@!~]+/).some(part => part.length >= 20 && isTokenLike(part))) continue
    sure += open.slice(from, start) + UNSURE
    from = end
  }
  sure += open.slice(from)
  // If a place itself remains, its whole word is removed.
  sure = sure.replace(/\S+/g, word => (PLACE.test(word) ? UNSURE : word))
  return begin === -1 ? sure : `${sure}${UNSURE}`
}

function isTokenLike(part: string): boolean {
  if (HEX_OR_ID.test(part) || !/\d/.test(part)) return looksRandom(part)
  return (
    isRandomRun(part) ||
    part.split(/[^A-Za-z0-9]+/).some(looksRandom) ||
    (PREFIXED_TOKEN.test(part) && hasDenseDigits(part))
  )
}

/** More digits than a version or a date in a file name has. */
function hasDenseDigits(part: string): boolean {
  return (part.match(/[A-Za-z]\d|\d[A-Za-z]/g)?.length ?? 0) >= 4
}

function withoutPlaceholders(text: string): string {
  let bare = ''
  let from = 0
  for (const { start, end } of findPlaceholders(text)) {
    // A space separates the parts on either side.
    bare += `${text.slice(from, start)} `
    from = end
  }
  return bare + text.slice(from)
}
