import type { Entry } from '../../../kernel/model/entry.ts'
import { lineageOf, writerOf } from '../../../kernel/model/provenance.ts'
import type { Scored } from './fuse.ts'

/** "Replaces [[1773679871839-k3f9]]", in the words of the entry. A link without such a verb names no predecessor. */
const NAMED = /\b(?:supersedes|replaces|substitui)\s+(?:#|the\s+entry\s+)?\[\[([\w.-]{1,80})\]\]/i

/** The entry that this one says it replaces. */
export function namedPredecessor(entry: Pick<Entry, 'content' | 'extra'>): string | undefined {
  return lineageOf(entry).supersedes ?? NAMED.exec(entry.content)?.[1]
}

type Judged = Pick<Entry, 'id' | 'content' | 'origin' | 'status' | 'extra'>

type Succession =
  /** The older entry is superseded. */
  | 'superseded'
  /** Both stay; a person is asked. */
  | 'claim'

/**
 * What follows from an entry that names another as its predecessor (SPEC, section 5):
 *
 *   newer             older                     result
 *   person's          any but pinned            superseded, if `lineage.supersedes` names it
 *   agent's           agent's candidate         superseded, if `lineage.supersedes` names it
 *   agent's           person's, confirmed, …    claim
 *   by its text only  any                       claim
 *   suggestion        any                       nothing: it was not accepted
 */
export function successionOf(newer: Judged, older: Judged): Succession | undefined {
  if (newer.id === older.id || namedPredecessor(newer) !== older.id) return undefined
  if (newer.origin === 'machine' && newer.status === 'candidate') return undefined
  return lineageOf(newer).supersedes === older.id && mayRetire(newer, older) ? 'superseded' : 'claim'
}

function mayRetire(newer: Judged, older: Judged): boolean {
  if (older.status === 'pinned') return false
  if (writerOf(newer) === 'person') return newer.status !== 'candidate'
  return newer.origin === 'agent' && older.origin === 'agent' && older.status === 'candidate'
}

/** A question that finds the earlier decision first asks for the current one. */
const REPLACED_SHARE = 0.9

/**
 * Puts each newer entry before those it replaces: it gets the best of their scores, and theirs are lowered. An entry
 * that the search did not find is added only if `mayAdd` allows it: a filter may exclude it.
 */
export function preferSuccessors(
  ranked: readonly Scored[],
  successorById: ReadonlyMap<string, string>,
  mayAdd: boolean,
): Scored[] {
  if (successorById.size === 0) return [...ranked]
  const byId = new Map(ranked.map(scored => [scored.id, scored]))
  for (const { id, score } of ranked) {
    const newest = lastOf(id, successorById)
    const own = byId.get(newest)
    if (newest === id || (own === undefined && !mayAdd)) continue
    if (own === undefined || own.score < score) {
      byId.set(newest, { words: 0, meaning: 0, ...own, id: newest, score, replaces: id })
    }
    byId.set(id, { ...(byId.get(id) as Scored), score: score * REPLACED_SHARE, replacedBy: newest })
  }
  return [...byId.values()].sort((a, b) => b.score - a.score)
}

/** The end of the chain; for a ring the start, since nothing shows which one is current. */
export function lastOf(id: string, successorById: ReadonlyMap<string, string>): string {
  const seen = new Set([id])
  let last = id
  for (let next = successorById.get(last); next !== undefined; next = successorById.get(last)) {
    if (seen.has(next)) return id
    seen.add(next)
    last = next
  }
  return last
}
