import { rmSync } from 'node:fs'
import type { LinkState, StateChange } from '../../addons/link/decide/link-state.ts'
import type { Agreed } from '../../addons/link/decide/plan-incoming.ts'
import {
  type Documents,
  NO_DOCUMENTS,
  type Push,
  SHARED_DOCUMENTS,
} from '../../addons/link/decide/protocol.ts'
import type { Entry } from '../../kernel/model/entry.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import {
  explainSqlite,
  loadSqlite,
  rollBack,
  SQLITE,
  type SqliteDatabase,
  sqliteErrorCode,
} from './driver.ts'

/** Raise it to create the tables again; the next sync then compares both sides. */
const VERSION = 1
const BUSY_MS = 5_000
const AT_ONCE = 500

const TABLES = `
CREATE TABLE fact (name TEXT PRIMARY KEY, value TEXT);
CREATE TABLE agreed (id TEXT PRIMARY KEY, print TEXT, revision INTEGER NOT NULL, packed TEXT) WITHOUT ROWID;
PRAGMA user_version = ${VERSION};
`

/** The state that was agreed with a hub, next to the index. It is a cache, like the index. */
export function openLinkState(location: string): LinkState {
  const database = openDatabase(location)
  let opened: string | null = null
  const fact = (name: string): string | null => {
    const row = database.prepare('SELECT value FROM fact WHERE name = ?').get(name) as
      | { value: string | null }
      | undefined
    return row?.value ?? null
  }
  const putFact = (name: string, value: string | null) =>
    database.prepare('INSERT OR REPLACE INTO fact (name, value) VALUES (?, ?)').run(name, value)
  const clear = () => database.exec("DELETE FROM agreed; DELETE FROM fact WHERE name <> 'identity'")
  const atOnce = (work: () => void) => {
    try {
      database.exec('BEGIN IMMEDIATE')
    } catch (error) {
      throw explainSqlite(error)
    }
    try {
      work()
      database.exec('COMMIT')
    } catch (error) {
      rollBack(database)
      throw explainSqlite(error)
    }
  }

  function keep({ cursor, agreed = [], documents = [], pending, settledAt, anew }: StateChange): void {
    if (anew) clear()
    if (cursor !== undefined) putFact('cursor', cursor)
    if (settledAt !== undefined) putFact('settled', settledAt)
    if (pending !== undefined) putFact('pending', pending === null ? null : JSON.stringify(pending))
    for (const [name, body] of documents) putFact(`document ${name}`, body)
    if (agreed.length === 0) return
    const put = database.prepare(
      'INSERT OR REPLACE INTO agreed (id, print, revision, packed) VALUES (?, ?, ?, ?)',
    )
    const drop = database.prepare('DELETE FROM agreed WHERE id = ?')
    for (const [id, own] of agreed) {
      if (own === undefined) drop.run(id)
      else put.run(id, own.print, own.revision, own.entry === null ? null : JSON.stringify(own.entry))
    }
  }

  return {
    open(identity) {
      opened = identity
      if (fact('identity') === identity) return
      atOnce(() => {
        clear()
        putFact('identity', identity)
      })
    },
    cursor: () => fact('cursor'),
    agreed(ids) {
      const found = new Map<string, Agreed>()
      for (let start = 0; start < ids.length; start += AT_ONCE) {
        const asked = ids.slice(start, start + AT_ONCE)
        const rows = database
          .prepare(
            `SELECT id, print, revision, packed FROM agreed WHERE id IN (${asked.map(() => '?').join(',')})`,
          )
          .all(...asked) as { id: string; print: string | null; revision: number; packed: string | null }[]
        for (const { id, print, revision, packed } of rows)
          found.set(id, {
            print,
            revision: Number(revision),
            entry: packed === null ? null : (JSON.parse(packed) as Entry),
          })
      }
      return found
    },
    prints() {
      const rows = database.prepare('SELECT id, print FROM agreed').all() as {
        id: string
        print: string | null
      }[]
      return new Map(rows.map(({ id, print }) => [id, print]))
    },
    documents: () =>
      Object.fromEntries(
        SHARED_DOCUMENTS.map(name => [name, fact(`document ${name}`) ?? NO_DOCUMENTS[name]]),
      ) as unknown as Documents,
    pending() {
      const packed = fact('pending')
      return packed === null ? undefined : (JSON.parse(packed) as Push)
    },
    settledAt: () => fact('settled'),
    keep: change =>
      atOnce(() => {
        if (fact('identity') !== opened) throw openedForAnother()
        keep(change)
      }),
    close: () => database.close(),
  }
}

function openedForAnother(): CairnError {
  return new CairnError({
    code: 'store_locked',
    message: 'This project was linked to another hub during a sync with the previous one.',
    hint: 'Nothing is lost: `cairn sync` compares both sides.',
  })
}

function openDatabase(location: string): SqliteDatabase {
  try {
    return prepared(location)
  } catch (error) {
    const code = sqliteErrorCode(error)
    if (code !== SQLITE.NOTADB && code !== SQLITE.CORRUPT) throw explainSqlite(error)
    return anew(location)
  }
}

function prepared(location: string): SqliteDatabase {
  const database = new (loadSqlite().DatabaseSync)(location)
  database.exec(`PRAGMA busy_timeout = ${BUSY_MS}; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL`)
  const { user_version: version } = database.prepare('PRAGMA user_version').get() as { user_version: number }
  if (version === VERSION) return database
  if (version === 0) {
    database.exec(`BEGIN IMMEDIATE;${TABLES}COMMIT`)
    return database
  }
  database.close()
  return anew(location)
}

/** It is a cache: a damaged one is created again. */
function anew(location: string): SqliteDatabase {
  for (const end of ['', '-wal', '-shm']) rmSync(`${location}${end}`, { force: true })
  return prepared(location)
}
