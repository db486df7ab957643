import { diffLines, linesOf } from '../../../kernel/text/line-diff.ts'

export interface HunkLine {
  readonly kind: 'same' | 'added' | 'removed'
  /** Without its line end. */
  readonly text: string
}

/** Lines that changed, with a few around them. Both numbers count from 1. */
export interface Hunk {
  readonly oldStart: number
  readonly newStart: number
  readonly lines: readonly HunkLine[]
}

interface DiffHunks {
  readonly hunks: readonly Hunk[]
  /** Lines that were left out because there are too many. */
  readonly left: number
}

const AROUND = 3
/** Lines of a bundled file are too long to read. */
const MAX_LINE_LENGTH = 400

/** The difference of two texts, in hunks of at most `maxLines` lines together. Line ends alone are not a change. */
export function diffHunks(before: string, after: string, maxLines: number): DiffHunks {
  const old = plainLines(before)
  const now = plainLines(after)
  const edits = diffLines(old, now)
  const hunks: { oldStart: number; newStart: number; lines: HunkLine[] }[] = []
  let shift = 0
  let left = 0
  let shown = 0
  let until = -1
  const line = (kind: HunkLine['kind'], text: string): HunkLine => ({ kind, text: cut(text) })
  edits.forEach(({ at, removed, added }, number) => {
    const from = Math.max(at - AROUND, until, 0)
    const isNew = from > until || hunks.length === 0
    const nextAt = edits[number + 1]?.at ?? Number.POSITIVE_INFINITY
    const end = at + removed.length
    const to = Math.min(end + AROUND, old.length, nextAt)
    const lines = [
      ...old.slice(isNew ? from : until, at).map(text => line('same', text)),
      ...removed.map(text => line('removed', text)),
      ...added.map(text => line('added', text)),
      ...old.slice(end, to).map(text => line('same', text)),
    ]
    const room = Math.max(0, maxLines - shown)
    const kept = lines.slice(0, room)
    shown += kept.length
    left += lines.length - kept.length
    if (kept.length > 0) {
      if (isNew) hunks.push({ oldStart: from + 1, newStart: from + shift + 1, lines: kept })
      else hunks.at(-1)?.lines.push(...kept)
    }
    shift += added.length - removed.length
    until = to
  })
  return { hunks, left }
}

function plainLines(text: string): string[] {
  return linesOf(text).map(line => line.replace(/\r?\n$/, ''))
}

function cut(text: string): string {
  return text.length <= MAX_LINE_LENGTH ? text : `${text.slice(0, MAX_LINE_LENGTH)}…`
}
