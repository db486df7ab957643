import { CATEGORIES, type Category } from '../../kernel/model/category.ts'
import type { VaultCounts } from '../../kernel/vault/ports.ts'
import type { StatementSource } from './driver.ts'

/** Counts over every row, once for the same entries. */
export class CountedVault {
  readonly #index: StatementSource
  readonly #stamp: EntryStamp
  #known: { readonly stamp: string; readonly counts: VaultCounts } | undefined

  constructor(index: StatementSource, stamp: EntryStamp) {
    this.#index = index
    this.#stamp = stamp
  }

  counts(): VaultCounts {
    const stamp = this.#stamp.read()
    if (this.#known?.stamp !== stamp) this.#known = { stamp, counts: countVault(this.#index) }
    return this.#known.counts
  }
}

/**
 * A text that changes when the entries change. Vectors, accesses and comparisons do not count. It is made of the hashes of the files, and
 * computed again only after a write of this or another connection.
 */
export class EntryStamp {
  readonly #index: StatementSource
  #applied = 0
  #known: { readonly writes: string; readonly stamp: string } | undefined

  constructor(index: StatementSource) {
    this.#index = index
  }

  /** This connection wrote entries. */
  note(): void {
    this.#applied++
  }

  read(): string {
    const writes = this.#writes()
    if (this.#known?.writes !== writes)
      this.#known = { writes, stamp: `${this.#applied}\n${this.#filesRead()}` }
    return this.#known.stamp
  }

  #writes(): string {
    const { data_version: others } = this.#index.statement('PRAGMA data_version').get() as {
      data_version: number
    }
    const { own } = this.#index.statement('SELECT total_changes() AS own').get() as { own: number }
    return `${others}-${own}`
  }

  #filesRead(): string {
    const { files } = this.#index
      .statement(
        "SELECT group_concat(path || ' ' || hash, char(10)) AS files FROM (SELECT path, hash FROM file ORDER BY path)",
      )
      .get() as { files: string | null }
    return files ?? ''
  }
}

function countVault(index: StatementSource): VaultCounts {
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

function countsBy(index: StatementSource, column: 'kind' | 'status'): Record<string, number> {
  const rows = index
    .statement(`SELECT ${column} AS name, count(*) AS n FROM entry GROUP BY 1 ORDER BY 2 DESC`)
    .all()
  return Object.fromEntries((rows as { name: string; n: number }[]).map(row => [row.name, row.n]))
}
