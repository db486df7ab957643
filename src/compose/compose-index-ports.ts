import type { SqliteIndex } from '../stores/sqlite/sqlite-index.ts'
import type { Composed } from './composed.ts'
import { type Mending, whenCalled } from './guarded-ports.ts'

/** What is looked up in the index, each loaded by its first call. */
export function indexPorts(
  store: Mending & { index(): SqliteIndex },
): Pick<
  Composed,
  'spend' | 'briefs' | 'findings' | 'upkeepIndex' | 'overview' | 'reviewIndex' | 'conflicts' | 'graph'
> {
  return {
    spend: whenCalled(
      async () => (await import('../stores/sqlite/sqlite-spend.ts')).sqliteSpend(() => store.index()),
      store,
    ),
    briefs: whenCalled(
      async () => (await import('../stores/sqlite/sqlite-briefs.ts')).sqliteBriefs(() => store.index()),
      store,
    ),
    findings: whenCalled(
      async () => (await import('../stores/sqlite/sqlite-findings.ts')).sqliteFindings(() => store.index()),
      store,
    ),
    upkeepIndex: whenCalled(
      async () => (await import('../stores/sqlite/sqlite-upkeep.ts')).sqliteUpkeep(() => store.index()),
      store,
    ),
    overview: whenCalled(
      async () => (await import('../stores/sqlite/sqlite-overview.ts')).sqliteOverview(() => store.index()),
      store,
    ),
    reviewIndex: whenCalled(
      async () => (await import('../stores/sqlite/sqlite-review.ts')).sqliteReview(() => store.index()),
      store,
    ),
    conflicts: whenCalled(
      async () => (await import('../stores/sqlite/sqlite-conflicts.ts')).sqliteConflicts(() => store.index()),
      store,
    ),
    graph: whenCalled(
      async () => (await import('../stores/sqlite/sqlite-graph.ts')).sqliteGraph(() => store.index()),
      store,
    ),
  }
}
