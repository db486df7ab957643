import type { DatabaseSession, TranscriptDatabase } from '../../hosts/transcripts/decide/host-transcripts.ts'
import { loadSqlite } from './driver.ts'

/** A row may have any content: unknown content is left out. */
const SESSIONS = `SELECT s.id AS id, s.directory AS directory, s.parent_id AS parent, s.time_updated AS updated,
  (SELECT count(*) FROM message m WHERE m.session_id = s.id) AS messages FROM session s ORDER BY s.time_updated DESC LIMIT 50000`
const MESSAGES = 'SELECT id, data FROM message WHERE session_id = ? ORDER BY id'
const PARTS = 'SELECT data FROM part WHERE message_id = ? ORDER BY id LIMIT 5000'
const MAX_CELL_LENGTH = 4_194_304

/**
 * The database of OpenCode, opened read-only. It also has credentials and accounts: only the tables `session`, `message` and `part` are read.
 */
export function openOpencodeDatabase(file: string): TranscriptDatabase {
  const { DatabaseSync } = loadSqlite()
  const database = new DatabaseSync(file, { readOnly: true })
  return {
    sessions: () =>
      database
        .prepare(SESSIONS)
        .all()
        .flatMap(row => sessionOf(row as Record<string, unknown>)),
    *messages(session) {
      const parts = database.prepare(PARTS)
      const messages = database.prepare(MESSAGES)
      for (const { id, data } of messages.all(session) as { id: unknown; data: unknown }[]) {
        if (typeof id !== 'string') continue
        yield {
          info: { sessionID: session, ...(jsonOf(data) as object) },
          parts: parts.all(id).map(row => jsonOf((row as { data: unknown }).data)),
        }
      }
    },
    close: () => database.close(),
  }
}

function sessionOf({ id, directory, parent, updated, messages }: Record<string, unknown>): DatabaseSession[] {
  if (typeof id !== 'string' || typeof directory !== 'string') return []
  return [
    {
      id,
      directory,
      ...(typeof parent === 'string' && parent !== '' && { parent }),
      updatedMs: Number(updated) || 0,
      messages: Number(messages) || 0,
    },
  ]
}

function jsonOf(data: unknown): unknown {
  if (typeof data !== 'string' || data.length > MAX_CELL_LENGTH) return {}
  try {
    return JSON.parse(data)
  } catch (error) {
    if (error instanceof SyntaxError) return {}
    throw error
  }
}
