import { CATEGORIES, type Category } from '../../model/category.ts'
import type { VaultCounts } from '../../pipeline/store/ports.ts'
import type { SqliteStatement } from './driver.ts'

interface Asked {
  statement(sql: string): SqliteStatement
}

/** Every row is looked at for its kind: of the same index once. */
export class CountedVault {
  readonly #index: Asked
  #known: { readonly stamp: string; readonly counts: VaultCounts } | undefined

  constructor(index: Asked) {
    this.#index = index
  }

  counts(): VaultCounts {
    const stamp = stampOf(this.#index)
    if (this.#known?.stamp !== stamp) this.#known = { stamp, counts: countVault(this.#index) }
    return this.#known.counts
  }
}

/** Changes with every write, of this connection or of another. */
export function stampOf(index: Asked): string {
  const { data_version: others } = index.statement('PRAGMA data_version').get() as { data_version: number }
  const { own } = index.statement('SELECT total_changes() AS own').get() as { own: number }
  return `${others}-${own}`
}

function countVault(index: Asked): VaultCounts {
  const byAgent: Record<string, Record<Category, number>> = {}
  let total = 0
  for (const row of index
    .statement('SELECT agent, category, count(*) AS n FROM entry GROUP BY agent, category')
    .all()) {
    const { agent, category, n } = row as { agent: string; category: Category; n: number }
    byAgent[agent] ??= Object.fromEntries(CATEGORIES.map(name => [name, 0])) as Record<Category, number>
    ;(byAgent[agent] as Record<Category, number>)[category] = n
    total += n
  }
  return { total, byAgent, byKind: countsBy(index, 'kind'), byStatus: countsBy(index, 'status') }
}

function countsBy(index: Asked, column: 'kind' | 'status'): Record<string, number> {
  const rows = index
    .statement(`SELECT ${column} AS name, count(*) AS n FROM entry GROUP BY 1 ORDER BY 2 DESC`)
    .all()
  return Object.fromEntries((rows as { name: string; n: number }[]).map(row => [row.name, row.n]))
}
