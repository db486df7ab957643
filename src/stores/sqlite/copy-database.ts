import { loadSqlite } from './driver.ts'

/** A copy of a database as it is between two transactions, whoever else has it open. */
export function copyDatabase(from: string, to: string): void {
  const database = new (loadSqlite().DatabaseSync)(from)
  try {
    database.exec(`PRAGMA busy_timeout = 5000; VACUUM INTO '${to.replaceAll("'", "''")}'`)
  } finally {
    database.close()
  }
}
