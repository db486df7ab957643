import type { KeptSurvey } from '../../addons/workspaces/decide/survey-documents.ts'
import type { Problem } from '../../kernel/model/search.ts'
import type { DocumentKind, DocumentReference, PlanStatus } from '../../kernel/model/workspace.ts'
import { storedJson } from '../sql/stored-value.ts'
import { DOCUMENT_SHELF } from './shelf.ts'
import type { SqliteIndex } from './sqlite-index.ts'
import { readStatistics } from './token-counts.ts'

/** What every read asks of the documents; what takes them in is in document-rows.ts, and loaded when something changed. */

/** Whether anything was ever put on the shelf and is still there. */
export function hasShelved(index: SqliteIndex): boolean {
  return index.statement('SELECT 1 FROM doc_file LIMIT 1').get() !== undefined
}

/** How all files looked when all was taken in; undefined when they are to be looked at more closely. */
export function keptSurvey(index: SqliteIndex): KeptSurvey | undefined {
  const row = index.statement("SELECT value FROM meta WHERE key = 'doc_survey'").get()
  return row === undefined
    ? undefined
    : storedJson('the survey of the documents', (row as { value: string }).value)
}

export function countDocuments(index: SqliteIndex): number {
  return readStatistics(index, DOCUMENT_SHELF).documents
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

/** Files of which nothing could be taken in: how many, and one of them. */
export function leftOutFiles(index: SqliteIndex): { readonly count: number; readonly path: string | null } {
  return index
    .statement(
      'SELECT count(*) AS count, min(path) AS path FROM doc_file WHERE documents = 0 AND problems IS NOT NULL',
    )
    .get() as { count: number; path: string | null }
}
