import type { BridgeCache, BridgedConversation } from '../../pipeline/brief/bridge-cache.ts'
import type { Tenant } from './tenant.ts'

const KEPT_CONVERSATIONS = 20

export function postgresBridge(tenant: Tenant): BridgeCache {
  return {
    async find(names) {
      const rows = await tenant.query<{ packed: string }>(
        'SELECT b.packed FROM bridged b WHERE b.project = $1 AND b.name = ANY ($2::text[])',
        names,
      )
      return rows.map(({ packed }) => JSON.parse(packed) as BridgedConversation)
    },

    async keep(conversations) {
      await tenant.transaction(async () => {
        // The highest numbers are the latest. Two at once may share one: either is then among the last to go.
        const last = await tenant.one<{ number: number }>(
          'SELECT coalesce(max(b.number), 0)::bigint AS number FROM bridged b WHERE b.project = $1',
        )
        for (const [at, conversation] of conversations.entries())
          await tenant.query(
            `INSERT INTO bridged (project, name, number, packed) VALUES ($1, $2, $3, $4)
             ON CONFLICT (project, name) DO UPDATE SET number = excluded.number, packed = excluded.packed`,
            conversation.name,
            (last?.number ?? 0) + at + 1,
            JSON.stringify(conversation),
          )
        await tenant.query(
          `DELETE FROM bridged b WHERE b.project = $1 AND b.number <=
             (SELECT k.number FROM bridged k WHERE k.project = $1 ORDER BY k.number DESC OFFSET $2 LIMIT 1)`,
          KEPT_CONVERSATIONS,
        )
      })
    },
  }
}
