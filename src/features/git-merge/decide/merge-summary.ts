import type { Entry } from '../../../kernel/model/entry.ts'
import { compareIds } from '../../../kernel/model/entry-id.ts'
import {
  countOfSummary,
  dateOfPreview,
  MAX_PREVIEWS,
  previewsOf,
  summaryWith,
} from '../../../kernel/vault/rollover.ts'

/**
 * Both sides rolled entries over: one summary that counts what either moved, with the latest previews. What both moved is in
 * both counts, so it is taken off once; the next rollover counts what the pages hold.
 */
export function mergeSummary({
  base,
  ours,
  theirs,
  movedByBoth,
}: {
  readonly base: Entry | undefined
  readonly ours: Entry
  readonly theirs: Entry
  readonly movedByBoth: number
}): Entry {
  const newer = compareIds(ours.id, theirs.id) <= 0 ? ours : theirs
  const count = (summary: Entry | undefined) => countOfSummary(summary?.content ?? '') ?? 0
  const sum = count(ours) + count(theirs) - count(base) - movedByBoth
  const was = new Set(previewsOf(base?.content ?? ''))
  const [our, their] = [new Set(previewsOf(ours.content)), new Set(previewsOf(theirs.content))]
  // A preview that one side took away is of an entry that is gone.
  const previews = [...new Set([...our, ...their])]
    .filter(line => !was.has(line) || (our.has(line) && their.has(line)))
    .sort((a, b) => compareTexts(dateOfPreview(b) ?? '', dateOfPreview(a) ?? '') || compareTexts(b, a))
    .slice(0, MAX_PREVIEWS)
  const content = summaryWith(newer.content, Math.max(sum, count(ours), count(theirs)), previews)
  return { ...newer, content: withOtherLines(content, newer === ours ? theirs.content : ours.content) }
}

/** Nobody writes into a summary; what somebody wrote all the same stays. */
function withOtherLines(content: string, other: string): string {
  const known = new Set(content.split('\n'))
  const shown = new Set(previewsOf(other))
  const [first = '', ...rest] = other.split('\n')
  const lines = countOfSummary(other) === undefined ? [first, ...rest] : rest
  const extra = lines.filter(line => line.trim() !== '' && !known.has(line) && !shown.has(line))
  return [content, ...extra].join('\n')
}

function compareTexts(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1
}
