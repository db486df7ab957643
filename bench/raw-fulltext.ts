import { existsSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { entryAt, type SyntheticEntry } from './synthetic-corpus.ts'

interface Statement {
  run(...values: (string | number)[]): unknown
  all(...values: (string | number)[]): unknown[]
}
interface Database {
  exec(sql: string): void
  prepare(sql: string): Statement
  close(): void
}
interface SqliteModule {
  DatabaseSync: new (location: string) => Database
}

/** What FTS5 alone costs: the yardstick that runs on the same machine, in the same minute, over the same texts. */
export interface RawFulltext {
  /** The positions of the ten best by bm25, any word, as FTS5 ranks them. */
  search(words: readonly string[]): number[]
  close(): void
}

/** Leaves out the text itself: only the index is built, nothing else is stored. */
const SCHEMA = `CREATE VIRTUAL TABLE fulltext USING fts5 (content, tags, files, content = '', tokenize = 'porter unicode61')`

export function openRawFulltext(file: string): RawFulltext {
  const database = openDatabase(file)
  const find = database.prepare('SELECT rowid FROM fulltext WHERE fulltext MATCH ? ORDER BY rank LIMIT 10')
  return {
    search(words) {
      const match = words.map(word => `"${word}"`).join(' OR ')
      return (find.all(match) as { rowid: number }[]).map(row => row.rowid - 1)
    },
    close: () => database.close(),
  }
}

/** Builds the index of the first entries of the corpus; the rowid is the position + 1. */
export function buildRawFulltext(file: string, entries: number): void {
  for (const old of [file, `${file}-wal`, `${file}-shm`, `${file}-journal`]) if (existsSync(old)) rmSync(old)
  const database = openDatabase(file)
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; ${SCHEMA}; BEGIN`)
  const insert = database.prepare('INSERT INTO fulltext (rowid, content, tags, files) VALUES (?, ?, ?, ?)')
  for (let position = 0; position < entries; position++)
    insert.run(position + 1, ...fieldsOf(entryAt(position)))
  database.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)')
  database.close()
}

function fieldsOf({ text, metadata }: SyntheticEntry): [string, string, string] {
  return [text, metadata.tags.join(' '), metadata.files.join(' ')]
}

function openDatabase(file: string): Database {
  const nodeRequire = createRequire(import.meta.url)
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const isBuiltIn = major > 22 || (major === 22 && minor >= 13)
  const { DatabaseSync } = nodeRequire(isBuiltIn ? 'node:sqlite' : '@photostructure/sqlite') as SqliteModule
  return new DatabaseSync(file)
}
