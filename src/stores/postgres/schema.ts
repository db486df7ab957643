import { MEMORY_TABLES } from './migrations/1-memory.ts'
import { SESSION_TABLES } from './migrations/1-sessions.ts'
import { HUB_TABLES } from './migrations/2-hub.ts'
import { WORK_TABLES } from './migrations/3-work.ts'
import { SYNC_TABLES } from './migrations/4-sync.ts'
import { EVIDENCE_TABLES } from './migrations/5-evidence.ts'

/** Numbered by their place, forward only: one that was released is never changed, another is added. */
export const MIGRATIONS: readonly string[] = [
  MEMORY_TABLES + SESSION_TABLES,
  HUB_TABLES,
  WORK_TABLES,
  SYNC_TABLES,
  EVIDENCE_TABLES,
]

/** Where the server has pgvector: the vectors once more, for its operators. Without it the signs pick, and what they pick is measured. */
export const NEAR_TABLE = `
CREATE TABLE IF NOT EXISTS meaning_near (project int NOT NULL, key int NOT NULL, near vector NOT NULL, PRIMARY KEY (project, key))`
