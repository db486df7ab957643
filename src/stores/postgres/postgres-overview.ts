import type { OverviewIndex } from '../../features/overview/decide/ports.ts'
import { CATEGORIES, type Category } from '../../kernel/model/category.ts'
import type { VaultCounts } from '../../kernel/vault/ports.ts'
import { unpackList } from '../sql/entry-fields.ts'
import type { Tenant } from './tenant.ts'

type Tags = readonly { readonly tag: string; readonly count: number }[]

export function postgresOverview(tenant: Tenant): OverviewIndex {
  let known: { readonly revision: number; readonly tags: Tags } | undefined

  /** Reads every row, so the result is cached by revision. */
  async function countTags(): Promise<Tags> {
    const counts = new Map<string, number>()
    const rows = await tenant.query<{ tags: string; entries: number }>(
      "SELECT e.tags, count(*)::int AS entries FROM entry e WHERE e.project = $1 AND e.tags <> '' GROUP BY e.tags",
    )
    for (const { tags, entries } of rows)
      for (const tag of unpackList(tags)) counts.set(tag, (counts.get(tag) ?? 0) + entries)
    return [...counts]
      .map(([tag, count]) => ({ tag, count }))
      .sort((a, b) => b.count - a.count || (a.tag < b.tag ? -1 : 1))
  }

  return {
    async tags(most) {
      const row = await tenant.one<{ revision: number }>(
        'SELECT p.revision FROM project p WHERE p.project = $1',
      )
      const revision = row?.revision ?? 0
      if (known?.revision !== revision) known = { revision, tags: await countTags() }
      return known.tags.slice(0, most)
    },

    async conflictStamp() {
      const row = await tenant.one<{ pairs: number; newest: number | null }>(
        'SELECT count(*)::int AS pairs, max(c.detected_ms) AS newest FROM conflict c WHERE c.project = $1',
      )
      return `${row?.pairs ?? 0} ${row?.newest ?? ''}`
    },

    /** A hub has no files to compare with. */
    async staleEntries() {
      return 0
    },
  }
}

export async function countVault(tenant: Tenant): Promise<VaultCounts> {
  const rows = await tenant.query<{
    agent: string
    category: Category
    kind: string
    status: string
    n: number
  }>(
    `SELECT e.agent, e.category, e.kind, e.status, count(*)::int AS n FROM entry e WHERE e.project = $1
     GROUP BY e.agent, e.category, e.kind, e.status`,
  )
  const byAgent: Record<string, Record<Category, number>> = {}
  const byKind: Record<string, number> = {}
  const byStatus: Record<string, number> = {}
  let total = 0
  for (const { agent, category, kind, status, n } of rows) {
    byAgent[agent] ??= Object.fromEntries(CATEGORIES.map(name => [name, 0])) as Record<Category, number>
    ;(byAgent[agent] as Record<Category, number>)[category] += n
    byKind[kind] = (byKind[kind] ?? 0) + n
    byStatus[status] = (byStatus[status] ?? 0) + n
    total += n
  }
  return { total, byAgent, byKind, byStatus }
}
