import type {
  DocumentIndex,
  DocumentUpdate,
  IndexedDocument,
  IndexedDocumentFile,
} from '../../addons/workspaces/decide/document-index.ts'
import type { Problem } from '../../kernel/model/search.ts'
import { scopeName } from '../../kernel/model/workspace.ts'
import { packList } from '../sql/entry-fields.ts'
import { checkedRow, storedJson } from '../sql/stored-value.ts'
import { packContent } from './entry-rows.ts'
import type { SqliteIndex } from './sqlite-index.ts'
import { DOCUMENTS_COLLECTION, putText, removeText, TokenCounts } from './text-rows.ts'
import { awaitVector, ForgottenVectors } from './vector-queue.ts'

const TABLES = 'file entry analysed term vector vector_bits vector_totals unembedded'
  .split(' ')
  .map(table => `doc_${table}`)

interface FileRow {
  readonly path: string
  readonly size: number
  readonly mtime_ms: number
  readonly inode: number
  readonly checked_ms: number
  readonly hash: string
  readonly problems: string | null
}

/** Adds documents to the index and removes them. */
export function sqliteDocuments(index: SqliteIndex): DocumentIndex {
  return {
    files() {
      const rows = index
        .statement('SELECT path, size, mtime_ms, inode, checked_ms, hash, problems FROM doc_file')
        .all() as FileRow[]
      return new Map(rows.map(checkedRow).map(row => [row.path, fileOfRow(row)]))
    },

    apply(update) {
      index.transaction(() => applyUpdate(index, update))
    },

    clear() {
      index.transaction(() => {
        for (const table of TABLES) index.statement(`DELETE FROM ${table}`).run()
        index.statement("INSERT INTO doc_fulltext (doc_fulltext) VALUES ('delete-all')").run()
        index.statement("DELETE FROM meta WHERE key IN ('doc_survey', 'doc_statistics')").run()
      })
    },

    keepSurvey(survey) {
      index.transaction(() => {
        index
          .statement("INSERT OR REPLACE INTO meta (key, value) VALUES ('doc_survey', ?)")
          .run(JSON.stringify(survey))
      })
    },
  }
}

function fileOfRow({ mtime_ms, checked_ms, problems, ...row }: FileRow): IndexedDocumentFile {
  return {
    ...row,
    mtimeMs: mtime_ms,
    checkedMs: checked_ms,
    problems: problems === null ? [] : storedJson<Problem[]>('the problems of a file', problems),
  }
}

function applyUpdate(index: SqliteIndex, { gone, files }: DocumentUpdate): void {
  const counts = new TokenCounts(DOCUMENTS_COLLECTION)
  const vectors = new ForgottenVectors(index, DOCUMENTS_COLLECTION)
  const remove = (key: number) => {
    removeText(index, DOCUMENTS_COLLECTION, key, counts)
    vectors.forget(key)
    index.statement('DELETE FROM doc_entry WHERE key = ?').run(key)
  }
  for (const path of gone) {
    for (const { key } of standingIn(index, path)) remove(key)
    index.statement('DELETE FROM doc_file WHERE path = ?').run(path)
  }
  const inserts: IndexedDocument[] = []
  for (const { file, documents } of files) {
    putFile(index, file, documents?.length)
    if (documents === undefined) continue
    const known = new Map<string, number[]>()
    for (const { key, print } of standingIn(index, file.path))
      known.set(print, [...(known.get(print) ?? []), key])
    for (const shelved of documents) {
      // An unchanged document keeps its vector; its line may differ.
      const key = known.get(shelved.print)?.shift()
      if (key === undefined) inserts.push(shelved)
      else
        index.statement('UPDATE doc_entry SET line = ? WHERE key = ?').run(shelved.document.line ?? null, key)
    }
    for (const key of [...known.values()].flat()) remove(key)
  }
  // After all removals, so that a document that moved to another file keeps its id.
  const nextByDouble = new Map<string, number>()
  for (const shelved of inserts) insert(index, shelved, { counts, nextByDouble })
  index.statement("DELETE FROM meta WHERE key = 'doc_survey'").run()
  counts.writeTo(index)
  vectors.write()
}

function standingIn(index: SqliteIndex, path: string): { key: number; print: string }[] {
  return index.statement('SELECT key, print FROM doc_entry WHERE path = ?').all(path) as {
    key: number
    print: string
  }[]
}

function putFile(index: SqliteIndex, file: IndexedDocumentFile, documents: number | undefined): void {
  index
    .statement(
      `INSERT INTO doc_file (path, size, mtime_ms, inode, checked_ms, hash, documents, problems)
       VALUES (?1, ?2, ?3, ?4, ?5, ?6, coalesce(?7, 0), ?8)
       ON CONFLICT (path) DO UPDATE SET size = ?2, mtime_ms = ?3, inode = ?4, checked_ms = ?5, hash = ?6,
         documents = coalesce(?7, documents), problems = ?8`,
    )
    .run(
      file.path,
      file.size,
      file.mtimeMs,
      file.inode,
      file.checkedMs,
      file.hash,
      documents ?? null,
      file.problems.length === 0 ? null : JSON.stringify(file.problems),
    )
}

function insert(
  index: SqliteIndex,
  { document, entry, text, print, isCut }: IndexedDocument,
  { counts, nextByDouble }: { counts: TokenCounts; nextByDouble: Map<string, number> },
): void {
  const { lastInsertRowid } = index
    .statement(
      `INSERT INTO doc_entry (id, order_ms, agent, category, kind, status, origin, date, importance, tags, files,
         fingerprint, path, content, scope, plan_status, line, is_cut, print)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, '', ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      freeId(index, entry.id, nextByDouble),
      Date.parse(entry.date) || 0,
      entry.agent,
      entry.category,
      entry.kind,
      entry.status,
      entry.origin,
      entry.date,
      entry.importance,
      packList(entry.tags),
      print,
      document.path,
      packContent(entry.content),
      scopeName(document.scope),
      document.status ?? null,
      document.line ?? null,
      isCut ? 1 : 0,
      print,
    )
  const key = Number(lastInsertRowid)
  putText(index, DOCUMENTS_COLLECTION, { key, text, counts })
  awaitVector(index, key, DOCUMENTS_COLLECTION)
}

/** Two documents may have one id: the later one is indexed as `id~2`. */
function freeId(index: SqliteIndex, id: string, nextByDouble: Map<string, number>): string {
  const isTaken = (name: string) =>
    index.statement('SELECT 1 FROM doc_entry WHERE id = ?').get(name) !== undefined
  if (!isTaken(id)) return id
  let n = nextByDouble.get(id) ?? 2
  while (isTaken(`${id}~${n}`)) n += 1
  nextByDouble.set(id, n + 1)
  return `${id}~${n}`
}
