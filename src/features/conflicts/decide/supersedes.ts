import type { Entry } from '../../../kernel/model/entry.ts'
import { lineageOf, writerOf } from '../../../kernel/model/provenance.ts'

/** "Replaces [[1773679871839-k3f9]]", in the words of the entry. A link without such a verb names no predecessor. */
const NAMED = /\b(?:supersedes|replaces|substitui)\s+(?:#|the\s+entry\s+)?\[\[([\w.-]{1,80})\]\]/i

/** The entry that this one says it replaces. */
export function namedPredecessor(entry: Pick<Entry, 'content' | 'extra'>): string | undefined {
  return lineageOf(entry).supersedes ?? NAMED.exec(entry.content)?.[1]
}

type Judged = Pick<Entry, 'id' | 'content' | 'origin' | 'status' | 'extra'>

export type Succession =
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
 *   suggestion        any                       nothing: nobody has accepted it
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
