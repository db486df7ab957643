import type { OverviewIndex } from '../../features/overview/decide/ports.ts'
import { unpackList } from '../sql/entry-fields.ts'
import type { SqliteIndex } from './sqlite-index.ts'

type Tags = readonly { readonly tag: string; readonly count: number }[]

export function sqliteOverview(index: () => SqliteIndex): OverviewIndex {
  let known: { readonly stamp: string; readonly tags: Tags } | undefined

  /** Reads every row, once for the same entries. */
  function countTags(): Tags {
    const counts = new Map<string, number>()
    const rows = index()
      .statement("SELECT tags, count(*) AS entries FROM entry WHERE tags <> '' GROUP BY tags")
      .all() as { tags: string; entries: number }[]
    for (const { tags, entries } of rows)
      for (const tag of unpackList(tags)) counts.set(tag, (counts.get(tag) ?? 0) + entries)
    return [...counts]
      .map(([tag, count]) => ({ tag, count }))
      .sort((a, b) => b.count - a.count || (a.tag < b.tag ? -1 : 1))
  }

  return {
    async tags(limit) {
      const stamp = index().entryStamp()
      if (known?.stamp !== stamp) known = { stamp, tags: countTags() }
      return known.tags.slice(0, limit)
    },

    async conflictStamp() {
      const row = index()
        .statement('SELECT count(*) AS pairs, max(detected_ms) AS newest FROM conflict')
        .get()
      const { pairs, newest } = row as { pairs: number; newest: number | null }
      return `${pairs} ${newest ?? ''}`
    },

    async staleEntries() {
      const { entries } = index()
        .statement(
          `SELECT count(DISTINCT j.id) AS entries FROM judged_anchor j JOIN entry e ON e.id = j.id
           WHERE j.outcome IN ('drifted', 'gone')`,
        )
        .get() as { entries: number }
      return entries
    },
  }
}
