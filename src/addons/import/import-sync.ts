import type { ColdPorts } from '../../features/cold/decide/ports.ts'
import type { ClosingPorts } from '../../features/learning/decide/ports.ts'
import type { ImportSync } from '../../features/state/decide/ports.ts'
import type { UpkeepPorts } from '../../features/upkeep/decide/ports.ts'
import type { Memory } from '../../kernel/memory.ts'
import type { Problem } from '../../kernel/model/search.ts'
import type { ImportPorts, SourcePorts } from './decide/ports.ts'
import { type SyncedSource, syncSources } from './sync-sources.ts'

/** Syncs the import sources for recall, which reads what is new before it folds. */
export function importSync(
  memory: () => Memory & ClosingPorts & UpkeepPorts & ColdPorts & SourcePorts & ImportPorts,
): ImportSync {
  return {
    async sync() {
      const { synced, problems } = await syncSources(memory())
      return {
        imported: synced.reduce((sum, { added }) => sum + added, 0),
        problems: [...problems, ...synced.flatMap(problemOf)],
      }
    },
    count: async () => (await memory().sourceRegistry.list()).sources.length,
  }
}

function problemOf({ id, status, error }: SyncedSource): Problem[] {
  if (status === 'succeeded') return []
  return [
    {
      code: `source_${status}`,
      path: 'sources.json',
      message: `Import source ${id}: ${error ?? status}.`,
      hint:
        status === 'not_allowed'
          ? '`cairn source allow` shows what it would read, and takes your yes.'
          : `\`cairn source sync ${id}\` tries again; \`cairn source list\` shows its state.`,
    },
  ]
}
