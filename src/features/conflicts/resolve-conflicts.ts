import type { Memory } from '../../kernel/memory.ts'
import {
  type ConflictPair,
  inOrder,
  pairKey,
  type Resolution,
  type ResolvedConflict,
} from '../../kernel/model/conflict.ts'
import type { Entry } from '../../kernel/model/entry.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { Change, JournalRecord } from '../../kernel/model/journal.ts'
import { fingerprint } from '../../kernel/text/fingerprint.ts'
import { undoneTracker } from '../../kernel/vault/undo.ts'
import { entryNotFound, withConfirmationsFor } from '../entries/write-entries.ts'
import type { SearchPorts } from '../search/decide/ports.ts'
import { namedConflict, supersededBy, validDecisions } from '../search/superseded.ts'
import type { ConflictPorts } from './decide/ports.ts'
import { withResolution } from './decide/resolutions.ts'

/** Digits of a pair's id: enough for some thousand pairs; a collision is reported as ambiguous. */
const ID_DIGITS = 6

/** A pair with its two entries, and the decision about it. */
export interface ConflictView {
  /** Made of the two entry ids: the same after the index was lost. */
  readonly id: string
  readonly older: Entry
  readonly newer: Entry
  readonly type: ConflictPair['type']
  readonly confidence?: number
  readonly reason?: ConflictPair['reason']
  readonly detectedAt: number
  readonly resolved?: ResolvedConflict
}

export function conflictId(a: string, b: string): string {
  return fingerprint(pairKey(a, b)).slice(-ID_DIGITS)
}

/** Pairs that wait for a person: claims first. A superseded entry is in no open pair. */
export async function openConflicts(memory: Memory & SearchPorts & ConflictPorts): Promise<ConflictView[]> {
  return (await allConflicts(memory)).filter(({ resolved }) => resolved === undefined)
}

/** Open ones first, then those that were decided, the latest first. */
export async function allConflicts(memory: Memory & SearchPorts & ConflictPorts): Promise<ConflictView[]> {
  await memory.store.refresh()
  const stored = await memory.conflicts.pairs()
  const named = await memory.conflicts.named()
  const resolutions = await memory.resolutions()
  const ids = [
    ...[...named, ...stored].flatMap(({ older, newer }) => [older, newer]),
    ...resolutions.flatMap(({ entryA, entryB }) => [entryA, entryB]),
  ]
  const entryById = await memory.search.loadEntries([...new Set(ids)])
  const settled = validDecisions(resolutions, entryById)
  const superseded = await supersededBy(memory, [...entryById.keys()])
  // One report for each pair: a claim in an entry counts before a comparison.
  const pairByKey = new Map(
    [...stored, ...named.flatMap(pair => namedConflict(pair, entryById) ?? [])].map(pair => [
      pairKey(pair.older, pair.newer),
      pair,
    ]),
  )
  const pairs = [...pairByKey.values()].sort((a, b) => b.confidence - a.confidence)
  const open = pairs.flatMap((pair): ConflictView[] => {
    const [older, newer] = [entryById.get(pair.older), entryById.get(pair.newer)]
    if (older === undefined || newer === undefined || settled.has(pairKey(pair.older, pair.newer))) return []
    if (superseded.has(pair.older) || superseded.has(pair.newer)) return []
    const { type, confidence, reason, detectedAt } = pair
    return [{ id: conflictId(older.id, newer.id), older, newer, type, confidence, reason, detectedAt }]
  })
  const decided = [...settled].flatMap(([key, resolved]): ConflictView[] => {
    const [a, b] = [entryById.get(resolved.entryA), entryById.get(resolved.entryB)]
    if (a === undefined || b === undefined) return []
    const [older, newer] = inOrder(a, b)
    const pair = pairByKey.get(key)
    return [
      {
        id: conflictId(a.id, b.id),
        older,
        newer,
        type: resolved.conflictType,
        ...(pair !== undefined && { confidence: pair.confidence, reason: pair.reason }),
        detectedAt: resolved.detectedAt,
        resolved,
      },
    ]
  })
  return [...open, ...decided.sort((x, y) => (y.resolved?.resolvedAt ?? 0) - (x.resolved?.resolvedAt ?? 0))]
}

export type Settlement =
  /** This entry is right; the other is no longer injected, or is removed. */
  | { readonly kind: 'keep'; readonly id: string; readonly removesOther: boolean }
  /** This one was right once; the other has taken its place. */
  | { readonly kind: 'supersede'; readonly id: string }
  /** Both are valid, each in its scope. */
  | { readonly kind: 'both' }
  | { readonly kind: 'not_a_conflict' }

export interface Settled {
  readonly resolved: ResolvedConflict
  readonly older: Entry
  readonly newer: Entry
  readonly removed: string | null
  /** null: nothing was written (a dry run). */
  readonly record: JournalRecord | null
}

/** Records a decision about a pair, reported or named by the user, with its effects, in one mutation. */
export async function resolveConflict(
  memory: Memory & SearchPorts & ConflictPorts,
  [a, b]: readonly [string, string],
  settlement: Settlement,
  { isDryRun = false }: { isDryRun?: boolean } = {},
): Promise<Settled> {
  if (a === b) {
    throw new CairnError({
      code: 'invalid_input',
      message: 'An entry is not in conflict with itself.',
      hint: 'Name two entries, or a pair as `cairn conflicts` shows it.',
    })
  }
  const { redact } = await import('../../kernel/text/redaction/redact.ts')
  const found = await findReport(memory, [a, b])
  let settled: Omit<Settled, 'record'> | undefined
  const record = await memory.store.write(memory.actor, async view => {
    const entries = [await view.findEntry(a), await view.findEntry(b)]
    if (entries[0] === undefined) throw entryNotFound(a)
    if (entries[1] === undefined) throw entryNotFound(b)
    const [older, newer] = inOrder(entries[0], entries[1])
    const nowMs = memory.clock.nowMs()
    const holds = keptEntryOf(settlement, older.id, newer.id)
    const resolved: ResolvedConflict = {
      entryA: older.id,
      entryB: newer.id,
      conflictType: found?.type ?? (settlement.kind === 'supersede' ? 'superseded' : 'contradictory'),
      detectedAt: found?.detectedAt ?? nowMs,
      resolvedAt: nowMs,
      resolution: RESOLUTION_OF[settlement.kind],
      ...(holds !== undefined && { holds }),
      said: [fingerprint(older.content), fingerprint(newer.content)],
      by: redact(memory.actor.host).text,
    }
    const removed =
      settlement.kind === 'keep' && settlement.removesOther ? (holds === older.id ? newer : older) : null
    settled = { resolved, older, newer, removed: removed?.id ?? null }
    if (isDryRun) return null
    const before = await view.readDocument('curation.json')
    const decided = { ...before, conflicts: withResolution(before.conflicts, resolved) }
    // A decision for an entry also confirms it.
    const held = [older, newer].filter(({ id }) => settlement.kind === 'both' || id === holds)
    const after = await withConfirmationsFor(memory, decided, held)
    const changes: Change[] = [{ type: 'document', name: 'curation.json', before, after }]
    const winner = [older, newer].find(({ id }) => id === holds)
    if (winner?.status === 'candidate')
      changes.push({ type: 'entry', before: winner, after: { ...winner, status: 'confirmed' } })
    if (removed !== null) changes.push({ type: 'entry', before: removed, after: null })
    return { action: 'resolve', changes }
  })
  if (settled === undefined) throw new Error('a write that decided nothing')
  return { ...settled, record }
}

async function findReport(
  memory: SearchPorts & ConflictPorts,
  ids: readonly [string, string],
): Promise<ConflictPair | undefined> {
  const key = pairKey(...ids)
  const named = await memory.conflicts.named(ids)
  const entryById = named.length === 0 ? new Map<string, Entry>() : await memory.search.loadEntries(ids)
  return [
    ...named.flatMap(pair => namedConflict(pair, entryById) ?? []),
    ...(await memory.conflicts.pairs(ids)),
  ].find(pair => pairKey(pair.older, pair.newer) === key)
}

const RESOLUTION_OF: Readonly<Record<Settlement['kind'], Resolution>> = {
  keep: 'kept',
  supersede: 'superseded',
  both: 'both',
  not_a_conflict: 'not_a_conflict',
}

function keptEntryOf(settlement: Settlement, older: string, newer: string): string | undefined {
  if (settlement.kind !== 'keep' && settlement.kind !== 'supersede') return undefined
  const { id } = settlement
  if (id !== older && id !== newer) {
    throw new CairnError({
      code: 'invalid_input',
      message: `${id} is neither of the two entries.`,
      hint: `The pair is ${older} and ${newer}.`,
    })
  }
  const other = id === older ? newer : older
  return settlement.kind === 'keep' ? id : other
}

/** The pair that a short id, or the beginning of one, means. */
export async function findPair(
  memory: Memory & SearchPorts & ConflictPorts,
  name: string,
): Promise<readonly [string, string]> {
  const wanted = name.trim().toLowerCase()
  const fits = (await allConflicts(memory)).filter(({ id }) => wanted !== '' && id.startsWith(wanted))
  const [first, ...more] = fits
  if (first === undefined) {
    throw new CairnError({
      code: 'conflict_not_found',
      message: `There is no conflict ${name.slice(0, 40)}.`,
      hint: '`cairn conflicts` shows the open ones with their ids; two entry ids name a pair too.',
    })
  }
  if (more.length > 0) {
    throw new CairnError({
      code: 'ambiguous_match',
      message: `"${name.slice(0, 40)}" fits ${fits.length} conflicts: ${fits.map(({ id }) => id).join(', ')}.`,
      hint: 'Name more of the id, or the two entries.',
    })
  }
  return [first.older.id, first.newer.id]
}

type Decision = Pick<ResolvedConflict, 'entryA' | 'entryB' | 'resolvedAt'>

export function decisionKey({ entryA, entryB, resolvedAt }: Decision): string {
  return `${entryA} ${entryB} ${resolvedAt}`
}

/** The journal record of each decision, by `decisionKey`: undoing it reopens the conflict. Only records that are not undone. */
export async function decisionRecords(
  memory: Memory,
  decided: readonly Decision[],
): Promise<ReadonlyMap<string, string>> {
  const wanted = new Set(decided.map(decisionKey))
  const found = new Map<string, string>()
  const isUndone = undoneTracker()
  if (wanted.size === 0) return found
  for await (const record of memory.store.readJournal({ entryId: 'curation.json' })) {
    const isTakenBack = isUndone(record)
    if (record.action !== 'resolve' || isTakenBack) continue
    for (const decision of decisionsIn(record.changes)) {
      const key = decisionKey(decision)
      if (wanted.has(key)) found.set(key, record.id)
    }
    if (found.size === wanted.size) break
  }
  return found
}

/** Removed values are not decisions of this record. */
const GONE: ReadonlySet<string> = new Set(['before', 'removed'])

function decisionsIn(value: unknown): readonly Decision[] {
  if (Array.isArray(value)) return value.flatMap(decisionsIn)
  if (typeof value !== 'object' || value === null) return []
  if ('entryA' in value && 'entryB' in value && 'resolvedAt' in value) return [value as Decision]
  return Object.entries(value).flatMap(([key, inner]) => (GONE.has(key) ? [] : decisionsIn(inner)))
}
