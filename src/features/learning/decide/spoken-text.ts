import { type Message, speakerOf } from '../../../kernel/model/message.ts'
import { FENCES, NOTICE } from '../../../kernel/text/memory-context-lines.ts'

/** A longer message contains a pasted file; what the person says about it is at the start or the end. */
const HEAD_CHARACTERS = 24_000
const TAIL_CHARACTERS = 8_000

const PRIVATE = /<\s{0,4}(\/?)\s{0,4}private\s{0,4}>/gi
const REMINDER = /<(\/?)system-reminder>/gi
const XML_FENCE = /<\s{0,4}(\/?)\s{0,4}project_memory\b[^>\n]{0,80}>/gi
const ENTRY = /<(\/?)entry\b[^>\n]{0,300}>/gi

const SKIP = /(?<![^\s(])#skip(?![\w-])/gi
const SKIP_LINE = /^[ \t]*#skip(?![\w-])/i
export const REMEMBER_LINE = /^[ \t]*#remember(?![\w-]):?/i

/** The user does not want it remembered. A #skip line below a #remember line only ends the remembered text and hides nothing more. */
export function isSkipped(text: string): boolean {
  if (text.search(SKIP) < 0) return false
  let isWanted = false
  for (const line of text.split('\n')) {
    if (!isWanted && REMEMBER_LINE.test(line)) isWanted = true
    const marks = line.match(SKIP)?.length ?? 0
    if (marks > (isWanted && SKIP_LINE.test(line) ? 1 : 0)) return true
  }
  return false
}

/**
 * A message without private parts and without text that Cairn or the host inserted. A part that opens and never ends extends to the end,
 * and one that ends and never opened starts at the beginning, so that half of a pasted brief is still recognised.
 */
export function ownText(text: string): string {
  let own = text
  if (own.includes('<')) {
    for (const pattern of [PRIVATE, XML_FENCE, REMINDER, ENTRY]) own = withoutBetween(own, pattern)
  }
  return withoutSkipped(withoutBriefs(own))
}

/** From a line that begins with #skip to the next that begins with #remember. */
function withoutSkipped(text: string): string {
  if (text.search(SKIP) < 0) return text
  let isSilent = false
  const result = text.split('\n').filter(line => {
    if (SKIP_LINE.test(line)) isSilent = true
    else if (REMEMBER_LINE.test(line)) isSilent = false
    return !isSilent
  })
  return result.join('\n')
}

/** The head and the tail of a text that is too long, cut at line ends. */
export function readablePart(text: string): string {
  if (text.length <= HEAD_CHARACTERS + TAIL_CHARACTERS) return text
  const headEnd = text.lastIndexOf('\n', HEAD_CHARACTERS)
  const tailStart = text.indexOf('\n', text.length - TAIL_CHARACTERS)
  const head = headEnd > 0 ? text.slice(0, headEnd) : ''
  const tail = tailStart > 0 ? text.slice(tailStart) : ''
  return `${head}\n\n${tail}`
}

function withoutBetween(text: string, pattern: RegExp): string {
  let result = ''
  let depth = 0
  let from = 0
  for (const match of text.matchAll(pattern)) {
    const opens = match[1] === ''
    if (opens) {
      if (depth === 0) result += `${text.slice(from, match.index)}\n`
      depth++
    } else if (depth > 0) depth--
    else result = ''
    from = match.index + match[0].length
  }
  return depth > 0 ? result : result + text.slice(from)
}

const FENCE_WORDS = /memory context/i
const OPEN_LINES = new Set([FENCES.markdown.open, FENCES.plain.open].map(bareLine))
const CLOSE_LINES = new Set([FENCES.markdown.close, FENCES.plain.close].map(bareLine))
/** `- [decision · 2026-03-16 · ana · #1773679871839-k3f9] …`, its lines two blanks in */
const BRIEF_ITEM = /^\s*[-*] \[[^\]\n]{0,200} · [^\]\n]{0,200}\]/
const BRIEF_MARK = /^\s*\[(?:⚠ |SUPERSEDED)/
const NOTICE_START = NOTICE.slice(0, 40)

function bareLine(line: string): string {
  return line
    .replace(/[^A-Za-z]+/g, ' ')
    .trim()
    .toLowerCase()
}

/** Briefs in Markdown and plain text: whole, cut at either end, or a few items of one. */
function withoutBriefs(text: string): string {
  const hasFence = FENCE_WORDS.test(text)
  if (!hasFence && !text.includes(' · ') && !text.includes(NOTICE_START)) return text
  let result: string[] = []
  let inBrief = false
  let inItem = false
  for (const line of text.split('\n')) {
    const bare = hasFence && line.length < 120 ? bareLine(line) : ''
    if (CLOSE_LINES.has(bare)) {
      if (!inBrief) result = []
      inBrief = false
      continue
    }
    if (OPEN_LINES.has(bare)) inBrief = true
    if (inBrief) continue
    const isItem = line.length < 4_000 && BRIEF_ITEM.test(line)
    inItem = isItem || (inItem && line.startsWith('  '))
    if (inItem || BRIEF_MARK.test(line) || line.includes(NOTICE_START)) continue
    result.push(line)
  }
  return result.join('\n')
}

const CODE_FENCE = /^\s{0,8}(`{3,}|~{3,})/

/** Reads line by line which lines are fenced code, the fences included. */
export function fenceReader(): (line: string) => 'opens' | 'inside' | 'no' {
  let fence = ''
  return line => {
    const mark = line.length < 200 ? (CODE_FENCE.exec(line)?.[1] ?? '') : ''
    if (fence !== '') {
      if (mark.startsWith(fence)) fence = ''
      return 'inside'
    }
    if (mark === '' || line.slice(line.indexOf(mark) + mark.length).includes('`')) return 'no'
    fence = mark
    return 'opens'
  }
}

/** Text that people do not type: prompts, comments, stack frames, log lines, diffs, tables, quotations. */
const PRINTED = [
  /^\s*(?:\$|%|>>>|\.\.\.|PS>|C:\\)\s/,
  /^\s*>/,
  /^\s*(?:\/\/|\/\*|\*\/|--\s|#!|<!--|;;|"""|'''|@@ |[+-]{3} [ab]?\/|diff --git|index [0-9a-f]{6,})/,
  /^\s*(?:at\s+\S+(?:[.(:]|\s\()|File "|Caused by:|Traceback \(|\.{3} \d+ more|\^+\s*$|raise |throw new |panic:)/,
  /^\s*\[?\(?\d{4}-\d\d-\d\d[T ]\d\d:\d\d/,
  /^\s*\[?\d\d:\d\d:\d\d/,
  /^\s*\[?(?:ERROR|WARN|WARNING|INFO|DEBUG|TRACE|FATAL|FAIL|PASS|ok|E|W)\]?(?:\s{2,}|\s*[:/|]\s*\S|\s+\[)/,
  /^\s*(?:[\w.@-]+\/)*[\w.@-]+\.\w{1,8}:\d+(?::\d+)?[: ]/,
  /^\s*\|.*\|\s*$/,
  /^\s*[{}[\]()<>;,]/,
  /[{;]\s*$|=>\s*$|^\s*(?:import|export|const|let|var|def|fn|func|class|public|private|return|if \(|for \(|while \(|SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER)\b.*[=({;:*]/,
  /^\s*[\w.]+\s*(?:=|:=|\+=)\s*\S+\s*$/,
]
const HEADING_OR_RULE = /^\s*(?:#{1,6}\s|[-=*_]{3,}\s*$)/
const MAX_LINE = 2_000
const MAX_WORD = 160

/** `2`, `b)`: a choice from a list. */
const PLAIN_CHOICE = /^\s*\(?(?:\d{1,2}|[a-h])\)?[.!]?\s*$/i

/** A line that looks typed, not printed. */
export function isSaid(line: string): boolean {
  if (line.length > MAX_LINE) return false
  if (line.length < 8 && PLAIN_CHOICE.test(line)) return true
  let word = 0
  let letters = 0
  let blanks = 0
  for (let at = 0; at < line.length; at++) {
    const code = line.charCodeAt(at)
    if (code === 32 || code === 9) {
      blanks++
      word = 0
    } else if (++word > MAX_WORD) return false
    if ((code | 32) >= 97 && (code | 32) <= 122) letters++
    else if (code > 0xbf) letters++
  }
  // The words are short here, which keeps the patterns fast.
  return letters >= (line.length - blanks) * 0.6 && !PRINTED.some(pattern => pattern.test(line))
}

/** The typed lines, without code, output and quotations. A removed part ends a block. */
export function saidLines(text: string): string {
  const result: string[] = []
  const fenced = fenceReader()
  for (const line of text.split('\n')) {
    const code = fenced(line)
    if (code === 'inside') continue
    if (code === 'opens') result.push('')
    else if (HEADING_OR_RULE.test(line)) result.push('', `${line.replace(/^[\s#]+|[\s:#]+$/g, '')}:`, '')
    else result.push(isSaid(line) ? line : '')
  }
  return result.join('\n')
}

/** The text of a person or an agent in a message, on one line. */
export function spokenTextOf(message: Message): string | undefined {
  const speaker = speakerOf(message.role)
  if (message.internal === true || (speaker !== 'user' && speaker !== 'agent')) return undefined
  if (isSkipped(message.text)) return undefined
  const said = ownText(message.text).replace(/\s+/g, ' ').trim()
  return said === '' ? undefined : said
}
