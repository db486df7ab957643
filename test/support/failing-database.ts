import { loadSqlite, type SqliteDatabase, type SqliteStatement } from '../../src/stores/sqlite/driver.ts'

/** A real database whose nth step fails with an IO error, as SQLite reports it. */
export function failingDatabase(failAt: number): {
  open: (location: string) => SqliteDatabase
  steps: () => number
} {
  let step = 0
  const counted = <T>(work: () => T): T => {
    step++
    if (step === failAt)
      throw Object.assign(new Error('disk I/O error (injected)'), { code: 'ERR_SQLITE_ERROR', errcode: 10 })
    return work()
  }
  const wrapStatement = (statement: SqliteStatement): SqliteStatement => ({
    run: (...values) => counted(() => statement.run(...values)),
    get: (...values) => counted(() => statement.get(...values)),
    all: (...values) => counted(() => statement.all(...values)),
    iterate: (...values) => counted(() => statement.iterate(...values)),
  })
  return {
    open(location) {
      const database = new (loadSqlite().DatabaseSync)(location)
      return {
        // ROLLBACK must get through: SQLite does it by itself when the process dies.
        exec: sql => (sql === 'ROLLBACK' ? database.exec(sql) : counted(() => database.exec(sql))),
        prepare: sql => wrapStatement(database.prepare(sql)),
        close: () => database.close(),
      }
    },
    steps: () => step,
  }
}
