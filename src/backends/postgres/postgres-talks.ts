import type { SessionKey } from '../../model/session.ts'
import { fileNameOf } from '../../system/session-names.ts'
import { CONVERSATION_COLUMNS, type ConversationRow, headOf } from './conversation-rows.ts'
import type { Tenant } from './tenant.ts'

/** What a prompt asks first of the conversations: one question each. */
export function postgresTalks(tenant: Tenant): {
  talksOf(
    session: string,
    agent: string,
  ): Promise<readonly { readonly name: string; readonly stamp: string; readonly key: SessionKey }[]>
  hasCheckpoints(): Promise<boolean>
} {
  return {
    async talksOf(session, agent) {
      const rows = await tenant.query<ConversationRow>(
        `SELECT ${CONVERSATION_COLUMNS} FROM conversation c
         WHERE c.project = $1 AND c.session_name = $2 AND c.agent_name <> $3 ORDER BY c.agent_name`,
        fileNameOf(session),
        agent === '' ? '' : fileNameOf(agent),
      )
      return rows.map(row => ({
        name: `${row.agent_name}/${row.session_name}`,
        stamp: `${row.version} ${row.written_ms}`,
        key: { session: headOf(row).session, agent: headOf(row).agent },
      }))
    },

    async hasCheckpoints() {
      const row = await tenant.one(
        "SELECT 1 FROM memory_file f WHERE f.project = $1 AND f.path >= '.vault/checkpoints/' AND f.path < '.vault/checkpoints0' LIMIT 1",
      )
      return row !== undefined
    },
  }
}
