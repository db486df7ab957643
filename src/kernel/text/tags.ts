import { codeSpans, proseBlocks } from './prose.ts'
import { whenNeeded } from './script.ts'

const tagInText = whenNeeded(() => /(^|[\s(])#(\p{L}[\p{L}\p{M}\p{N}_-]*)/gu)
/** `#a1b2c3`, `#a1b2c3ff`: six or eight. The short forms stay tags, or `#e2e` and `#b2b` would be colours. */
const HEX_COLOUR = /^(?=[^\d]*\d)(?:[0-9a-f]{6}|[0-9a-f]{8})$/i
const PLAIN_TAG = /^[a-z0-9_.+-]*$/

/**
 * Every `#word` of the prose, lower-cased, each once, in the order of first appearance.
 *
 *   Keep #auth in (#Middleware); not `#code`, [a link](#anchor), #123, #a1b2c3 → auth middleware
 */
export function extractTags(content: string): string[] {
  if (!content.includes('#')) return []
  const tags = new Set<string>()
  for (const { start, end } of proseBlocks(content)) addTagsOf(content.slice(start, end), tags)
  return [...tags]
}

/** Lower case, NFC, no `#`, no blank: the result fits on a heading line. '' if nothing is left. */
export function normaliseTag(text: string): string {
  if (PLAIN_TAG.test(text)) return text
  return text
    .toLowerCase()
    .normalize('NFC')
    .replace(/[\p{Cs}#,]+/gu, '')
    .trim()
    .replace(/[\s\p{Cc}]+/gu, '-')
}

/** One list of normalised tags, each once, in the order given. */
export function mergeTags(...lists: readonly (readonly string[])[]): string[] {
  const tags = new Set<string>()
  for (const list of lists) {
    for (const text of list) {
      const tag = normaliseTag(text)
      if (tag !== '') tags.add(tag)
    }
  }
  return [...tags]
}

function addTagsOf(block: string, tags: Set<string>): void {
  if (!block.includes('#')) return
  const code = codeSpans(block)
  let span = 0
  for (const match of block.matchAll(tagInText())) {
    const before = match[1] ?? ''
    const hash = match.index + before.length
    while (span < code.length && (code[span]?.end ?? 0) <= hash) span++
    if ((code[span]?.start ?? Infinity) <= hash) continue
    if (before === '(' && block[match.index - 1] === ']') continue
    const word = withoutTail(match[2] ?? '')
    if (!HEX_COLOUR.test(word)) tags.add(normaliseTag(word))
  }
}

/** `#later-` at the end of a sentence means `later`. */
function withoutTail(word: string): string {
  let end = word.length
  while (end > 0 && (word[end - 1] === '-' || word[end - 1] === '_')) end--
  return word.slice(0, end)
}
