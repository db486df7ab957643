import type { Entry } from '../../../kernel/model/entry.ts'
import type { EntryChange } from '../../../kernel/model/journal.ts'
import { isShared, isTooLarge, type Print, printOfEntry } from './shared-entry.ts'
import { isSound } from './sound-entry.ts'

/** An entry that a clone wants to write. */
export interface PushedEntry {
  readonly id: string
  /** The fingerprint of the agreed version; null: there was none. */
  readonly expected: string | null
  /** null: it was removed. */
  readonly entry: Entry | null
  /** Fingerprints of local versions in between, which the hub never saw: other clones may have one of them by git. */
  readonly formerly?: readonly string[]
}

export type PushOutcome =
  /** Stored as sent; also if another clone sent the same before. */
  | { readonly id: string; readonly outcome: 'accepted' | 'already' }
  /** The hub has another version than expected, and it stays. null: it was removed. */
  | { readonly id: string; readonly outcome: 'conflict'; readonly entry: Entry | null }
  /** It is rejected. */
  | { readonly id: string; readonly outcome: 'refused'; readonly reason: PushRefusal }

export const PUSH_REFUSALS = ['secret', 'not_shared', 'unsound', 'too_large'] as const
type PushRefusal = (typeof PUSH_REFUSALS)[number]

/** Rejections that do not depend on the stored entries: checked before the project is locked. */
export function refuseUnfit(
  pushed: readonly PushedEntry[],
  holdsSecret: (entry: Entry) => boolean,
): ReadonlyMap<PushedEntry, PushRefusal> {
  const refused = new Map<PushedEntry, PushRefusal>()
  for (const each of pushed) {
    const reason = each.entry === null ? undefined : refusalOf(each.id, each.entry, holdsSecret)
    if (reason !== undefined) refused.set(each, reason)
  }
  return refused
}

function refusalOf(
  id: string,
  entry: Entry,
  holdsSecret: (entry: Entry) => boolean,
): PushRefusal | undefined {
  if (entry.id !== id || !isSound(entry)) return 'unsound'
  if (!isShared(entry)) return 'not_shared'
  if (isTooLarge(entry)) return 'too_large'
  return holdsSecret(entry) ? 'secret' : undefined
}

/** The result of a push for each entry: a version that the sender did not expect is never overwritten. */
export function planPush(
  pushed: readonly PushedEntry[],
  standing: (id: string) => Entry | undefined,
  { print, refused }: { readonly print: Print; readonly refused: ReadonlyMap<PushedEntry, PushRefusal> },
): { readonly outcomes: readonly PushOutcome[]; readonly changes: readonly EntryChange[] } {
  const changes: EntryChange[] = []
  const written = new Map<string, Entry | undefined>()
  const outcomes = pushed.map((each): PushOutcome => {
    const { id, expected, entry, formerly = [] } = each
    const before = written.has(id) ? written.get(id) : standing(id)
    const isHidden = before !== undefined && !isShared(before)
    const reason = isHidden ? 'not_shared' : refused.get(each)
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
