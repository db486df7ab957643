import { CATEGORIES, type Category } from '../../kernel/model/category.ts'
import type { VaultCounts } from '../../kernel/vault/ports.ts'
import type { Tenant } from './tenant.ts'

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
