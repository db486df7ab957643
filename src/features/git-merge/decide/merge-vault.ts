import type { Entry } from '../../../kernel/model/entry.ts'
import { rootOfId } from '../../../kernel/model/entry-id.ts'
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
import { mergeEntry, mergeSummary } from './merge-entry.ts'
import { type ConflictMarkers, conflictBlock, type Merged, type MergeInput } from './merge-input.ts'
import { mergeLines, mergeLoose } from './merge-lines.ts'

/** The decision about one entry. */
type Decision =
  | { readonly kind: 'gone' }
  /** The text of this version. */
  | { readonly kind: 'taken'; readonly segment: EntrySegment }
  /** `from` is the text that is rewritten where it must change. */
  | { readonly kind: 'merged'; readonly from: EntrySegment; readonly entry: Entry }
  | { readonly kind: 'conflict'; readonly ours: EntrySegment; readonly theirs: EntrySegment }

/**
 * Merges three versions of a vault file entry by entry. Our file is the frame: unchanged parts keep their bytes.
 *
 *   ours ▶ changed entries get their text ▶ loose text ▶ removed entries go ▶ added ones come ▶ conflicts are marked
 *
 * Throws if entries cannot be separated (a committed conflict, UTF-16): then the file must be merged as text.
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
  if (loose.hasBoth) remarks.push('text outside the entries was changed on both sides; both versions stay')
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
  const existing = entries(replaced)
  const expected = entries(frame).map(segment => contentFor(decisionByKey.get(keyOf(segment) ?? ''), segment))
  // Loose text that now precedes an entry can absorb it.
  if (existing.length !== expected.length || existing.some(({ entry }, at) => entry.content !== expected[at]))
    throw cannotTellApart()

  const removed = existing.filter((_, at) => decisionByKey.get(keys[at] ?? '')?.kind === 'gone')
  const oursByKey = new Set(keys)
  const added = [...decisionByKey].flatMap(([key, decision]) =>
    oursByKey.has(key) || decision.kind !== 'taken' ? [] : [placed(decision.segment)],
  )
  const shortened = removeSegments(replaced, new Set<Segment>(removed))
  const whole = withSummary(
    insertSegments(shortened, added, files.theirs.encoding, 'as typed'),
    files,
    matched.versions,
  )

  const conflicts = decisions.filter(decision => decision.kind === 'conflict')
  const file = markConflicts(whole, conflicts, input.markers)
  // A last check: no entry may be lost or doubled.
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
  // Copies of a base in conflict stay separate: they are two versions.
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
    remarks.push(
      `${left.entry.id} was removed on one side and changed on the other; the changed version stays`,
    )
    return { kind: 'taken', segment: left }
  }
  if (ours.raw === theirs.raw || theirs.raw === base?.raw) return { kind: 'taken', segment: ours }
  if (ours.raw === base?.raw) return { kind: 'taken', segment: theirs }
  // The same entry in other bytes: a formatter, other line ends. Two ids that the sides gave it are handled below.
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

/** Giving an id to a typed entry is not a change. */
function isUnchanged(a: EntrySegment, base: EntrySegment): boolean {
  return sameEntry(a.entry, { ...base.entry, id: a.entry.id }) && (base.idMissing || sameId(a, base))
}

function sameId(a: EntrySegment, b: EntrySegment): boolean {
  return a.idMissing || b.idMissing || a.entry.id === b.entry.id
}

function textFor(decision: Decision, existing: EntrySegment, file: VaultFile): string {
  if (decision.kind === 'taken') return decision.segment.raw
  if (decision.kind !== 'merged') return existing.raw
  const { from, entry } = decision
  return from.idMissing ? withTags(from, entry.tags) : rewritten(from.raw, entry, file)
}

function contentFor(decision: Decision | undefined, existing: EntrySegment): string {
  if (decision?.kind === 'taken') return decision.segment.entry.content
  return decision?.kind === 'merged' ? decision.entry.content : existing.entry.content
}

/** A typed entry has no comment yet: only its heading can have more tags. */
function withTags({ raw, entry }: EntrySegment, tags: readonly string[]): string {
  const known = new Set([...entry.tags, ...extractTags(entry.content)])
  const missing = tags.filter(tag => !known.has(tag)).map(tag => ` #${tag}`)
  if (missing.length === 0) return raw
  return raw.replace(/^[^\r\n]*/, heading => {
    const line = heading.trimEnd()
    return `${line}${line.includes('·') || line.includes(' #') ? '' : ' ·'}${missing.join('')}`
  })
}

/** An entry without an id is placed by its date. */
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
    // A merge as text left two: the next rollover makes one of them.
    const [inBase = [], inOurs = [], inTheirs = []] = summaries
    const known = new Set([...inBase, ...inOurs].map(({ raw }) => raw))
    return inTheirs
      .filter(({ raw }) => !known.has(raw))
      .reduce((whole, { raw }) => appended(whole, raw), file)
  }
  const [base, ours, theirs] = summaries.map(([only]) => only)
  if (theirs?.raw === ours?.raw || theirs?.raw === base?.raw) return file
  const existing = file.segments.find(isSummary)
  if (theirs === undefined || ours?.raw === base?.raw || ours === undefined) {
    const without = existing === undefined ? file : removeSegments(file, new Set([existing]))
    // One side rolled over, the other removed the summary by hand: the rollover must be visible.
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
  const conflictByEntry = new Map(conflicts.map(conflict => [contentKeyOf(conflict.ours), conflict]))
  const pieces = file.segments.map((segment): FilePart => {
    const conflict = segment.type === 'entry' ? conflictByEntry.get(contentKeyOf(segment)) : undefined
    if (conflict === undefined) return segment
    const sides = [conflict.ours, conflict.theirs].map(({ raw }) => terminated(raw, file)) as [string, string]
    return { type: 'loose', raw: conflictBlock(...sides, { markers, eol: file.eol }) }
  })
  return assemble(file, pieces)
}

function contentKeyOf({ entry }: EntrySegment): string {
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
 * The position of typed entries among other text is only visible in the lines: such a file is merged line by line if the sides changed
 * different lines. undefined: there are no typed entries, or both sides changed the same lines.
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
  const { lines, hasBoth } = mergeLines(was, our, their)
  return hasBoth ? undefined : assemble(ours, [{ type: 'loose', raw: lines.join('\n') }])
}

function cannotTellApart(): CairnError {
  return new CairnError({
    code: 'merge_conflict',
    message: 'its entries cannot be separated on both sides',
    hint: 'Resolve the conflict that an earlier merge left in the file, and save it as UTF-8.',
  })
}

/** One entry in the three files; undefined: the file does not have it. */
export interface Versions {
  readonly base: EntrySegment | undefined
  readonly ours: EntrySegment | undefined
  readonly theirs: EntrySegment | undefined
}

interface Matched {
  readonly versions: ReadonlyMap<string, Versions>
  /** Of a segment of any of the three files; undefined for loose text and summaries. */
  keyOf(segment: Segment): string | undefined
}

type Side = keyof Versions

/**
 * Finds the entries that are the same: those with one id, and those typed without an id that have the same content. If one side gave such
 * an entry an id, or both gave it different ones, it is still the same entry.
 */
function matchEntries(files: Readonly<Record<Side, VaultFile>>): Matched {
  const keyBySegment = new Map<Segment, string>()
  const keyed = {
    base: keysIn(files.base, keyBySegment),
    ours: keysIn(files.ours, keyBySegment),
    theirs: keysIn(files.theirs, keyBySegment),
  }
  const typed = new Set(
    Object.values(keyed).flatMap(segments =>
      [...segments].filter(([, { idMissing }]) => idMissing).map(([key]) => key),
    ),
  )
  const baseKeyByTypedId = new Map(
    [...keyed.base].flatMap(([key, { idMissing, entry }]) => (idMissing ? [[entry.id, key] as const] : [])),
  )
  for (const side of ['ours', 'theirs'] as const) {
    const rekey = (from: string, to: string) => {
      const segment = keyed[side].get(from)
      if (segment === undefined || keyed[side].has(to)) return
      keyed[side].delete(from)
      keyed[side].set(to, segment)
      keyBySegment.set(segment, to)
    }
    // Cairn stores a typed entry under the id of its first content, even if the content changed since.
    for (const [key, { idMissing, entry }] of [...keyed[side]]) {
      const typedAs = idMissing ? undefined : baseKeyByTypedId.get(entry.id)
      if (typedAs !== undefined) rekey(key, typedAs)
    }
    const named = new Map(
      [...keyed[side]]
        .filter(([key, { idMissing }]) => !idMissing && !keyed.base.has(key))
        .map(([key, { entry }]) => [typedKey(entry.content), key]),
    )
    for (const key of typed) {
      const own = named.get(key)
      if (own !== undefined) rekey(own, key)
    }
  }
  const keys = new Set([...keyed.base.keys(), ...keyed.ours.keys(), ...keyed.theirs.keys()])
  return {
    versions: new Map(
      [...keys].map(key => [
        key,
        { base: keyed.base.get(key), ours: keyed.ours.get(key), theirs: keyed.theirs.get(key) },
      ]),
    ),
    keyOf: segment => keyBySegment.get(segment),
  }
}

function keysIn(file: VaultFile, keyBySegment: Map<Segment, string>): Map<string, EntrySegment> {
  const unsure = inConflict(file)
  const segmentByKey = new Map<string, EntrySegment>()
  for (const segment of file.segments) {
    if (segment.type === 'loose' || isSummary(segment) || unsure.has(rootOfId(segment.entry.id))) continue
    const own = segment.idMissing ? typedKey(segment.entry.content) : `id ${segment.entry.id}`
    let key = own
    for (let copies = 2; segmentByKey.has(key); copies++) key = `${own} ${copies}`
    segmentByKey.set(key, segment)
    keyBySegment.set(segment, key)
  }
  return segmentByKey
}

function typedKey(content: string): string {
  return `text ${content}`
}

/** A base with unresolved conflicts is not evidence for the entries in them: they count as added by both sides. */
function inConflict(file: VaultFile): ReadonlySet<string> {
  if (!hasConflict(file)) return new Set()
  return new Set(
    file.segments.flatMap(segment =>
      segment.type === 'entry' && segment.conflict !== undefined ? [rootOfId(segment.entry.id)] : [],
    ),
  )
}
