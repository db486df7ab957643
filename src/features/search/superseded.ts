import { type ConflictPair, pairKey, type ResolvedConflict } from '../../kernel/model/conflict.ts'
import { type Entry, isReadBy, isSuggestion } from '../../kernel/model/entry.ts'
import type { Marks } from '../../kernel/model/selection.ts'
import { fingerprint } from '../../kernel/text/fingerprint.ts'
import type { ConflictPorts, NamedPair } from '../conflicts/decide/ports.ts'
import { isStillValid, loserOf } from '../conflicts/decide/resolutions.ts'
import type { SearchPorts } from './decide/ports.ts'
import { lastOf, successionOf } from './decide/succession.ts'

/** Decisions that replace one another in a row. */
const MAX_CHAIN = 8

interface SuccessorOptions {
  /** The agent that reads: an entry that it does not read replaces nothing for it. */
  readonly reader?: string | undefined
}

/** What it needs: an engine, or a memory that is only read. */
export interface SupersededParts {
  readonly resolutions: ConflictPorts['resolutions']
  readonly search: Pick<SearchPorts['search'], 'loadEntries'>
  readonly conflicts: Pick<ConflictPorts['conflicts'], 'named'>
}

/**
 * By id, the entry that replaced each of these, where one did:
 *
 *   decided   a person said so (curation.json), and both entries are unchanged since
 *   named     the newer entry names the older one, its writer may retire it (`successionOf`), and no person decided otherwise
 *
 * One query where there is neither.
 */
export async function supersededBy(
  memory: SupersededParts,
  ids: readonly string[],
  { reader }: SuccessorOptions = {},
): Promise<ReadonlyMap<string, string>> {
  const resolutions = await memory.resolutions()
  const successorById = new Map<string, string>()
  let asked = ids
  for (let step = 0; step < MAX_CHAIN && asked.length > 0; step += 1) {
    const named = (await memory.conflicts.named(asked)).filter(({ code }) => code === 'claim')
    const pairs = [
      ...decided(resolutions, asked),
      ...named.map(({ older, newer }): [string, string] => [older, newer]),
    ]
    if (pairs.length === 0) break
    const entryById = await memory.search.loadEntries(pairs.flat())
    const settled = validDecisions(resolutions, entryById)
    for (const [olderId, newerId] of pairs) {
      const [older, newer] = [entryById.get(olderId), entryById.get(newerId)]
      if (older === undefined || newer === undefined || !isReadBy(newer, reader)) continue
      const decision = settled.get(pairKey(olderId, newerId))
      const isSuperseded =
        decision === undefined ? successionOf(newer, older) === 'superseded' : loserOf(decision) === olderId
      if (isSuperseded && !successorById.has(olderId)) successorById.set(olderId, newerId)
    }
    asked = pairs.map(([, newer]) => newer).filter(id => !successorById.has(id))
  }
  return successorById
}

function decided(resolutions: readonly ResolvedConflict[], ids: readonly string[]): [string, string][] {
  if (resolutions.length === 0) return []
  const wanted = new Set(ids)
  return resolutions.flatMap((resolved): [string, string][] => {
    const loser = loserOf(resolved)
    return loser !== undefined && resolved.holds !== undefined && wanted.has(loser)
      ? [[loser, resolved.holds]]
      : []
  })
}

/** The decisions about pairs of these entries that are still valid, by pair. */
export function validDecisions(
  resolutions: readonly ResolvedConflict[],
  entryById: ReadonlyMap<string, Entry>,
): ReadonlyMap<string, ResolvedConflict> {
  const prints = new Map<string, string>()
  const printOf = (id: string) => {
    const entry = entryById.get(id)
    if (entry === undefined) return undefined
    const print = prints.get(id) ?? fingerprint(entry.content)
    prints.set(id, print)
    return print
  }
  return new Map(
    resolutions
      .filter(
        resolved =>
          entryById.has(resolved.entryA) && entryById.has(resolved.entryB) && isStillValid(resolved, printOf),
      )
      .map(resolved => [pairKey(resolved.entryA, resolved.entryB), resolved]),
  )
}

/** The report of an entry that names another; undefined where it makes no claim, or the older entry is superseded by it. */
export function namedConflict(
  { older, newer, code }: NamedPair,
  entryById: ReadonlyMap<string, Entry>,
): ConflictPair | undefined {
  const [before, after] = [entryById.get(older), entryById.get(newer)]
  if (before === undefined || after === undefined) return undefined
  if (code === 'claim' && successionOf(after, before) !== 'claim') return undefined
  return {
    older,
    newer,
    type: code === 'claim' ? 'superseded' : 'contradictory',
    confidence: 1,
    reason: { code, words: [] },
    detectedAt: Date.parse(`${after.date}Z`) || 0,
  }
}

/** What a brief or a search says about these entries: superseded, claimed to be replaced, or in conflict with another that the reader sees. */
export async function conflictMarks(
  memory: SearchPorts & ConflictPorts,
  ids: readonly string[],
  reader?: string,
): Promise<ReadonlyMap<string, Marks>> {
  const marks = new Map<string, Marks>()
  if (ids.length === 0) return marks
  const named = await memory.conflicts.named(ids)
  const stored = await memory.conflicts.pairs(ids)
  const concerned = [
    ...new Set([...ids, ...[...stored, ...named].flatMap(({ older, newer }) => [older, newer])]),
  ]
  const successorById = await supersededBy(memory, concerned, { reader })
  for (const id of ids) {
    const newer = successorById.get(id)
    if (newer !== undefined) marks.set(id, { supersededBy: newer })
  }
  if (stored.length + named.length === 0) return marks
  const entryById = await memory.search.loadEntries(concerned)
  const settled = validDecisions(await memory.resolutions(), entryById)
  const wanted = new Set(ids)
  const pairs = [...named.flatMap(pair => namedConflict(pair, entryById) ?? []), ...stored]
  for (const { older, newer, reason } of pairs) {
    // A superseded entry is not injected, so it contradicts nothing.
    if (settled.has(pairKey(older, newer)) || successorById.has(older) || successorById.has(newer)) continue
    const sides = [
      [older, newer],
      [newer, older],
    ] as const
    for (const [id, other] of reason.code === 'claim' ? sides.slice(0, 1) : sides) {
      const against = entryById.get(other)
      if (!wanted.has(id) || marks.has(id) || against === undefined || !isReadBy(against, reader)) continue
      // A mark quotes the other side, and a suggestion is never injected.
      if (isSuggestion(against)) continue
      marks.set(
        id,
        reason.code === 'claim'
          ? { newerClaim: other }
          : { conflictsWith: { id: other, content: against.content } },
      )
    }
  }
  return marks
}

export interface CurrentEntries {
  readonly current: readonly Entry[]
  /** Superseded, and so not injected. */
  readonly left: readonly Entry[]
}

/** The list without superseded entries; each is replaced by the entry that superseded it. */
export async function onlyCurrent(
  memory: SearchPorts & ConflictPorts,
  entries: readonly Entry[],
  reader: string | undefined,
): Promise<CurrentEntries> {
  const successorById = await supersededBy(
    memory,
    entries.map(({ id }) => id),
    { reader },
  )
  if (successorById.size === 0) return { current: entries, left: [] }
  const newer = await memory.search.loadEntries([...new Set(successorById.values())])
  const currentById = new Map<string, Entry>()
  for (const entry of entries) {
    const current = successorById.has(entry.id) ? newer.get(lastOf(entry.id, successorById)) : entry
    if (current !== undefined) currentById.set(current.id, current)
  }
  const left = entries.filter(({ id }) => !currentById.has(id))
  return { current: [...currentById.values()], left }
}
