import type { TextFileChange } from '../../../kernel/model/journal.ts'
import { diffLines, linesOf } from '../../../kernel/text/line-diff.ts'
import { PROJECTION_VERSION, type ProjectionFile, plainText, readProjection } from './projection.ts'

/**
 * absent: not written yet · current: of this bundle · behind: of an older one · edited: somebody changed it by hand · foreign: not ours
 * · newer: of a newer Cairn · unreadable: no text · unknown: ours, and there is no state to compare it with
 */
export const PROJECTION_STATES = [
  'absent',
  'current',
  'behind',
  'edited',
  'foreign',
  'newer',
  'unreadable',
  'unknown',
] as const
export type ProjectionState = (typeof PROJECTION_STATES)[number]

/** What is at the place of a projection. */
export type Present =
  | { readonly kind: 'absent' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'unreadable'; readonly why: string }

export interface JudgedProjection {
  readonly path: string
  readonly state: ProjectionState
  /** What the file has and would lose, and what would come: `-` and `+` lines, bounded. Only of what a person changed. */
  readonly diff?: readonly string[]
  readonly why?: string
}

export interface ProjectionInput {
  readonly path: string
  readonly present: Present
  /** undefined: there is no state. */
  readonly next: ProjectionFile | undefined
  readonly bundleHash: string | undefined
  readonly hash: (text: string) => string
}

export function judgeProjection({
  path,
  present,
  next,
  bundleHash,
  hash,
}: ProjectionInput): JudgedProjection {
  if (present.kind === 'absent') return { path, state: 'absent' }
  if (present.kind === 'unreadable') return { path, state: 'unreadable', why: present.why }
  const reading = readProjection(present.text, hash)
  const diff = () => ({ diff: readableDiff(plainText(present.text), next?.text ?? '') })
  if (reading.kind === 'foreign') return { path, state: 'foreign', ...diff() }
  if (reading.version > PROJECTION_VERSION) return { path, state: 'newer' }
  if (reading.isEdited) return { path, state: 'edited', ...diff() }
  if (bundleHash === undefined) return { path, state: 'unknown' }
  return { path, state: reading.bundleHash === bundleHash ? 'current' : 'behind' }
}

/** Line ends stay those of the file that is there: with autocrlf git would otherwise see every line changed. */
export function projectionChange({ path, present, next }: ProjectionInput): TextFileChange | undefined {
  if (next === undefined || present.kind === 'unreadable') return undefined
  if (present.kind === 'absent') return { type: 'file', path, before: null, after: next.text }
  const after = present.text.includes('\r\n') ? next.text.replaceAll('\n', '\r\n') : next.text
  return after === present.text ? undefined : { type: 'file', path, before: present.text, after }
}

const MAX_DIFF_LINES = 40
const MAX_DIFF_LINE_LENGTH = 160

/** `- ` what goes, `+ ` what comes, `@ 12` the line where. The marker line is ours and says nothing to a reader. */
export function readableDiff(before: string, after: string): string[] {
  const edits = diffLines(bodyLines(before), bodyLines(after))
  const lines = edits.flatMap(({ at, removed, added }) => [
    `@ line ${at + 2}`,
    ...removed.map(line => `- ${cut(line)}`),
    ...added.map(line => `+ ${cut(line)}`),
  ])
  const left = lines.length - MAX_DIFF_LINES
  return left > 0 ? [...lines.slice(0, MAX_DIFF_LINES), `… ${left} more lines`] : lines
}

function bodyLines(text: string): string[] {
  const lines = linesOf(text).map(line => line.replace(/\n$/, ''))
  return lines[0]?.startsWith('<!-- cairn:projection ') === true ? lines.slice(1) : ['', ...lines]
}

function cut(line: string): string {
  return line.length <= MAX_DIFF_LINE_LENGTH ? line : `${line.slice(0, MAX_DIFF_LINE_LENGTH)}…`
}
