import { isRandomRun } from './high-entropy.ts'
import { findPlaceholders } from './placeholder.ts'
import { looksRandom } from './randomness.ts'
import { findRuns } from './runs.ts'

/** Places that a scanner inspects whatever stands in them. */
const PLACE = /:\/\/[^\s/@]{1,512}@|-----BEGIN|_authToken|:_password|xox[a-z]-/
const HEX_OR_ID = /^(?:0x)?[0-9a-f]+$|^[0-9A-F]+$|^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
/** A prefix and a body, the way vendors build tokens: `dckr_pat_…`, `hvs.…`, `glc_…`. */
const PREFIXED_TOKEN = /(?:^|[^A-Za-z0-9])[A-Za-z][A-Za-z0-9]{0,9}[-_.][\w.+/=-]{20,}$/

/**
 * Is there anything left in a redacted text that would be worth loading a secret scanner for? A library takes longer to
 * load than a hook may take, so prose, paths, digests and ids must answer no. It errs towards yes.
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
 * The same text without what a scanner would have to look at, for whoever has no time to load one and must write the text down. Takes
 * away more than a scanner would.
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
  // Where a place itself is left over, its whole word goes.
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

/** More digits than a version or a date in a file name would bring. */
function hasDenseDigits(part: string): boolean {
  return (part.match(/[A-Za-z]\d|\d[A-Za-z]/g)?.length ?? 0) >= 4
}

function withoutPlaceholders(text: string): string {
  let bare = ''
  let from = 0
  for (const { start, end } of findPlaceholders(text)) {
    // A space keeps what stood on either side apart.
    bare += `${text.slice(from, start)} `
    from = end
  }
  return bare + text.slice(from)
}
