import * as v from 'valibot'
import { EVENT_KINDS, type MemoryEvent } from '../../../kernel/model/event.ts'
import type { Problem } from '../../../kernel/model/search.ts'
import { count, defineOperation, degradedSchema, text } from '../../../verbs/operation.ts'

const texts = v.pipe(v.array(v.string()), v.readonly())

const eventSchema = v.object({
  id: v.string(),
  kind: v.picklist(EVENT_KINDS),
  sourceId: v.string(),
  createdAt: v.string(),
  contentHash: v.string(),
  summary: v.string(),
  signals: v.object({
    decisions: texts,
    gotchas: texts,
    nextStepHints: texts,
    keyPaths: texts,
    validationObservations: v.pipe(
      v.array(v.object({ command: v.string(), outcome: v.picklist(['passed', 'failed']) })),
      v.readonly(),
    ),
  }),
  sourceRef: v.string(),
})

export const eventsOperation = defineOperation({
  name: 'events',
  group: 'History',
  agent: 'reads',
  route: { at: 'GET /api/events', access: 'read' },
  tool: {
    name: 'events',
    title: 'Events',
    description: 'What tools were run, and how they ended.',
    fields: { limit: '', kind: '', session: '' },
    effect: 'reads',
    isExtra: true,
  },
  summary: 'Show what happened: checks that were run, files changed, sessions that ended',
  positionals: [],
  input: v.object({
    limit: v.optional(count('How many events (default 20)', 100_000)),
    kind: v.optional(
      v.pipe(
        v.picklist(EVENT_KINDS, `one of ${EVENT_KINDS.join(', ')}`),
        v.description('Only tool runs, or only sessions'),
      ),
    ),
    session: v.optional(text('Only what happened in this session')),
  }),
  output: v.object({
    events: v.pipe(v.array(eventSchema), v.readonly(), v.description('Newest first')),
    problems: v.pipe(
      v.array(
        v.object({
          code: v.string(),
          path: v.string(),
          line: v.exactOptional(v.number()),
          message: v.string(),
          hint: v.string(),
        }),
      ),
      v.readonly(),
      v.description('Lines of the log that could not be read'),
    ),
    degraded: degradedSchema,
  }),
  examples: [
    { command: 'cairn events', does: 'the last twenty' },
    { command: 'cairn events --session ab12 --limit 100', does: 'what happened in one session' },
  ],
  async run(memory, { limit = 20, kind, session }) {
    const isWanted = (event: MemoryEvent) =>
      (kind === undefined || event.kind === kind) &&
      (session === undefined || event.sourceId === `session:${session}`)
    if (kind === undefined && session === undefined) {
      const { events, problems } = await memory.events.newest(limit)
      return { events, problems, degraded: memory.store.takeDegraded() }
    }
    const problems: Problem[] = []
    const events: MemoryEvent[] = []
    for await (const event of memory.events.read(problem => problems.push(problem))) {
      if (isWanted(event)) events.push(event)
    }
    return { events: events.slice(-limit).reverse(), problems, degraded: memory.store.takeDegraded() }
  },
})
