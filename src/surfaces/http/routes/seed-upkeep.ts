import * as v from 'valibot'
import { migrateFlatFiles, migrateOperation } from '../../../addons/import/verbs/migrate.ts'
import { compactOperation } from '../../../features/upkeep/verbs/compact.ts'
import { type Compaction, compactionSchema } from '../../../features/upkeep/verbs/compaction-schema.ts'
import { defineOperation } from '../../../verbs/operation.ts'

/** Exactly the six fields of the seed; `GET /api/health` has the rest. */
const lastSchema = v.nullable(
  v.pick(compactionSchema, [
    'timestamp',
    'checkpointsCleaned',
    'conversationsTrimmed',
    'vaultEntriesMerged',
    'indexRebuilt',
    'legacyFilesCleaned',
  ]),
)

function lastOf(run: Compaction | null): v.InferOutput<typeof lastSchema> {
  if (run === null) return null
  const {
    timestamp,
    checkpointsCleaned,
    conversationsTrimmed,
    vaultEntriesMerged,
    indexRebuilt,
    legacyFilesCleaned,
  } = run
  return {
    timestamp,
    checkpointsCleaned,
    conversationsTrimmed,
    vaultEntriesMerged,
    indexRebuilt,
    legacyFilesCleaned,
  }
}

export const seedCompactionOperation = defineOperation({
  name: 'seed compaction',
  agent: 'reads',
  route: { at: 'GET /api/memory/compact', access: 'read', ignoresUnknown: true },
  summary: 'What the last compaction did',
  positionals: [],
  input: v.object({}),
  output: v.object({ lastCompaction: v.pipe(lastSchema, v.description('null: there was none yet')) }),
  examples: [],
  async run(memory, _input, context) {
    const { result } = await compactOperation.run(memory, { last: true }, context)
    return { lastCompaction: lastOf(result) }
  },
})

export const seedCompactOperation = defineOperation({
  name: 'seed compact',
  agent: 'free',
  route: { at: 'POST /api/memory/compact', access: 'local', onHub: 'admin', ignoresUnknown: true },
  summary: 'Run a compaction',
  positionals: [],
  input: v.object({}),
  output: v.object({ lastCompaction: v.pipe(lastSchema, v.description('What this one did')) }),
  examples: [],
  async run(memory, _input, context) {
    const { result } = await compactOperation.run(memory, {}, context)
    return { lastCompaction: lastOf(result) }
  },
})

export const seedMigrateOperation = defineOperation({
  name: 'seed migrate',
  agent: 'free',
  route: { at: 'POST /api/memory/migrate', access: 'local', ignoresUnknown: true },
  summary: 'Turn flat memory files (.memory/dev.md) into vaults',
  positionals: [],
  input: v.object({}),
  output: v.pick(migrateOperation.output, ['migrated', 'skipped']),
  examples: [],
  async run(memory) {
    const { migrated, skipped } = await migrateFlatFiles(memory, false)
    return { migrated, skipped }
  },
})
