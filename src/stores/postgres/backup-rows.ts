import type { BackupRows } from '../../addons/backup/decide/backup-rows.ts'
import { writeHubRows } from './backup-hub.ts'
import { SCHEMA_VERSION } from './migrate.ts'
import { restoreHubRows } from './restore-hub.ts'
import type { SqlPool } from './sql-pool.ts'

export function backupRows(pool: SqlPool): BackupRows {
  return {
    schema: SCHEMA_VERSION,
    write: (wish, line) => writeHubRows(pool, wish, line),
    restore: (lines, wish) => restoreHubRows(pool, lines, wish),
  }
}
