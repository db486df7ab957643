import * as v from 'valibot'
import { readArchive } from '../../../features/overview/archive.ts'
import { upkeepReasonSchema } from '../../../features/upkeep/verbs/compaction-schema.ts'
import { batchSchema } from '../../../features/upkeep/verbs/restore.ts'
import {
  count,
  defineOperation,
  degradedSchema,
  entrySchema,
  problemsSchema,
  text,
} from '../../../verbs/operation.ts'

const SHOWN = 50
const MAX_SHOWN = 500

export const archiveOperation = defineOperation({
  name: 'archive',
  agent: 'reads',
  route: { at: 'GET /api/archive', access: 'read' },
  summary: 'What upkeep moved to the archive: the batches, and the entries of one or all of them',
  description: '`restore` brings a batch or an entry back.',
  positionals: [],
  input: v.object({
    batch: v.optional(text('Only the entries of this batch')),
    query: v.optional(text('Only entries that these words find, best first')),
    limit: v.optional(count(`How many entries (default ${SHOWN})`, MAX_SHOWN)),
    offset: v.optional(
      v.pipe(v.number(), v.integer(), v.minValue(0), v.description('How many to leave out first')),
    ),
  }),
  output: v.object({
    batches: v.pipe(v.array(batchSchema), v.description('Newest first')),
    entries: v.array(
      v.object({
        batch: v.string(),
        entry: entrySchema,
        reason: v.exactOptional(v.pipe(v.string(), v.description('Why it left'))),
        because: v.exactOptional(upkeepReasonSchema),
        isBack: v.pipe(v.boolean(), v.description('It is in the vault again')),
      }),
    ),
    total: v.pipe(v.number(), v.description('Of such entries')),
    problems: problemsSchema,
    degraded: degradedSchema,
  }),
  examples: [],
  async run(memory, { limit = SHOWN, offset = 0, ...which }) {
    const { degraded, ...archive } = await readArchive(memory, { limit, offset, ...which })
    return { ...archive, degraded: [...degraded, ...memory.store.takeDegraded()] }
  },
})
