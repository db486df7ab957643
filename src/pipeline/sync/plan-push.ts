import type { Entry } from '../../model/entry.ts'
import type { EntryChange } from '../../model/journal.ts'
import { isShared, type Print, printOfEntry } from './shared-entry.ts'
import { isSound } from './sound-entry.ts'

/** One entry as a repository wants it to be. */
export interface PushedEntry {
  readonly id: string
  /** The print of what the hub had when they last agreed; null: it had none. */
  readonly expected: string | null
  /** null: it was removed. */
  readonly entry: Entry | null
  /** Prints of the versions that it had in between, which the hub never saw: others may have one of them by git. */
  readonly formerly?: readonly string[]
}

export type PushOutcome =
  /** It is as it was sent; also where somebody sent the same before. */
  | { readonly id: string; readonly outcome: 'accepted' | 'already' }
  /** The hub has another version than was expected, and keeps it. null: it was removed. */
  | { readonly id: string; readonly outcome: 'conflict'; readonly entry: Entry | null }
  /** It is not taken at all. */
  | { readonly id: string; readonly outcome: 'refused'; readonly reason: PushRefusal }

export const PUSH_REFUSALS = ['secret', 'not_shared', 'unsound'] as const
export type PushRefusal = (typeof PUSH_REFUSALS)[number]

/** What a push comes to on what stands on the hub now, entry by entry: a version that nobody expected is never written over. */
export function planPush(
  pushed: readonly PushedEntry[],
  standing: (id: string) => Entry | undefined,
  { print, holdsSecret }: { readonly print: Print; readonly holdsSecret: (entry: Entry) => boolean },
): { readonly outcomes: readonly PushOutcome[]; readonly changes: readonly EntryChange[] } {
  const changes: EntryChange[] = []
  const written = new Map<string, Entry | undefined>()
  const outcomes = pushed.map(({ id, expected, entry, formerly = [] }): PushOutcome => {
    const before = written.has(id) ? written.get(id) : standing(id)
    const reason = refusalOf(id, entry, before, holdsSecret)
    if (reason !== undefined) return { id, outcome: 'refused', reason }
    const now = before === undefined ? null : printOfEntry(before, print)
    const then = entry === null ? null : printOfEntry(entry, print)
    if (now === then) return { id, outcome: 'already' }
    if (now !== expected) return { id, outcome: 'conflict', entry: before ?? null }
    const change: EntryChange = { type: 'entry', before: before ?? null, after: entry }
    changes.push(formerly.length === 0 ? change : { ...change, formerly })
    written.set(id, entry ?? undefined)
    return { id, outcome: 'accepted' }
  })
  return { outcomes, changes }
}

function refusalOf(
  id: string,
  entry: Entry | null,
  before: Entry | undefined,
  holdsSecret: (entry: Entry) => boolean,
): PushRefusal | undefined {
  if (before !== undefined && !isShared(before)) return 'not_shared'
  if (entry === null) return undefined
  if (entry.id !== id || !isSound(entry)) return 'unsound'
  if (!isShared(entry)) return 'not_shared'
  return holdsSecret(entry) ? 'secret' : undefined
}
