import { fenceReader, isSaid, REMEMBER_LINE } from './spoken-text.ts'

/** What a person marked in one message, and what else there is in it. */
export interface WantedParts {
  /** Free Markdown, as the person wrote it. */
  readonly parts: readonly string[]
  /** To be judged like everything that is said; marks inside its sentences are still there. */
  readonly rest: string
}

const REMEMBER = /(^|[\s(])#remember(?![\w-]):?/gi
/** A mark inside a longer text than this, or in a line that reads as printed, takes its line. */
const LONGEST_SIMPLE = 3_000

/**
 * `#remember` at the beginning of a line takes everything from there to the end of the message, or to the next line that begins with a mark. Alone at the
 * end it takes what stands before it. In a code block it is code.
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

/** Where the sentences could lose it. What is quoted was said by somebody else. */
function isMarkedOddly(line: string, text: string): boolean {
  if (!hasRemember(line) || /^\s*>/.test(line)) return false
  return text.length > LONGEST_SIMPLE || !isSaid(line)
}

const LONGEST_LINE = 1_500
const REACH = 1_000

/** The whole line; of one that is very long, what stands around each mark, from one full stop to another. */
function markedIn(line: string): string[] {
  if (line.length <= LONGEST_LINE) return [withoutRemember(line).trim()]
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

/** With the blank before it, so that `a #remember.` leaves `a.` */
export function withoutRemember(text: string): string {
  return text.replace(REMEMBER, (_, before: string) => (before === '(' || before === '\n' ? before : ''))
}
