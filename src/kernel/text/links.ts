import { type Category, isCategory } from '../model/category.ts'
import type { LinkTarget } from '../model/graph.ts'
import { foldText } from './fold.ts'
import { codeSpans, proseBlocks } from './prose.ts'

/** One `[[…]]` of an entry. It is resolved on demand, because the target may be renamed meanwhile. */
export interface LinkMention {
  /** `[[target|text]]`; without a bar, the text is the target. */
  readonly target: string
  readonly text: string
  /** From the first bracket to after the last. */
  readonly at: number
  readonly end: number
}

/** The length between the brackets. Longer than any title that people refer to, and it limits the scan. */
const MAX_LINK_LENGTH = 300
const MAX_LINKS = 256
/** Titles are compared up to this length. */
export const TITLE_CHARACTERS = 160
/** A shorter beginning of a title would be unique by chance. */
export const MIN_PREFIX_LENGTH = 12

/**
 * Every link of the prose, in order.
 *
 * see [[1773679871839-k3f9]], [[Sessions live in Redis|where]] and [[dev/decisions]]; not `[[code]]`
 */
export function findLinks(content: string): LinkMention[] {
  if (!content.includes('[[')) return []
  const links: LinkMention[] = []
  for (const { start, end } of proseBlocks(content)) {
    const block = content.slice(start, end)
    if (!block.includes('[[')) continue
    const code = codeSpans(block)
    let span = 0
    for (const link of linksOfBlock(block)) {
      while (span < code.length && (code[span]?.end ?? 0) <= link.at) span++
      if ((code[span]?.start ?? Number.POSITIVE_INFINITY) < link.end) continue
      links.push({ ...link, at: link.at + start, end: link.end + start })
      if (links.length === MAX_LINKS) return links
    }
  }
  return links
}

function* linksOfBlock(block: string): Generator<LinkMention> {
  for (let open = block.indexOf('[['); open >= 0; ) {
    // In a longer run of brackets, the last two open the link, so each character is read once.
    while (block[open + 2] === '[') open++
    const closing = closingOf(block, open + 2)
    if (closing.found) {
      const inner = block.slice(open + 2, closing.at)
      const bar = inner.indexOf('|')
      const target = (bar < 0 ? inner : inner.slice(0, bar)).trim()
      const text = bar < 0 ? target : inner.slice(bar + 1).trim() || target
      if (target !== '') yield { target, text, at: open, end: closing.at + 2 }
    }
    open = block.indexOf('[[', closing.at)
  }
}

/** The `]]`, or where the search ended: at a line break, another bracket, or the maximum length. */
function closingOf(block: string, from: number): { found: boolean; at: number } {
  const last = Math.min(block.length, from + MAX_LINK_LENGTH)
  for (let at = from; at < last; at++) {
    const character = block[at]
    if (character === ']' && block[at + 1] === ']') return { found: true, at }
    if (character === '\n' || character === '[') return { found: false, at }
  }
  return { found: false, at: last }
}

const FENCE_LINE = /^\s*(?:`{3,}|~{3,})/
/** Heading, quote, bullet, number and checkbox before the text of a line. */
const LINE_MARKS = /^(?:\s+|#{1,6}\s|>|[-*+]\s|\d{1,9}[.)]\s|\[[ xX]\]\s)+/
const LINK_MARKS = /!?\[\[([^[\]|]*\|)?([^[\]]*)\]\]|!?\[([^[\]]*)\]\([^()]*\)/g
const INLINE_MARKS = /[*_~`]+/g
const HAS_MARKS = /[*_~`[]/
const BLANKS = /\s{2,}|[^\S ]/g
const TRAILING_PUNCTUATION = /[\s.,;:!?…#]+$/

/** An entry with more leading blank lines than this has no title. */
const SCANNED_FOR_TITLE = 16_384

/** The comparable title of an entry: its first line of text. '' if there is none. */
export function linkTitleOf(content: string): string {
  for (let start = 0; start < Math.min(content.length, SCANNED_FOR_TITLE); ) {
    const newline = content.indexOf('\n', start)
    const end = newline < 0 ? content.length : newline
    const line = content.slice(start, Math.min(end, start + 4 * TITLE_CHARACTERS))
    start = end + 1
    if (FENCE_LINE.test(line)) continue
    const title = foldTitle(line)
    if (title !== '') return title
  }
  return ''
}

/** `## **Sessões** live in [Redis](x).` and `sessoes live in redis` are one title. */
export function foldTitle(text: string): string {
  let bare = text.slice(0, 4 * TITLE_CHARACTERS).replace(LINE_MARKS, '')
  if (HAS_MARKS.test(bare)) bare = bare.replace(LINK_MARKS, '$2$3').replace(INLINE_MARKS, '')
  // Markup and doubled blanks may be longer than the remaining text, so the cut comes after them.
  return foldText(bare.replace(BLANKS, ' '))
    .trim()
    .slice(0, TITLE_CHARACTERS)
    .replace(TRAILING_PUNCTUATION, '')
}

const HEADLINE_CHARACTERS = 80

/** The first line of an entry, as shown next to its id. */
export function headlineOf(content: string): string {
  const line =
    content
      .trimStart()
      .slice(0, 4 * HEADLINE_CHARACTERS)
      .split('\n', 1)[0] ?? ''
  const bare = line.replace(LINE_MARKS, '').trim()
  return bare.length <= HEADLINE_CHARACTERS ? bare : `${bare.slice(0, HEADLINE_CHARACTERS - 1)}…`
}

/** The lookups for resolution. Each list may stop at two: more than one is ambiguous. */
export interface LinkLookup {
  hasEntry(id: string): boolean
  hasVaultFile(agent: string, category: Category): boolean
  idsByTitle(title: string): readonly string[]
  idsByTitlePrefix(prefix: string): readonly string[]
}

/**
 * An id, then a vault file, then a whole title, then the beginning of one title. `fromId` never links to itself by its words: `See
 * [[Sessions live in Redis]]` begins with them.
 */
export function resolveLink(target: string, lookup: LinkLookup, fromId?: string): LinkTarget {
  if (lookup.hasEntry(target)) return { kind: 'entry', id: target }
  const vault = vaultFileOf(target)
  if (vault !== undefined && lookup.hasVaultFile(vault.agent, vault.category)) {
    return { kind: 'file', ...vault }
  }
  const title = foldTitle(target)
  if (title === '') return { kind: 'dangling', reason: 'unknown' }
  const others = (ids: readonly string[]) => ids.filter(id => id !== fromId)
  const exact = others(lookup.idsByTitle(title))
  const found =
    exact.length > 0 || title.length < MIN_PREFIX_LENGTH ? exact : others(lookup.idsByTitlePrefix(title))
  const [id] = found
  if (id === undefined) return { kind: 'dangling', reason: 'unknown' }
  return found.length === 1 ? { kind: 'entry', id } : { kind: 'dangling', reason: 'ambiguous' }
}

/** `dev/decisions` and `Dev/decisions.md`. */
export function vaultFileOf(target: string): { agent: string; category: Category } | undefined {
  const [agent = '', file = '', more] = target.toLowerCase().split('/')
  const category = file.replace(/\.md$/, '')
  return agent !== '' && more === undefined && isCategory(category) ? { agent, category } : undefined
}
