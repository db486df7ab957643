import type { JournaledChange, JournalRecord } from '../../kernel/model/journal.ts'
import { inOneGo } from './in-one-go.ts'
import type { Tenant } from './tenant.ts'

export interface NumberedRecord {
  /** The revision numbers the records: each write has its own. */
  readonly number: number
  readonly record: JournalRecord
}

export async function writeJournal(tenant: Tenant, records: readonly NumberedRecord[]): Promise<void> {
  const subjects = records.flatMap(({ number, record }) =>
    [...new Set(record.changes.map(subjectOf))].map(subject => ({ subject, number })),
  )
  await inOneGo([
    tenant.query(
      `INSERT INTO journal (project, number, id, packed)
       SELECT $1, r.* FROM unnest($2::bigint[], $3::text[], $4::text[]) AS r(number, id, packed)
       RETURNING number`,
      records.map(({ number }) => number),
      records.map(({ record }) => record.id),
      records.map(({ record }) => JSON.stringify(record)),
    ),
    tenant.query(
      `INSERT INTO journal_subject (project, subject, number)
       SELECT $1, r.* FROM unnest($2::text[], $3::bigint[]) AS r(subject, number)
       ON CONFLICT DO NOTHING`,
      subjects.map(({ subject }) => subject),
      subjects.map(({ number }) => number),
    ),
  ])
}

function subjectOf(change: JournaledChange): string {
  if (change.type === 'document') return change.name
  if (change.type === 'file') return change.path
  return (change.after ?? change.before)?.id ?? ''
}
