/** Notes of an Obsidian vault in the library. */

import type { ObsidianPorts } from '../addons/obsidian/decide/ports.ts'
import type {
  LinkedVault,
  ObsidianStatus,
  UnlinkedVault,
  VaultLinkOptions,
} from '../addons/obsidian/link-vault.ts'
import type { ResolvedNote } from '../addons/obsidian/resolve-conflict.ts'
import type { SyncOptions, SyncReport } from '../addons/obsidian/sync-notes.ts'
import { type ObsidianWatch, type WatchOptions, watchObsidian } from '../addons/obsidian/watch-notes.ts'
import type { FreshnessPorts } from '../features/freshness/decide/ports.ts'
import type { Memory } from '../kernel/memory.ts'

export interface MemoryObsidian {
  /** Sets the folder of this project's notes; stored in the user's own folder. Throws `not_trusted`, `file_not_found`. */
  link(options: VaultLinkOptions): Promise<LinkedVault>
  /** Both ways. Throws `obsidian_not_linked`, `not_trusted`, `obsidian_vault_missing`, `obsidian_deletions_held`, `store_locked`. */
  sync(options?: SyncOptions): Promise<SyncReport>
  /** The state of both sides; nothing is written. */
  status(): Promise<ObsidianStatus>
  /** Resolves a note that was changed on both sides. Throws `conflict_not_found`. */
  resolve(id: string, keep: 'note' | 'entry'): Promise<ResolvedNote>
  /** Syncs whenever either side changes, until it is stopped; closing the memory does not stop it. */
  watch(options?: WatchOptions): ObsidianWatch
  /** Stops syncing. `removeNotes`: moves notes that Cairn made and no user changed to the trash of the vault. */
  unlink(options?: { removeNotes?: boolean; dryRun?: boolean }): Promise<UnlinkedVault>
}

export function memoryObsidian(memory: Memory & FreshnessPorts & ObsidianPorts): MemoryObsidian {
  // The code that plans and writes notes is loaded on demand.
  const places = () => import('../addons/obsidian/link-vault.ts')
  return {
    link: async options => (await places()).linkObsidian(memory, options),
    sync: async options => (await import('../addons/obsidian/sync-notes.ts')).syncObsidian(memory, options),
    status: async () => (await places()).obsidianStatus(memory),
    resolve: async (id, keep) =>
      (await import('../addons/obsidian/resolve-conflict.ts')).resolveObsidian(memory, id, keep),
    watch: options => watchObsidian(memory, options),
    unlink: async options => (await places()).unlinkObsidian(memory, options),
  }
}
