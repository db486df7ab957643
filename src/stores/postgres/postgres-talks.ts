import type { Tenant } from './tenant.ts'

/** What a brief reads first of the recorded sessions. */
export function postgresTalks(tenant: Tenant): { hasCheckpoints(): Promise<boolean> } {
  return {
    async hasCheckpoints() {
      const row = await tenant.one(
        "SELECT 1 FROM memory_file f WHERE f.project = $1 AND f.path >= '.vault/checkpoints/' AND f.path < '.vault/checkpoints0' LIMIT 1",
      )
      return row !== undefined
    },
  }
}
