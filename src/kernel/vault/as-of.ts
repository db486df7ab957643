import type { Entry } from '../model/entry.ts'
import { compareIds } from '../model/entry-id.ts'
import type { JournalRecord } from '../model/journal.ts'

/**
 * The vault at an earlier time: today's entries with every later mutation undone, newest first.
 *
 * now ──undo──▶ … ──undo──▶ the first record after `momentIso`   =   the vault at `momentIso`
 *
 * Entries that came from outside (a pull, a manual edit, an adopted vault) count from their own date on: when they were written says more
 * than when this clone first saw them.
 */
export function rewind(
  entries: readonly Entry[],
  newestFirst: readonly JournalRecord[],
  momentIso: string,
): Entry[] {
  const entryById = new Map(entries.map(entry => [entry.id, entry]))
  const journaled = new Set<string>()
  for (const record of newestFirst) {
    if (record.at <= momentIso) {
      for (const change of record.changes)
        if (change.type === 'entry' && change.after !== null) journaled.add(change.after.id)
      continue
    }
    for (const change of [...record.changes].reverse()) {
      if (change.type !== 'entry') continue
      const { before, after } = change
      if (before !== null) entryById.set(before.id, before)
      else if (after !== null && record.action !== 'observe') entryById.delete(after.id)
    }
  }
  return [...entryById.values()]
    .filter(entry => journaled.has(entry.id) || `${entry.date}` <= momentIso)
    .sort((a, b) => compareIds(a.id, b.id))
}
