import { foldText } from '../../../kernel/text/fold.ts'
import { codeSpans } from '../../../kernel/text/prose.ts'
import { fenceReader, isSaid, REMEMBER_LINE } from './spoken-text.ts'

export interface Sentence {
  readonly text: string
  /** For the cues: folded, without code, quotations and emphasis. */
  readonly folded: string
  /** The index of its paragraph or list item, from 0. */
  readonly block: number
  /** The line that introduces its list: `Left to do:` */
  readonly lead: string
  /** Its number or letter, if it begins a list item: `3`, `b`. */
  readonly item?: string
}

const ITEM = /^\s*(?:[-*+•]|(\d{1,3})[.)]|\(?([a-hA-H])\))\s+(?=\S)/
const MAX_SENTENCES = 400
const MAX_SENTENCE = 1_500
/** A line of this length that does not end a sentence was wrapped. */
const WRAPPED_LINE = 60
const ABBREVIATION =
  /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|approx|no|nr|fig|p\. ?ex|ex|sr|sra|dr|dra|obs|pág|pag|\w)\.$/i

/**
 * Splits a text into sentences. A list item is a block of its own, with the line before the list as its lead.
 *
 *   Left to do:          → lead "Left to do", block 1 "the e-mail", block 2 "the docs"
 *   - the e-mail
 *   - the docs
 */
export function splitSentences(spoken: string): Sentence[] {
  const sentences: Sentence[] = []
  let block = -1
  let lead = ''
  let open = ''
  let item: string | undefined
  const flush = () => {
    if (open === '') return
    block++
    if (/:\s*$/.test(open) && open.length < 120) lead = open.replace(/[\s:*_]+$/, '')
    cutSentences(open).forEach((text, at) => {
      const numbered = at === 0 && item !== undefined ? { item } : {}
      sentences.push({ text, folded: foldForCues(text), block, lead: leadOf(), ...numbered })
    })
    open = ''
    item = undefined
  }
  let inList = false
  const leadOf = () => (inList ? lead : '')
  for (const line of spoken.split('\n')) {
    if (sentences.length >= MAX_SENTENCES) break
    const bare = line.trim()
    if (bare === '') {
      flush()
      continue
    }
    const mark = ITEM.exec(line)
    if (mark !== null) {
      flush()
      inList = true
      item = mark[1] ?? mark[2]
      open = line.slice(mark[0].length).trim()
    } else if (inList && /^\s{2,}/.test(line)) open = `${open} ${bare}`.trim()
    else if (open !== '' && !inList && open.length >= WRAPPED_LINE && !/[.!?:;]["')]?$/.test(open)) {
      open = `${open} ${bare}`
    } else {
      // Two short lines of one paragraph stay in one block, because people chat that way.
      if (inList) flush()
      inList = false
      open = open === '' ? bare : `${open}${/[.!?:;,]$/.test(open) ? '' : '.'} ${bare}`
    }
    if (/:$/.test(open) && open.length < 120) flush()
  }
  flush()
  return sentences
}

/** A loop, because a lookbehind for every dot of a long line would not be linear. */
function cutSentences(text: string): string[] {
  const sentences: string[] = []
  let start = 0
  for (let at = 0; at < text.length; at++) {
    const letter = text[at]
    if (letter !== '.' && letter !== '!' && letter !== '?' && letter !== '…') continue
    while (at + 1 < text.length && '.!?…)"\'”'.includes(text[at + 1] ?? '')) at++
    if (at + 1 < text.length && text[at + 1] !== ' ') continue
    if (letter === '.' && ABBREVIATION.test(text.slice(Math.max(start, at - 8), at + 1))) continue
    push(text.slice(start, at + 1), sentences)
    start = at + 1
  }
  push(text.slice(start), sentences)
  return sentences
}

function push(text: string, into: string[]): void {
  const sentence = text.trim().replace(/\s+/g, ' ')
  if (sentence === '' || (sentence.length === 1 && !/[\da-h]/i.test(sentence))) return
  // A mark stays with its sentence.
  if (sentence.length <= MAX_SENTENCE || hasRemember(sentence)) into.push(sentence)
}

function foldForCues(text: string): string {
  let plain = ''
  let from = 0
  for (const { start, end } of text.includes('`') ? codeSpans(text) : []) {
    plain += `${text.slice(from, start)}code`
    from = end
  }
  plain += text.slice(from)
  return foldText(plain)
    .replace(/[’‘]/g, "'")
    .replace(/["“«][^"“”«»]{1,600}["”»]/g, quoted => (quoted.includes(' ') ? 'quoted' : quoted))
    .replace(/(?<![^\s(:,])'(?=\w)[^'\n]{3,400}'(?![\w])/g, quoted =>
      quoted.includes(' ') ? 'quoted' : quoted,
    )
    .replace(/\*\*|__/g, '')
    .trim()
}

/** The marked text of one message, and the rest of it. */
interface WantedParts {
  /** Free Markdown, as the person wrote it. */
  readonly parts: readonly string[]
  /** For the rules; marks inside its sentences are still there. */
  readonly rest: string
}

const REMEMBER = /(^|[\s(])#remember(?![\w-]):?/gi
/** In a longer text, or in a line that looks like output, a mark covers its line. */
const MAX_SIMPLE = 3_000

/**
 * `#remember` at the beginning of a line covers everything to the end of the message, or to the next line that begins with a mark. As the
 * last line it covers the text before it. In a code block it is code.
 *
 *   please look at this       → rest
 *   #remember Deploy steps:   → a part, with the lines below it
 *   1. build
 */
export function wantedParts(text: string): WantedParts {
  if (!hasRemember(text)) return { parts: [], rest: text }
  const parts: string[] = []
  let rest: string[] = []
  let open: string[] | undefined
  const close = () => {
    const part = trimmed(open ?? [])
    if (part !== '') parts.push(part)
    else if (open !== undefined) {
      const before = trimmed(rest)
      if (before !== '') parts.push(before)
      rest = []
    }
    open = undefined
  }
  const fenced = fenceReader()
  for (const line of text.split('\n')) {
    const isCode = fenced(line) !== 'no'
    const mark = isCode ? null : REMEMBER_LINE.exec(line)
    if (mark !== null) {
      close()
      open = [withoutRemember(line.slice(mark[0].length)).trim()]
    } else if (open !== undefined) open.push(isCode ? line : withoutRemember(line))
    else if (!isCode && isMarkedOddly(line, text)) {
      parts.push(...markedIn(line))
      rest.push('')
    } else rest.push(line)
  }
  close()
  return { parts: parts.filter(part => part !== ''), rest: rest.join('\n') }
}

/** Sentence splitting could lose the mark here. Quoted text is by another author. */
function isMarkedOddly(line: string, text: string): boolean {
  if (!hasRemember(line) || /^\s*>/.test(line)) return false
  return text.length > MAX_SIMPLE || !isSaid(line)
}

const MAX_LINE = 1_500
const REACH = 1_000

/** The whole line; in a very long line the text around each mark, between full stops. */
function markedIn(line: string): string[] {
  if (line.length <= MAX_LINE) return [withoutRemember(line).trim()]
  const parts: string[] = []
  let end = 0
  for (const { index, 0: mark } of line.matchAll(REMEMBER)) {
    if (index < end) continue
    const before = line.slice(Math.max(end, index - REACH), index).replace(/^.*[.!?] (?=.*\S)/s, '')
    const after = line.slice(index + mark.length, index + mark.length + REACH)
    const stop = /[.!?](?= |$)/.exec(after)
    const rest = stop === null ? after : after.slice(0, stop.index + 1)
    end = index + mark.length + rest.length
    parts.push(withoutRemember(`${before}${rest}`).trim())
  }
  return parts
}

function trimmed(lines: readonly string[]): string {
  return lines
    .join('\n')
    .replace(/^(?:[ \t]*\n)+/, '')
    .trimEnd()
}

export function hasRemember(text: string): boolean {
  return text.search(REMEMBER) >= 0
}

/** Also removes the space before it, so that `a #remember.` leaves `a.` */
export function withoutRemember(text: string): string {
  return text.replace(REMEMBER, (_, before: string) => (before === '(' || before === '\n' ? before : ''))
}
