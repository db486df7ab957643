import type { BridgeCache, BridgedConversation } from '../../pipeline/brief/bridge-cache.ts'
import type { SqliteIndex } from './sqlite-index.ts'

const KEPT_CONVERSATIONS = 20

export function sqliteBridge(index: () => SqliteIndex): BridgeCache {
  return {
    async find(names) {
      const rows = index()
        .statement('SELECT packed FROM bridged WHERE name IN (SELECT value FROM json_each(?))')
        .all(JSON.stringify(names)) as { packed: string }[]
      return rows.map(({ packed }) => JSON.parse(packed) as BridgedConversation)
    },

    async keep(conversations) {
      index().transaction(() => {
        // Replaced under a new key: the highest keys are the latest.
        for (const conversation of conversations)
          index()
            .statement('INSERT OR REPLACE INTO bridged (name, packed) VALUES (?, ?)')
            .run(conversation.name, JSON.stringify(conversation))
        index()
          .statement(
            'DELETE FROM bridged WHERE key NOT IN (SELECT key FROM bridged ORDER BY key DESC LIMIT ?)',
          )
          .run(KEPT_CONVERSATIONS)
      })
    },
  }
}
