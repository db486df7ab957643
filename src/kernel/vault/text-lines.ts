const SPACES = /[ \t\r]*/y
const RULE = /---[ \t\r]*(?:\n|$)/y

/** Where the next line starts. */
export function lineAfter(text: string, pos: number): number {
  const newline = text.indexOf('\n', pos)
  return newline < 0 ? text.length : newline + 1
}

/** The end of the line that ends before `next`, without its line feed. */
export function lineEnd(text: string, next: number): number {
  return text.charCodeAt(next - 1) === 0x0a ? next - 1 : next
}

export function endsWithCrlf(text: string, next: number): boolean {
  return text.charCodeAt(next - 1) === 0x0a && text.charCodeAt(next - 2) === 0x0d
}

/** `pattern` is sticky. */
export function matchesAt(pattern: RegExp, text: string, pos: number): boolean {
  pattern.lastIndex = pos
  return pattern.test(text)
}

export function isBlankLine(text: string, pos: number): boolean {
  SPACES.lastIndex = pos
  SPACES.test(text)
  const end = SPACES.lastIndex
  return end === text.length || text.charCodeAt(end) === 0x0a
}

/** A `---` line: the end of an entry. */
export function isRule(text: string, pos: number): boolean {
  return matchesAt(RULE, text, pos)
}

/** Where the first line with text starts. */
export function skipBlankLines(text: string): number {
  let pos = 0
  while (pos < text.length && isBlankLine(text, pos)) pos = lineAfter(text, pos)
  return pos
}

export function countLines(text: string, from: number, to: number): number {
  let lines = 0
  for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) lines++
  return lines
}

export function skipBackslashes(text: string, pos: number): number {
  let start = pos
  while (text.charCodeAt(start) === 0x5c) start++
  return start
}

/** Copies only around the lines that change. */
export function mapLines(
  text: string,
  decide: (pos: number, end: number) => 'keep' | 'add' | 'drop',
): string {
  const parts: string[] = []
  let copied = 0
  for (let pos = 0; pos < text.length; ) {
    const next = lineAfter(text, pos)
    const change = decide(pos, lineEnd(text, next))
    if (change !== 'keep') {
      parts.push(text.slice(copied, pos))
      if (change === 'add') parts.push('\\')
      copied = change === 'add' ? pos : pos + 1
    }
    pos = next
  }
  return copied === 0 && parts.length === 0 ? text : parts.join('') + text.slice(copied)
}
