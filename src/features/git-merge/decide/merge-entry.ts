import { type Entry, ORIGINS, STATUSES } from '../../../kernel/model/entry.ts'
import { compareIds } from '../../../kernel/model/entry-id.ts'
import type { Anchor } from '../../../kernel/model/freshness.ts'
import {
  countOfSummary,
  dateOfPreview,
  MAX_PREVIEWS,
  previewsOf,
  summaryWith,
} from '../../../kernel/vault/rollover.ts'

type MergedEntry =
  | { readonly kind: 'merged'; readonly entry: Entry }
  /** Both sides changed the content, in different ways. */
  | { readonly kind: 'conflict' }

/**
 * Merges two versions of an entry field by field. A field that one side did not change has the value of the other; lists are merged as
 * sets; of two new values the later change counts, by `updated`. Only the content cannot be decided: half of one sentence and half of
 * another is a statement that no one made. The result does not depend on which side is ours, so both clones get the same entry.
 */
export function mergeEntry(
  base: Entry | undefined,
  ours: Entry,
  theirs: Entry,
  /** False: between two machines, whose clocks cannot be compared. Then the order of the values decides. */
  { byClock = true }: { readonly byClock?: boolean } = {},
): MergedEntry {
  const content = one(base?.content, ours.content, theirs.content)
  if (content === undefined) return { kind: 'conflict' }
  const later = byClock ? compare(changedAt(ours), changedAt(theirs)) : 0
  const pick = <T>(was: T | undefined, our: T, their: T): T =>
    one(was, our, their) ?? ((later || compare(orderOf(our), orderOf(their))) >= 0 ? our : their)
  const optional = <T>(was: T | undefined, our: T | undefined, their: T | undefined): T | undefined => {
    if (same(our, their) || same(was, their)) return our
    if (same(was, our)) return their
    return our === undefined ? their : their === undefined ? our : pick(undefined, our, their)
  }
  const merged: { -readonly [Key in keyof Entry]: Entry[Key] } = {
    id: compare(ours.id, theirs.id) <= 0 ? ours.id : theirs.id,
    agent: ours.agent,
    category: ours.category,
    kind: pick(base?.kind, ours.kind, theirs.kind),
    status: pick(base?.status, ours.status, theirs.status),
    // An entry of a person must not be removed as one that the machine captured.
    origin: ORIGINS.find(origin => ours.origin === origin || theirs.origin === origin) ?? 'machine',
    date: pick(base?.date, ours.date, theirs.date),
    content,
    tags: mergeSets(base?.tags ?? [], ours.tags, theirs.tags),
    files: mergeSets(base?.files ?? [], ours.files, theirs.files),
    importance: pick(base?.importance, ours.importance, theirs.importance),
  }
  const updated = latest(ours.updated, theirs.updated)
  const confidence = optional(base?.confidence, ours.confidence, theirs.confidence)
  const session = optional(base?.session, ours.session, theirs.session)
  const commit = optional(base?.commit, ours.commit, theirs.commit)
  const anchors = mergeKeys(
    printByFile(base?.anchors),
    printByFile(ours.anchors),
    printByFile(theirs.anchors),
    optional,
  )
  const extra = mergeKeys(base?.extra, ours.extra, theirs.extra, optional)
  if (updated !== undefined) merged.updated = updated
  if (confidence !== undefined) merged.confidence = confidence
  if (session !== undefined) merged.session = session
  if (commit !== undefined) merged.commit = commit
  if (anchors.length > 0) merged.anchors = anchors.map(([file, print]) => ({ file, print }))
  if (extra.length > 0) merged.extra = Object.fromEntries(extra)
  return { kind: 'merged', entry: merged }
}

/** The version that counts; undefined: both sides changed it, in different ways. */
function one<T>(was: T | undefined, our: T, their: T): T | undefined {
  if (same(our, their) || same(was, their)) return our
  return same(was, our) ? their : undefined
}

/** The time of the last change; an entry that was never changed has its date. */
function changedAt({ updated, date }: Entry): string {
  return updated ?? date
}

/** The items of both sides without those that one side removed. */
function mergeSets(was: readonly string[], our: readonly string[], their: readonly string[]): string[] {
  const gone = new Set(was.filter(item => !our.includes(item) || !their.includes(item)))
  return [...new Set([...our, ...their])].filter(item => !gone.has(item))
}

type Optional = <T>(was: T | undefined, our: T | undefined, their: T | undefined) => T | undefined

function mergeKeys(
  was: Readonly<Record<string, string>> = {},
  our: Readonly<Record<string, string>> = {},
  their: Readonly<Record<string, string>> = {},
  merge: Optional,
): [string, string][] {
  const own = (record: Readonly<Record<string, string>>, key: string) =>
    Object.hasOwn(record, key) ? record[key] : undefined
  return [...new Set([...Object.keys(our), ...Object.keys(their)])].flatMap(key => {
    const value = merge(own(was, key), own(our, key), own(their, key))
    return value === undefined ? [] : [[key, value] as [string, string]]
  })
}

function printByFile(anchors: readonly Anchor[] = []): Record<string, string> {
  return Object.fromEntries(anchors.map(({ file, print }) => [file, print]))
}

function latest(a: string | undefined, b: string | undefined): string | undefined {
  return a === undefined ? b : b === undefined || a >= b ? a : b
}

/** For changes in the same second: pinned before confirmed before candidate, the greater number, the later text. */
function orderOf(value: unknown): string {
  if (typeof value === 'number') return value.toFixed(6)
  const status = (STATUSES as readonly unknown[]).indexOf(value)
  return status < 0 ? String(value) : String(status)
}

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1
}

function same(a: unknown, b: unknown): boolean {
  return a === b
}

/**
 * Both sides moved entries to pages: one summary with the sum of both counts and the latest previews. Entries that both moved are in both
 * counts and are subtracted once; the next rollover counts the pages.
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
  // A preview that one side removed belongs to a removed entry.
  const previews = [...new Set([...our, ...their])]
    .filter(line => !was.has(line) || (our.has(line) && their.has(line)))
    .sort((a, b) => compare(dateOfPreview(b) ?? '', dateOfPreview(a) ?? '') || compare(b, a))
    .slice(0, MAX_PREVIEWS)
  const content = summaryWith(newer.content, Math.max(sum, count(ours), count(theirs)), previews)
  return { ...newer, content: withOtherLines(content, newer === ours ? theirs.content : ours.content) }
}

/** Lines that a person wrote into a summary stay. */
function withOtherLines(content: string, other: string): string {
  const known = new Set(content.split('\n'))
  const shown = new Set(previewsOf(other))
  const [first = '', ...rest] = other.split('\n')
  const lines = countOfSummary(other) === undefined ? [first, ...rest] : rest
  const extra = lines.filter(line => line.trim() !== '' && !known.has(line) && !shown.has(line))
  return [content, ...extra].join('\n')
}
