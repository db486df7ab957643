import * as v from 'valibot'
import { count, defineOperation, degradedSchema, problemsSchema, text } from '../../../verbs/operation.ts'
import { getCheckpoint } from '../checkpoints.ts'
import { diffBundles } from '../decide/diff-bundle.ts'
import { bundleView, changesView } from './bundle-schema.ts'

const MAX_LISTED = 1_000

export const checkpointsOperation = defineOperation({
  name: 'checkpoints',
  group: 'Project state',
  agent: 'reads',
  route: { at: 'GET /api/checkpoints', access: 'read' },
  summary: 'List the checkpoints of the state, newest first',
  positionals: [],
  input: v.object({ limit: v.optional(count('How many (default 20)', MAX_LISTED)) }),
  output: v.object({
    checkpoints: v.array(
      v.object({
        id: v.string(),
        createdAt: v.string(),
        path: v.pipe(v.string(), v.description('Relative to .memory')),
        isLatest: v.pipe(v.boolean(), v.description('The state names it')),
      }),
    ),
    total: v.number(),
    problems: problemsSchema,
    degraded: degradedSchema,
  }),
  examples: [{ command: 'cairn checkpoints', does: 'what `cairn recall --restore` can bring back' }],
  async run(memory, { limit = 20 }) {
    const all = await memory.state.checkpoints()
    const reading = await memory.state.read()
    const latest = reading.kind === 'read' ? reading.state.maintenance.latestCheckpointId : null
    return {
      checkpoints: all
        .slice(0, limit)
        .map(checkpoint => ({ ...checkpoint, isLatest: checkpoint.id === latest })),
      total: all.length,
      problems: reading.kind === 'damaged' ? [reading.problem] : [],
      degraded: memory.store.takeDegraded(),
    }
  },
})

export const checkpointShowOperation = defineOperation({
  name: 'checkpoint show',
  group: 'Project state',
  agent: 'reads',
  route: { at: 'GET /api/checkpoints/:id', access: 'read' },
  summary: 'Show a checkpoint, and what changed in the bundle since',
  positionals: ['id'],
  input: v.object({ id: text('The id, how it begins, or latest') }),
  output: v.object({
    id: v.string(),
    createdAt: v.string(),
    reason: v.string(),
    bundleHash: v.string(),
    bundle: bundleView,
    changes: changesView,
    problems: problemsSchema,
    degraded: degradedSchema,
  }),
  examples: [
    { command: 'cairn checkpoint show latest', does: 'the last one' },
    { command: 'cairn checkpoint show 2026-03-16', does: 'the one of that day' },
  ],
  async run(memory, { id }) {
    const { schemaVersion: _, ...checkpoint } = await getCheckpoint(memory, id)
    const reading = await memory.state.read()
    return {
      ...checkpoint,
      changes: reading.kind === 'read' ? diffBundles(checkpoint.bundle, reading.state.bundle) : [],
      problems: reading.kind === 'damaged' ? [reading.problem] : [],
      degraded: memory.store.takeDegraded(),
    }
  },
})
