import type { IndexedEntry } from '../../kernel/vault/entry-index.ts'
import { packList } from '../sql/entry-fields.ts'
import type { SqliteStatement } from './driver.ts'

interface StatementSource {
  statement(sql: string): SqliteStatement
}

/** What the index knew of an entry before it changed, as far as comparing goes. */
export interface ComparedRow {
  readonly key: number
  readonly agent: string
  readonly kind: string
  readonly status: string
  readonly date: string
  readonly tags: string
  readonly files: string
  readonly fingerprint: string
}

export const COMPARED_COLUMNS = 'key, agent, kind, status, date, tags, files, fingerprint'

/** Called with every entry that is new or was written again: only one that says something else is compared again. */
export function awaitComparison(
  index: StatementSource,
  key: number,
  { before, now }: { before: ComparedRow | undefined; now: Pick<IndexedEntry, 'entry' | 'fingerprint'> },
): void {
  if (before !== undefined && saysTheSame(before, now)) return
  if (before !== undefined) forgetComparison(index, key)
  index.statement('INSERT OR IGNORE INTO uncompared (key) VALUES (?)').run(key)
}

/** Called with every entry that goes. */
export function forgetComparison(index: StatementSource, key: number): void {
  index.statement('DELETE FROM uncompared WHERE key = ?').run(key)
  index.statement('DELETE FROM conflict WHERE older = ?1 OR newer = ?1').run(key)
}

/** Its status counts: what was a candidate may not retire an entry, and may when it is confirmed. */
function saysTheSame(
  before: ComparedRow,
  { entry, fingerprint }: Pick<IndexedEntry, 'entry' | 'fingerprint'>,
): boolean {
  return (
    before.fingerprint === fingerprint &&
    before.agent === entry.agent &&
    before.kind === entry.kind &&
    before.status === entry.status &&
    before.date === entry.date &&
    before.tags === packList(entry.tags) &&
    before.files === packList(entry.files)
  )
}
