import type { Engine } from './engine-parts.ts'
import { pairKey, type ResolvedConflict } from './model/conflict.ts'
import { type Entry, isSuggestion } from './model/entry.ts'
import { isReadBy } from './model/reader.ts'
import type { Marks } from './model/selection.ts'
import { mayRetire } from './pipeline/promote/may-retire.ts'
import { loserOf, stillHolds } from './pipeline/promote/resolutions.ts'
import { lastOf } from './pipeline/retrieve/succession.ts'
import { fingerprint } from './text/fingerprint.ts'

/** Decisions that replace one another in a row. */
const LONGEST_CHAIN = 8

export interface SuccessorOptions {
  /** Who is to be told: what this agent does not read takes nobody's place. */
  readonly reader?: string | undefined
  /** Also what the vectors suggest, beside what is on record. */
  readonly bySuggestion: boolean
}

/** What it is asked of: an engine, or a memory that is only looked into. */
export interface SupersededParts {
  readonly resolutions: Engine['resolutions']
  readonly search: Pick<Engine['search'], 'loadEntries'>
  readonly semantics: { readonly vectors: Pick<Engine['semantics']['vectors'], 'successors'> }
}

/**
 * By id, the entry that took the place of each of these, where one did:
 *
 *   on record   curation.json says so, and both still say what they said
 *   suggested   the vectors say so (meaning.ts), and nobody has decided otherwise about the pair; never over a pinned entry, nor a
 *               candidate over a confirmed one
 */
export async function supersededBy(
  engine: SupersededParts,
  ids: readonly string[],
  { reader, bySuggestion }: SuccessorOptions,
): Promise<ReadonlyMap<string, string>> {
  const resolutions = await engine.resolutions()
  const successorById = new Map<string, string>()
  let asked = ids
  for (let step = 0; step < LONGEST_CHAIN && asked.length > 0; step += 1) {
    const suggested = bySuggestion ? await engine.semantics.vectors.successors(asked) : new Map()
    const pairs = [...recorded(resolutions, asked), ...suggested]
    if (pairs.length === 0) break
    const entryById = await engine.search.loadEntries(pairs.flat())
    const settled = settledKeys(resolutions, entryById)
    for (const [older, newer] of pairs) {
      const [held, holder] = [entryById.get(older), entryById.get(newer)]
      if (held === undefined || holder === undefined || !isReadBy(holder, reader)) continue
      const decision = settled.get(pairKey(older, newer))
      const isSo =
        decision === undefined
          ? suggested.get(older) === newer && mayRetire(held, holder)
          : loserOf(decision) === older
      if (isSo && !successorById.has(older)) successorById.set(older, newer)
    }
    asked = pairs.map(([, newer]) => newer).filter(id => !successorById.has(id))
  }
  return successorById
}

function recorded(resolutions: readonly ResolvedConflict[], ids: readonly string[]): [string, string][] {
  if (resolutions.length === 0) return []
  const wanted = new Set(ids)
  return resolutions.flatMap((resolved): [string, string][] => {
    const loser = loserOf(resolved)
    return loser !== undefined && resolved.holds !== undefined && wanted.has(loser)
      ? [[loser, resolved.holds]]
      : []
  })
}

/** What was decided about pairs of these entries and still holds, by pair. */
export function settledKeys(
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
          entryById.has(resolved.entryA) && entryById.has(resolved.entryB) && stillHolds(resolved, printOf),
      )
      .map(resolved => [pairKey(resolved.entryA, resolved.entryB), resolved]),
  )
}

/** What is to be said of these entries to this reader: that one is superseded, or in conflict with another that the reader sees. */
export async function conflictMarks(
  engine: Engine,
  ids: readonly string[],
  reader?: string,
): Promise<ReadonlyMap<string, Marks>> {
  const marks = new Map<string, Marks>()
  if (ids.length === 0) return marks
  const pairs = await engine.conflicts.pairs(ids)
  const concerned = [...new Set([...ids, ...pairs.flatMap(({ older, newer }) => [older, newer])])]
  const successorById = await supersededBy(engine, concerned, { reader, bySuggestion: false })
  for (const id of ids) {
    const newer = successorById.get(id)
    if (newer !== undefined) marks.set(id, { supersededBy: newer })
  }
  if (pairs.length === 0) return marks
  const entryById = await engine.search.loadEntries(concerned)
  const settled = settledKeys(await engine.resolutions(), entryById)
  const wanted = new Set(ids)
  for (const { older, newer } of pairs) {
    // What is not told any more is against nothing.
    if (settled.has(pairKey(older, newer)) || successorById.has(older) || successorById.has(newer)) continue
    for (const [id, other] of [
      [older, newer],
      [newer, older],
    ] as const) {
      const against = entryById.get(other)
      if (!wanted.has(id) || marks.has(id) || against === undefined || !isReadBy(against, reader)) continue
      // A mark quotes the other side, and a suggestion is never injected.
      if (isSuggestion(against)) continue
      marks.set(id, { conflictsWith: { id: other, content: against.content } })
    }
  }
  return marks
}

export interface CurrentEntries {
  readonly told: readonly Entry[]
  /** Superseded, and so not told. */
  readonly left: readonly Entry[]
}

/** The list with every superseded entry taken out, and what took its place where it stood. */
export async function onlyCurrent(
  engine: Engine,
  entries: readonly Entry[],
  reader: string | undefined,
): Promise<CurrentEntries> {
  const successorById = await supersededBy(
    engine,
    entries.map(({ id }) => id),
    { reader, bySuggestion: await engine.semantics.isOn() },
  )
  if (successorById.size === 0) return { told: entries, left: [] }
  const newer = await engine.search.loadEntries([...new Set(successorById.values())])
  const toldById = new Map<string, Entry>()
  for (const entry of entries) {
    const current = successorById.has(entry.id) ? newer.get(lastOf(entry.id, successorById)) : entry
    if (current !== undefined) toldById.set(current.id, current)
  }
  const left = entries.filter(({ id }) => !toldById.has(id))
  return { told: [...toldById.values()], left }
}
