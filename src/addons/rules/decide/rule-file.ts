import { fingerprint } from '../../../kernel/text/fingerprint.ts'
import { estimateTokens } from '../../../kernel/text/token-estimate.ts'

/** The size budget that a rule file declares (seed B, section 4.1): `<!-- budget: 50 lines -->` at the top. */
export type DeclaredBudget =
  | { readonly kind: 'none' }
  | { readonly kind: 'lines'; readonly lines: number; readonly line: number }
  /** `said` is the text of the comment. */
  | { readonly kind: 'malformed'; readonly said: string; readonly line: number }

/** One rule of a file: a list item or a paragraph. */
export interface Rule {
  /** Six characters of a hash of its text, so the key stays the same when other rules change. */
  readonly key: string
  /** The number of its first line (from 1) and of the line after its last. */
  readonly line: number
  readonly endLine: number
  readonly heading: string
  /** Without its bullet. */
  readonly text: string
}

export interface RuleFile {
  readonly lines: number
  readonly tokens: number
  readonly budget: DeclaredBudget
  readonly rules: readonly Rule[]
  /** False: the host applies it to some files only (`alwaysApply: false`, `globs`, `paths`). */
  readonly isAlways: boolean
}

const BOM = '\uFEFF'
/** A declaration must be within these lines. */
const TOP_LINES = 10
const BUDGET = /^<!--\s*budget:\s*(\d{1,5})\s*lines?\s*-->$/i
const LIKE_BUDGET = /^<!--\s*budget\b.*$/i
const FENCE = /^\s{0,3}(`{3,}|~{3,})/
const HEADING = /^#{1,6}\s+(.*?)\s*#*$/
const ITEM = /^ {0,1}(?:[-*+]|\d{1,3}[.)])\s+(?=\S)/
const COMMENT = /^<!--.*-->$/
/** Table borders and horizontal rules. */
const FRAME = /^\s*(?:\|?[\s:|-]+\|?|-{3,}|\*{3,}|_{3,})\s*$/

export function readRuleFile(source: string): RuleFile {
  const text = source.startsWith(BOM) ? source.slice(1) : source
  const lines = linesOf(text)
  const start = frontMatterLines(lines)
  return {
    lines: lines.length,
    tokens: estimateTokens(text),
    budget: budgetOf(lines, start),
    rules: rulesOf(lines, start),
    isAlways: !isConditional(lines.slice(0, start)),
  }
}

/** A trailing line break does not begin another line. */
function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/** The number of lines from `---` to `---`, both included. */
function frontMatterLines(lines: readonly string[]): number {
  if (lines[0]?.trimEnd() !== '---') return 0
  const end = lines.findIndex((line, at) => at > 0 && line.trimEnd() === '---')
  return end < 0 ? 0 : end + 1
}

/** The fields with which Cursor, Claude Code and Copilot limit a rule to some files. */
function isConditional(frontMatter: readonly string[]): boolean {
  const isFalse = frontMatter.some(line => /^alwaysApply:\s*false\b/i.test(line))
  const isTrue = frontMatter.some(line => /^alwaysApply:\s*true\b/i.test(line))
  const hasFiles = frontMatter.some(
    (line, at) =>
      /^(?:globs|paths):\s*\S/.test(line) ||
      (/^(?:globs|paths):\s*$/.test(line) && /^\s*-\s/.test(frontMatter[at + 1] ?? '')),
  )
  const isForSome = frontMatter.some(line => /^applyTo:\s*(?!['"]?\*\*(?:\/\*)?['"]?\s*$)\S/.test(line))
  return isFalse || isForSome || (hasFiles && !isTrue)
}

function budgetOf(lines: readonly string[], start: number): DeclaredBudget {
  const top = lines.slice(start, start + TOP_LINES)
  const found = top.flatMap((line, at) =>
    LIKE_BUDGET.test(line.trim()) ? [{ said: line.trim(), line: start + at + 1 }] : [],
  )
  const [first, second] = found
  if (first === undefined) return { kind: 'none' }
  const lineCount = Number(BUDGET.exec(first.said)?.[1] ?? 0)
  if (lineCount === 0) return { kind: 'malformed', ...first }
  return second === undefined
    ? { kind: 'lines', lines: lineCount, line: first.line }
    : { kind: 'malformed', ...second }
}

function rulesOf(lines: readonly string[], start: number): Rule[] {
  const rules: Rule[] = []
  let heading = ''
  let open: { line: number; end: number; text: string[]; indent: number } | undefined
  let fence = ''
  const close = () => {
    if (open === undefined) return
    const text = open.text.join('\n').trim()
    if (text !== '') rules.push({ key: keyOf(text), line: open.line, endLine: open.end + 1, heading, text })
    open = undefined
  }
  const extend = (at: number, line: string) => {
    if (open === undefined) return
    open.text.push(line.replace(new RegExp(`^ {0,${open.indent}}`), ''))
    open.end = at + 1
  }
  for (let at = start; at < lines.length; at++) {
    const line = lines[at] ?? ''
    const mark = FENCE.exec(line)?.[1] ?? ''
    if (fence !== '') {
      if (mark.startsWith(fence)) fence = ''
      extend(at, line)
    } else if (mark !== '') {
      fence = mark
      extend(at, line)
    } else if (HEADING.test(line)) {
      close()
      heading = HEADING.exec(line)?.[1] ?? ''
    } else if (line.trim() === '') {
      // Text indented below an item belongs to it, also after a blank line.
      if (/^\s{2,}\S/.test(lines[at + 1] ?? '')) extend(at, '')
      else close()
    } else if (COMMENT.test(line.trim()) || FRAME.test(line)) close()
    else if (ITEM.test(line) || open === undefined) {
      close()
      const indent = ITEM.exec(line)?.[0].length ?? 0
      open = { line: at + 1, end: at + 1, text: [line.slice(indent)], indent }
    } else extend(at, line)
  }
  close()
  return rules
}

function keyOf(text: string): string {
  return fingerprint(text).slice(0, 6)
}

/** The text without these lines, and without a blank line that would be doubled. */
export function withoutRule(source: string, { line, endLine }: Rule): string {
  const parts = source.split(/(?<=\n)/)
  const before = parts.slice(0, line - 1)
  const after = parts.slice(endLine - 1)
  const isBlank = (part: string | undefined) => part !== undefined && part.trim() === ''
  const joined = isBlank(before.at(-1)) && isBlank(after[0]) ? after.slice(1) : after
  return [...before, ...joined].join('')
}

/** The text with one more list item at its end, with its own line breaks. */
export function withRule(source: string, rule: string): string {
  const eol = source.includes('\r\n') ? '\r\n' : '\n'
  const item = rule
    .trim()
    .split(/\r?\n/)
    .map((line, at) => (at === 0 ? `- ${line}` : line === '' ? '' : `  ${line}`))
    .join(eol)
  const text = source === '' || source.endsWith('\n') ? source : `${source}${eol}`
  const last = text.trimEnd().split(/\r?\n/).at(-1) ?? ''
  const isList = ITEM.test(last) || /^\s{2,}\S/.test(last)
  const gap = text === '' || isList || /\n\r?\n$/.test(text) ? '' : eol
  return `${isList ? `${text.trimEnd()}${eol}` : text}${gap}${item}${eol}`
}
