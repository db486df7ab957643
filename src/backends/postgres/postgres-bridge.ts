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
        for (const conversation of conversations)
          await tenant.query(
            `INSERT INTO bridged (project, name, number, packed)
             SELECT $1, $2, coalesce((SELECT max(k.number) FROM bridged k WHERE k.project = $1), 0) + 1, $3
             ON CONFLICT (project, name) DO UPDATE SET number = excluded.number, packed = excluded.packed`,
            conversation.name,
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
