import { compareIds } from '../../../kernel/model/entry-id.ts'
import { describeChanges, type Freshness } from '../../../kernel/model/freshness.ts'
import { headPathOf, isLocalPath } from '../../../kernel/model/vault-layout.ts'
import { entryFileName } from '../../../kernel/vault/entry-file-name.ts'
import type { ReviewedEntry } from './ports.ts'
import {
  type Dismissals,
  isDismissed,
  proposalId,
  STALE_KINDS,
  type StaleProposal,
  type StaleReason,
} from './stale-proposal.ts'

/** The input of a review. */
export interface StaleState {
  readonly nowMs: number
  readonly entries: readonly ReviewedEntry[]
  /** Of entries whose files changed. */
  readonly freshnessById: ReadonlyMap<string, Freshness>
  /** Recorded replacements of entries, with their dates. */
  readonly supersededById: ReadonlyMap<string, { readonly by: string; readonly atMs: number }>
  /** Undecided conflicts. */
  readonly contradicted: readonly ContradictedPair[]
  /** When a person confirmed an entry. */
  readonly confirmedMsById: ReadonlyMap<string, number>
  /** Entries that were marked as useful. */
  readonly usefulIds: ReadonlySet<string>
  /** Files that must be repaired before entries can move. */
  readonly damagedPaths: ReadonlySet<string>
  readonly dismissals: Dismissals
  /** Workspace files with too many entries, and the target pages. */
  readonly learningSplits?: readonly PlannedLearningSplit[]
}

export interface PlannedLearningSplit extends PlannedSplit {
  /** Changes when the result of applying it would change. */
  readonly state: string
}

interface ContradictedPair {
  readonly older: string
  readonly newer: string
  readonly conflict: string
  /** Which of the two stays valid. */
  readonly holds: string
}

export interface StaleSettings extends SplitLimits {
  readonly unusedDays: number
}

interface StalePlan {
  /** In the order of `STALE_KINDS`; within a kind, the most certain first. */
  readonly proposals: readonly StaleProposal[]
  /** How many proposals were left out because they were dismissed. */
  readonly dismissed: number
}

const DAY_MS = 86_400_000

/** Proposes an action for everything that a person should check. Pure. */
export function planStaleReview(state: StaleState, settings: StaleSettings): StalePlan {
  const learnings = (state.learningSplits ?? []).map(split =>
    splitProposal(split, { of: 'workspace', state: split.state, settings }),
  )
  const all = [
    ...splits(state, settings),
    ...learnings,
    ...settlements(state),
    ...entryProposals(state, settings),
  ]
  const proposals = all
    .filter(proposal => !isDismissed(state.dismissals, proposal))
    .sort((a, b) => STALE_KINDS.indexOf(a.kind) - STALE_KINDS.indexOf(b.kind))
  return { proposals, dismissed: all.length - proposals.length }
}

function splits({ entries, damagedPaths }: StaleState, settings: StaleSettings): StaleProposal[] {
  const filesByHead = new Map<string, Map<string, SplitEntry[]>>()
  for (const { id, date, bytes, text, path } of entries) {
    const head = headPathOf(path)
    const files = filesByHead.get(head) ?? new Map<string, SplitEntry[]>()
    filesByHead.set(head, files)
    const inFile = files.get(path)
    if (inFile === undefined) files.set(path, [{ id, date, bytes, text }])
    else inFile.push({ id, date, bytes, text })
  }
  return [...filesByHead]
    .flatMap(([head, entriesByPath]) => planSplits({ head, entriesByPath }, settings))
    .filter(
      ({ file, moves }) =>
        ![file, headPathOf(file), ...moves.map(({ to }) => to)].some(path => damagedPaths.has(path)),
    )
    .map(split =>
      splitProposal(split, { of: 'vault', state: JSON.stringify([split.stays, split.moves]), settings }),
    )
}

function splitProposal(
  { file, entries, stays, moves }: PlannedSplit,
  {
    of,
    state,
    settings,
  }: { readonly of: 'vault' | 'workspace'; readonly state: string; readonly settings: StaleSettings },
): StaleProposal {
  return {
    id: proposalId('split', file, state),
    kind: 'split',
    what: file,
    text: '',
    reasons: [{ code: 'too_many_entries', entries, most: settings.mostEntries }],
    does: { kind: 'split', of, file, stays, moves },
    byNameOnly: false,
    // A person who accepts 60 entries is not asked again at 61.
    basis: `over ${Math.floor(entries / settings.mostEntries)} times`,
  }
}

function settlements({ contradicted, entries }: StaleState): StaleProposal[] {
  const entryById = new Map(entries.map(entry => [entry.id, entry]))
  return contradicted.flatMap(({ older, newer, conflict, holds }): StaleProposal[] => {
    const [valid, loser] = [entryById.get(holds), entryById.get(holds === older ? newer : older)]
    if (valid === undefined || loser === undefined) return []
    const what = `${older} ${newer}`
    const basis = `${holds} ${looks(valid)} ${looks(loser)}`
    return [
      {
        id: proposalId('settle', what, basis),
        kind: 'settle',
        what: loser.id,
        text: loser.text,
        other: { id: valid.id, text: valid.text },
        reasons: [{ code: 'contradicted', by: valid.id, conflict }],
        does: { kind: 'settle', holds: valid.id, retires: loser.id },
        byNameOnly: true,
        basis,
      },
    ]
  })
}

/**
 * At most one proposal per entry, by the most certain reason:
 *
 *   superseded on record, not confirmed since    archive
 *   captured, never used, not confirmed          archive
 *   a file changed a lot or is gone              confirm (archive, when it was captured, never used, and its file is gone)
 *   a person's, never used                       confirm
 */
function entryProposals(state: StaleState, { unusedDays }: StaleSettings): StaleProposal[] {
  const textById = new Map(state.entries.map(({ id, text }) => [id, text]))
  const ranked = state.entries.flatMap(entry => {
    const reasons = reasonsOf(entry, state, unusedDays)
    const [first] = reasons
    if (first === undefined) return []
    const isVouchedFor = isAPersons(entry, state)
    const isUsed = entry.accessCount > 0 || state.usefulIds.has(entry.id)
    const goes =
      first.code === 'superseded' ||
      (!isVouchedFor && !isUsed && (first.code === 'unused' || first.code === 'orphaned'))
    const kind = goes ? ('archive' as const) : ('confirm' as const)
    const basis = `${looks(entry)} ${reasons.map(basisOf).join(' ')}`
    const proposal: StaleProposal = {
      id: proposalId(kind, entry.id, `${basis} ${entry.accessCount} ${entry.path}`),
      kind,
      what: entry.id,
      text: entry.text,
      ...(first.code === 'superseded' && { other: { id: first.by, text: textById.get(first.by) ?? '' } }),
      reasons,
      does: { kind, entry: entry.id },
      byNameOnly: kind === 'confirm' || isVouchedFor,
      basis,
    }
    return [{ proposal, rank: SURENESS[first.code], days: daysSince(entry, state.nowMs) }]
  })
  return ranked.sort((a, b) => a.rank - b.rank || b.days - a.days).map(({ proposal }) => proposal)
}

const SURENESS: Readonly<Record<StaleReason['code'], number>> = {
  too_many_entries: 0,
  contradicted: 0,
  superseded: 1,
  orphaned: 2,
  drifted: 3,
  unused: 4,
}

/** Most certain first. */
function reasonsOf(entry: ReviewedEntry, state: StaleState, unusedDays: number): StaleReason[] {
  const reasons: StaleReason[] = []
  const confirmedMs = state.confirmedMsById.get(entry.id)
  const superseded = state.supersededById.get(entry.id)
  if (superseded !== undefined && !(confirmedMs !== undefined && confirmedMs >= superseded.atMs))
    reasons.push({ code: 'superseded', by: superseded.by })
  const freshness = state.freshnessById.get(entry.id)
  if (freshness !== undefined && freshness.state !== 'fresh') {
    const files = freshness.files.filter(({ what }) => what === 'changed' || what === 'gone')
    reasons.push({
      code: freshness.state,
      files: files.map(change => describeChanges([change])),
      paths: files.map(({ file }) => file),
    })
  }
  const days = Math.floor(daysSince(entry, state.nowMs))
  const isUnused =
    entry.accessCount === 0 &&
    entry.status !== 'pinned' &&
    confirmedMs === undefined &&
    !state.usefulIds.has(entry.id) &&
    days > unusedDays
  if (isUnused) reasons.push({ code: 'unused', days })
  return reasons
}

/** An entry that a person wrote, pinned or confirmed is removed only if a person names its proposal. */
function isAPersons({ id, origin, status }: ReviewedEntry, { confirmedMsById }: StaleState): boolean {
  return origin === 'person' || status === 'pinned' || status === 'confirmed' || confirmedMsById.has(id)
}

/** Since it was written, changed, used or first indexed here. An unreadable or future date counts as today. */
function daysSince({ date, updated, lastAccessMs }: ReviewedEntry, nowMs: number): number {
  const signs = [msOf(date), updated === undefined ? Number.NaN : msOf(updated), lastAccessMs ?? Number.NaN]
  const known = signs.filter(ms => !Number.isNaN(ms))
  return known.length === 0 ? 0 : Math.max(0, nowMs - Math.max(...known)) / DAY_MS
}

function msOf(date: string): number {
  return Date.parse(date.includes('T') && !date.endsWith('Z') ? `${date}Z` : date)
}

/** Without values that change every day: a dismissal must not expire with time. */
function basisOf(reason: StaleReason): string {
  if (reason.code === 'unused') return 'unused'
  // Older versions did not store the paths separately: their dismissals stay valid.
  return JSON.stringify('paths' in reason ? { code: reason.code, files: reason.files } : reason)
}

function looks({ fingerprint, status, updated }: ReviewedEntry): string {
  return `${fingerprint} ${status} ${updated ?? ''}`
}

export interface SplitEntry {
  readonly id: string
  readonly date: string
  readonly bytes: number
  /** The beginning of its text, which becomes its file name. */
  readonly text: string
}

/** A head file and its pages: `dev/decisions.md`, `dev/decisions/2026-02.md`. */
interface CategoryFiles {
  readonly head: string
  readonly entriesByPath: ReadonlyMap<string, readonly SplitEntry[]>
}

interface SplitLimits {
  readonly mostEntries: number
  /** How many of the newest entries stay in a head file. */
  readonly keepEntries: number
  readonly pageBytes: number
}

interface PlannedSplit {
  readonly file: string
  readonly entries: number
  readonly stays: number
  readonly moves: readonly { readonly to: string; readonly entries: readonly string[] }[]
}

const PAGE_NAME = /^(\d{4}-\d\d)(?:\.(\d+))?$/
/** The bytes of an entry in its file in addition to its content: comment, heading, rule. */
const AROUND_BYTES = 400

/**
 * Splits every file of a category with too many entries:
 *
 *   decisions.md                the newest stay, older ones get a file each
 *   local/decisions.md          the newest stay, older ones move to monthly pages
 *   local/decisions/2026-02.md  the oldest stay, newer ones move to 2026-02.2, 2026-02.3 …
 *
 * A committed page is not split: it comes from an import or from format 1, and hundreds of new files would be no improvement.
 *
 * All splits are planned together, so that two files that overflow into one month do not fill the same page twice. They can be applied
 * one by one, in any order, and each leaves files within the limit.
 */
export function planSplits({ head, entriesByPath }: CategoryFiles, limits: SplitLimits): PlannedSplit[] {
  const folder = head.replace(/\.md$/, '')
  const pages = new Map<string, Page>()
  const occupied = new Set<string>()
  for (const [path, entries] of entriesByPath) {
    if (path === head) continue
    occupied.add(path)
    const [, month, digits = '1'] = PAGE_NAME.exec(nameIn(folder, path)) ?? []
    if (month === undefined) continue
    const number = Number(digits)
    if (number > (pages.get(month)?.number ?? 0))
      pages.set(month, { number, entries: entries.length, bytes: bytesOf(entries) })
  }
  const placeFor = (month: string, bytes: number): string => {
    let page = pages.get(month) ?? { number: 1, entries: 0, bytes: 0 }
    const isFull = () =>
      page.entries >= limits.mostEntries || (page.entries > 0 && page.bytes + bytes > limits.pageBytes)
    while (isFull()) page = { number: page.number + 1, entries: 0, bytes: 0 }
    pages.set(month, { number: page.number, entries: page.entries + 1, bytes: page.bytes + bytes })
    return `${folder}/${page.number === 1 ? month : `${month}.${page.number}`}.md`
  }

  const isLocal = isLocalPath(head)
  const full = [...entriesByPath].filter(
    ([path, entries]) => entries.length > limits.mostEntries && (isLocal || path === head),
  )
  return full
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([file, entries]) => {
      const newestFirst = [...entries].sort((a, b) => compareIds(a.id, b.id))
      const keep = file === head ? Math.min(limits.keepEntries, limits.mostEntries) : limits.mostEntries
      const leaving = file === head ? newestFirst.slice(keep) : newestFirst.slice(0, -keep)
      const ownMonth = file === head ? undefined : PAGE_NAME.exec(nameIn(folder, file))?.[1]
      const moves = new Map<string, string[]>()
      // Oldest first: the next page of a month begins where the last one ends.
      for (const { id, date, bytes, text } of leaving.reverse()) {
        const to = isLocal
          ? placeFor(ownMonth ?? date.slice(0, 7), bytes + AROUND_BYTES)
          : `${folder}/${entryFileName({ id, date, content: text })}`
        moves.set(to, [...(moves.get(to) ?? []), id])
      }
      return {
        file,
        entries: entries.length,
        stays: keep,
        moves: [...moves].map(([to, ids]) => ({ to, entries: ids })),
      }
    })
}

interface Page {
  readonly number: number
  readonly entries: number
  readonly bytes: number
}

function nameIn(folder: string, path: string): string {
  return path.slice(folder.length + 1).replace(/\.md$/, '')
}

function bytesOf(entries: readonly SplitEntry[]): number {
  return entries.reduce((sum, { bytes }) => sum + bytes + AROUND_BYTES, 0)
}
