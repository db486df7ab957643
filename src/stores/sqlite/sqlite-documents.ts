import type { StoredSnapshot } from '../../addons/workspaces/decide/document-snapshot.ts'
import type { Problem } from '../../kernel/model/search.ts'
import type { DocumentKind, DocumentReference, PlanStatus } from '../../kernel/model/workspace.ts'
import { storedJson } from '../sql/stored-value.ts'
import type { SqliteIndex } from './sqlite-index.ts'
import { DOCUMENTS_COLLECTION, readStatistics } from './text-rows.ts'

/** Whether documents are indexed. Reads are in this file; document-rows.ts writes, and is loaded when something changed. */
export function hasShelved(index: SqliteIndex): boolean {
  return index.statement('SELECT 1 FROM doc_file LIMIT 1').get() !== undefined
}

/** The stamps of all files when they were indexed; undefined: the files must be compared one by one. */
export function keptSurvey(index: SqliteIndex): StoredSnapshot | undefined {
  const row = index.statement("SELECT value FROM meta WHERE key = 'doc_survey'").get()
  return row === undefined
    ? undefined
    : storedJson('the survey of the documents', (row as { value: string }).value)
}

export function countDocuments(index: SqliteIndex): number {
  return readStatistics(index, DOCUMENTS_COLLECTION).documents
}

export function referencesOf(
  index: SqliteIndex,
  ids: readonly string[],
): ReadonlyMap<string, DocumentReference & { readonly isCut: boolean }> {
  const rows = index
    .statement(
      `SELECT id, kind, scope, path, line, plan_status AS status, is_cut AS isCut FROM doc_entry
       WHERE id IN (SELECT value FROM json_each(?))`,
    )
    .all(JSON.stringify(ids)) as {
    id: string
    kind: DocumentKind
    scope: string
    path: string
    line: number | null
    status: PlanStatus | null
    isCut: number
  }[]
  return new Map(
    rows.map(({ line, status, isCut, ...row }) => [
      row.id,
      {
        ...row,
        ...(line !== null && { line }),
        ...(status !== null && { status }),
        isCut: isCut !== 0,
      },
    ]),
  )
}

export function scopesOf(index: SqliteIndex): string[] {
  const rows = index.statement('SELECT DISTINCT scope FROM doc_entry ORDER BY scope').all()
  return (rows as { scope: string }[]).map(({ scope }) => scope)
}

export function documentProblems(index: SqliteIndex): Problem[] {
  const rows = index.statement('SELECT problems FROM doc_file WHERE problems IS NOT NULL ORDER BY path').all()
  return (rows as { problems: string }[]).flatMap(({ problems }) =>
    storedJson<Problem[]>('the problems of a file', problems),
  )
}

/** The number of files that could not be indexed, and one of them. */
export function leftOutFiles(index: SqliteIndex): { readonly count: number; readonly path: string | null } {
  return index
    .statement(
      'SELECT count(*) AS count, min(path) AS path FROM doc_file WHERE documents = 0 AND problems IS NOT NULL',
    )
    .get() as { count: number; path: string | null }
}
