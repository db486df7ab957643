import type { Entry } from '../../../kernel/model/entry.ts'
import { CairnError } from '../../../kernel/model/errors.ts'
import { extractTags } from '../../../kernel/text/tags.ts'
import { sameEntry } from '../../../kernel/vault/observe.ts'
import {
  asBytes,
  assemble,
  dropCopies,
  type FilePart,
  hasConflict,
  insertSegments,
  isSummary,
  removeSegments,
  rewritten,
  terminated,
} from '../../../kernel/vault/vault-edit.ts'
import {
  type EntrySegment,
  type FileOwner,
  parseVaultFile,
  renderVaultFile,
  type Segment,
  type VaultFile,
  vaultTextOf,
} from '../../../kernel/vault/vault-file.ts'
import { matchEntries, type Versions } from './match-entries.ts'
import { mergeEntry } from './merge-entry.ts'
import { type ConflictMarkers, conflictBlock, type Merged, type MergeInput } from './merge-input.ts'
import { mergeLines } from './merge-lines.ts'
import { mergeLoose } from './merge-loose.ts'
import { mergeSummary } from './merge-summary.ts'

/** What becomes of one entry. */
type Decision =
  | { readonly kind: 'gone' }
  /** As this version writes it. */
  | { readonly kind: 'taken'; readonly segment: EntrySegment }
  /** `from` is the text that is written anew, as far as it must be. */
  | { readonly kind: 'merged'; readonly from: EntrySegment; readonly entry: Entry }
  | { readonly kind: 'conflict'; readonly ours: EntrySegment; readonly theirs: EntrySegment }

/**
 * Three versions of a vault file in one, entry by entry. Our file is the frame: what nobody touched keeps its bytes.
 *
 *   ours ▶ changed entries get their text ▶ loose text ▶ removed entries go ▶ added ones come ▶ conflicts are marked
 *
 * Throws where entries cannot be told apart (a conflict that was committed, UTF-16): then the text must be merged as text.
 */
export function mergeVaultFiles(input: MergeInput, owner: FileOwner): Merged {
  const files = readAll(input, owner)
  const matched = matchEntries(files)
  const remarks: string[] = []
  const decisionByKey = new Map(
    [...matched.versions].map(([key, versions]) => [key, decide(versions, remarks)] as const),
  )
  const { keyOf } = matched
  const decisions = [...decisionByKey.values()]
  const asText = mergedAsText(files)
  if (asText !== undefined && hasAll(asText, decisions))
    return { bytes: renderVaultFile(asText), conflicts: [], remarks }

  const loose = mergeLoose(files, keyOf)
  if (loose.keptBoth) remarks.push('text outside the entries was changed on both sides; both are kept')
  const frame: VaultFile = { ...files.ours, segments: loose.segments }
  const pieces = frame.segments.map((segment): FilePart => {
    const decision = decisionByKey.get(keyOf(segment) ?? '')
    if (segment.type === 'loose' || decision === undefined) return segment
    const typed = (decision.kind === 'taken' ? decision.segment : segment).typed
    return { type: 'entry', raw: textFor(decision, segment, frame), ...(typed && { typed }) }
  })
  const replaced = assemble(frame, pieces)
  const entries = (file: VaultFile) => file.segments.filter(segment => segment.type === 'entry')
  const keys = entries(frame).map(keyOf)
  const standing = entries(replaced)
  const put = entries(frame).map(segment => contentFor(decisionByKey.get(keyOf(segment) ?? ''), segment))
  // Text that came to stand above an entry can make it a part of itself.
  if (standing.length !== put.length || standing.some(({ entry }, at) => entry.content !== put[at]))
    throw cannotTellApart()

  const leaving = standing.filter((_, at) => decisionByKey.get(keys[at] ?? '')?.kind === 'gone')
  const oursByKey = new Set(keys)
  const arriving = [...decisionByKey].flatMap(([key, decision]) =>
    oursByKey.has(key) || decision.kind !== 'taken' ? [] : [placed(decision.segment)],
  )
  const shortened = removeSegments(replaced, new Set<Segment>(leaving))
  const whole = withSummary(
    insertSegments(shortened, arriving, files.theirs.encoding, 'as typed'),
    files,
    matched.versions,
  )

  const conflicts = decisions.filter(decision => decision.kind === 'conflict')
  const file = markConflicts(whole, conflicts, input.markers)
  // Whatever was overlooked above: a merge that lost or doubled an entry is not one.
  if (!hasAll(file, decisions)) throw cannotTellApart()
  return {
    bytes: renderVaultFile(file),
    conflicts: conflicts.map(({ ours }) => ours.entry.id),
    remarks,
  }
}

function readAll(input: MergeInput, owner: FileOwner): Record<'base' | 'ours' | 'theirs', VaultFile> {
  const [base, ours, theirs] = [input.base, input.ours, input.theirs].map(bytes =>
    parseVaultFile(bytes, owner),
  ) as [VaultFile, VaultFile, VaultFile]
  if (hasConflict(ours) || hasConflict(theirs) || [base, ours, theirs].some(isUtf16)) throw cannotTellApart()
  const isBytes = [base, ours, theirs].some(file => file.encoding === 'bytes')
  const read = (file: VaultFile) => (isBytes ? asBytes(file) : file)
  // Copies of a base in conflict stay apart: they are two versions.
  return { base: read(base), ours: dropCopies(read(ours)), theirs: dropCopies(read(theirs)) }
}

function isUtf16(file: VaultFile): boolean {
  return file.problems.some(problem => problem.code === 'utf16')
}

/**
 *   base \ other     absent          as in base      changed
 *   absent             -                 -           added, once
 *   present       gone, unless      as the other     merged by field; content changed on
 *                 changed here        side has it    both sides is a conflict
 */
function decide({ base, ours, theirs }: Versions, remarks: string[]): Decision {
  if (ours === undefined || theirs === undefined) {
    const left = ours ?? theirs
    if (left === undefined) return { kind: 'gone' }
    if (base === undefined) return { kind: 'taken', segment: left }
    if (isUnchanged(left, base)) return { kind: 'gone' }
    remarks.push(`${left.entry.id} was removed on one side and changed on the other; it stays as changed`)
    return { kind: 'taken', segment: left }
  }
  if (ours.raw === theirs.raw || theirs.raw === base?.raw) return { kind: 'taken', segment: ours }
  if (ours.raw === base?.raw) return { kind: 'taken', segment: theirs }
  // The same entry in other bytes: a formatter, other line ends. Two ids that both sides gave it are settled below.
  if (sameId(ours, theirs)) {
    if (base !== undefined && isUnchanged(theirs, base)) return { kind: 'taken', segment: ours }
    if (base !== undefined && isUnchanged(ours, base)) return { kind: 'taken', segment: theirs }
    if (isUnchanged(ours, theirs)) return { kind: 'taken', segment: ours }
  }
  const merged = mergeEntry(base?.entry, ours.entry, theirs.entry)
  if (merged.kind === 'conflict') return { kind: 'conflict', ours, theirs }
  const from = [ours, theirs].find(({ entry, idMissing }) => !idMissing && entry.id === merged.entry.id)
  const known = from ?? [ours, theirs].find(({ idMissing }) => !idMissing) ?? ours
  return { kind: 'merged', from: known, entry: { ...merged.entry, id: known.entry.id } }
}

/** To give an id to what somebody typed is no change. */
function isUnchanged(a: EntrySegment, base: EntrySegment): boolean {
  return sameEntry(a.entry, { ...base.entry, id: a.entry.id }) && (base.idMissing || sameId(a, base))
}

function sameId(a: EntrySegment, b: EntrySegment): boolean {
  return a.idMissing || b.idMissing || a.entry.id === b.entry.id
}

function textFor(decision: Decision, standing: EntrySegment, file: VaultFile): string {
  if (decision.kind === 'taken') return decision.segment.raw
  if (decision.kind !== 'merged') return standing.raw
  const { from, entry } = decision
  return from.idMissing ? withTags(from, entry.tags) : rewritten(from.raw, entry, file)
}

function contentFor(decision: Decision | undefined, standing: EntrySegment): string {
  if (decision?.kind === 'taken') return decision.segment.entry.content
  return decision?.kind === 'merged' ? decision.entry.content : standing.entry.content
}

/** Somebody typed it and it has no comment yet, so that only its heading can tell more tags. */
function withTags({ raw, entry }: EntrySegment, tags: readonly string[]): string {
  const known = new Set([...entry.tags, ...extractTags(entry.content)])
  const missing = tags.filter(tag => !known.has(tag)).map(tag => ` #${tag}`)
  if (missing.length === 0) return raw
  return raw.replace(/^[^\r\n]*/, heading => {
    const line = heading.trimEnd()
    return `${line}${line.includes('·') || line.includes(' #') ? '' : ' ·'}${missing.join('')}`
  })
}

/** One without an id goes where its date says. */
function placed(segment: EntrySegment): EntrySegment {
  if (!segment.idMissing) return segment
  const ms = Date.parse(`${segment.entry.date}Z`)
  return { ...segment, entry: { ...segment.entry, id: `${Number.isNaN(ms) ? 0 : ms}-${segment.entry.id}` } }
}

function withSummary(
  file: VaultFile,
  files: Readonly<Record<'base' | 'ours' | 'theirs', VaultFile>>,
  versions: ReadonlyMap<string, Versions>,
): VaultFile {
  const summaries = [files.base, files.ours, files.theirs].map(version =>
    version.segments.filter(segment => segment.type === 'entry').filter(isSummary),
  )
  if (summaries.some(all => all.length > 1)) {
    // A merge of text has left two: the next rollover makes one of them.
    const [inBase = [], inOurs = [], inTheirs = []] = summaries
    const known = new Set([...inBase, ...inOurs].map(({ raw }) => raw))
    return inTheirs
      .filter(({ raw }) => !known.has(raw))
      .reduce((whole, { raw }) => appended(whole, raw), file)
  }
  const [base, ours, theirs] = summaries.map(([only]) => only)
  if (theirs?.raw === ours?.raw || theirs?.raw === base?.raw) return file
  const standing = file.segments.find(isSummary)
  if (theirs === undefined || ours?.raw === base?.raw || ours === undefined) {
    const without = standing === undefined ? file : removeSegments(file, new Set([standing]))
    // One side rolled over, the other took the summary away by hand: what rolled over is to be told.
    return theirs === undefined ? (ours?.raw === base?.raw ? without : file) : appended(without, theirs.raw)
  }
  const movedByBoth = [...versions.values()].filter(
    version => version.base !== undefined && version.ours === undefined && version.theirs === undefined,
  ).length
  const entry = mergeSummary({ base: base?.entry, ours: ours.entry, theirs: theirs.entry, movedByBoth })
  const without = removeSegments(file, new Set(file.segments.filter(isSummary)))
  return appended(without, rewritten(entry.id === ours.entry.id ? ours.raw : theirs.raw, entry, file))
}

function appended(file: VaultFile, raw: string): VaultFile {
  const gap: FilePart[] = file.segments.length === 0 ? [] : [{ type: 'loose', raw: file.eol }]
  return assemble(file, [...file.segments, ...gap, { type: 'entry', raw }])
}

function markConflicts(
  file: VaultFile,
  conflicts: readonly Extract<Decision, { kind: 'conflict' }>[],
  markers: ConflictMarkers,
): VaultFile {
  if (conflicts.length === 0) return file
  const conflictByEntry = new Map(conflicts.map(conflict => [sayingOf(conflict.ours), conflict]))
  const pieces = file.segments.map((segment): FilePart => {
    const conflict = segment.type === 'entry' ? conflictByEntry.get(sayingOf(segment)) : undefined
    if (conflict === undefined) return segment
    const sides = [conflict.ours, conflict.theirs].map(({ raw }) => terminated(raw, file)) as [string, string]
    return { type: 'loose', raw: conflictBlock(...sides, { markers, eol: file.eol }) }
  })
  return assemble(file, pieces)
}

function sayingOf({ entry }: EntrySegment): string {
  return `${entry.id}\n${entry.content}`
}

function hasAll(file: VaultFile, decisions: readonly Decision[]): boolean {
  const expected = decisions.flatMap(decision => {
    if (decision.kind === 'gone') return []
    if (decision.kind === 'conflict') return [decision.ours.entry.content, decision.theirs.entry.content]
    return [decision.kind === 'taken' ? decision.segment.entry.content : decision.entry.content]
  })
  const found = file.segments.flatMap(segment =>
    segment.type === 'entry' && !isSummary(segment) ? [segment.entry.content] : [],
  )
  expected.sort()
  found.sort()
  return expected.length === found.length && expected.every((content, at) => content === found[at])
}

/**
 * What people typed has its place among other text, and only lines tell it: so such a file is merged line by line where the two sides
 * changed different lines. undefined: nothing is typed, or both changed the same lines.
 */
function mergedAsText(files: Readonly<Record<'base' | 'ours' | 'theirs', VaultFile>>): VaultFile | undefined {
  const { base, ours, theirs } = files
  const isTyped = (segment: Segment) => segment.type === 'entry' && segment.typed !== undefined
  if (![base, ours, theirs].some(file => file.segments.some(isTyped)) || hasConflict(base)) return undefined
  const [was, our, their] = [base, ours, theirs].map(file => vaultTextOf(file).split('\n')) as [
    string[],
    string[],
    string[],
  ]
  const { lines, keptBoth } = mergeLines(was, our, their)
  return keptBoth ? undefined : assemble(ours, [{ type: 'loose', raw: lines.join('\n') }])
}

function cannotTellApart(): CairnError {
  return new CairnError({
    code: 'merge_conflict',
    message: 'its entries cannot be told apart on both sides',
    hint: 'Resolve what an earlier merge left in the file, and save it as UTF-8.',
  })
}
