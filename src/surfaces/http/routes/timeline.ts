import * as v from 'valibot'
import { MAX_TAUGHT, readTimeline } from '../../../features/overview/timeline.ts'
import { stateSchema, unreadSchema } from '../../../features/sessions/verbs/session-fields.ts'
import { CATEGORIES } from '../../../kernel/model/category.ts'
import { STATUSES } from '../../../kernel/model/entry.ts'
import { parseAgentName } from '../../../kernel/text/redaction/safe-names.ts'
import { count, defineOperation, degradedSchema, text } from '../../../verbs/operation.ts'

const SHOWN = 20
const MAX_SHOWN = 200

const entryTextSchema = v.object({ id: v.string(), text: v.string() })

export const timelineOperation = defineOperation({
  name: 'timeline',
  agent: 'reads',
  route: { at: 'GET /api/timeline', access: 'read' },
  summary: 'The sessions, the last active first, with what each of them taught',
  positionals: [],
  input: v.object({
    agent: v.optional(text('Only sessions of this agent')),
    limit: v.optional(count(`How many (default ${SHOWN})`, MAX_SHOWN)),
    offset: v.optional(
      v.pipe(v.number(), v.integer(), v.minValue(0), v.description('How many to leave out first')),
    ),
  }),
  output: v.object({
    sessions: v.array(
      v.object({
        session: v.string(),
        agents: v.array(v.string()),
        host: v.exactOptional(v.string()),
        startedAt: v.string(),
        activeAt: v.string(),
        endedAt: v.exactOptional(v.pipe(v.string(), v.description('When it was closed'))),
        state: stateSchema,
        messages: v.number(),
        doing: v.exactOptional(v.pipe(v.string(), v.description('What was asked for last'))),
        summary: v.exactOptional(v.string()),
        taught: v.pipe(
          v.array(
            v.object({
              id: v.string(),
              kind: v.string(),
              status: v.picklist(STATUSES),
              category: v.picklist(CATEGORIES),
              text: v.string(),
            }),
          ),
          v.description(`Entries that were made from it and still exist, the first ${MAX_TAUGHT}`),
        ),
        taughtTotal: v.number(),
        findings: v.pipe(v.number(), v.description('The number of findings, accepted or not')),
        handoff: v.exactOptional(entryTextSchema),
      }),
    ),
    total: v.number(),
    problems: unreadSchema,
    degraded: degradedSchema,
  }),
  examples: [],
  async run(memory, { agent, limit = SHOWN, offset = 0 }) {
    const timeline = await readTimeline(memory, {
      limit,
      offset,
      ...(agent !== undefined && { agent: parseAgentName(agent) }),
    })
    return { ...timeline, degraded: memory.store.takeDegraded() }
  },
})
