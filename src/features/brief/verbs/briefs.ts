import * as v from 'valibot'
import { count, defineOperation, degradedSchema } from '../../../verbs/operation.ts'
import { includedSchema, leftSchema } from './brief.ts'

export const briefsOperation = defineOperation({
  name: 'briefs',
  group: 'Briefs',
  agent: 'reads',
  route: { at: 'GET /api/briefs', access: 'read' },
  summary: 'List the briefs that hosts were given',
  description: 'The last 200, newest first, with what was in them. `cairn why --brief ID` asks one again.',
  positionals: [],
  input: v.object({ limit: v.optional(count('How many (default 20)', 200)) }),
  output: v.object({
    briefs: v.array(
      v.object({
        id: v.string(),
        at: v.string(),
        kind: v.picklist(['start', 'prompt']),
        host: v.string(),
        session: v.exactOptional(v.string()),
        agent: v.exactOptional(v.string()),
        profile: v.exactOptional(v.string()),
        prompt: v.pipe(v.string(), v.description('Shortened, and freed of secrets')),
        files: v.array(v.string()),
        tokens: v.number(),
        ms: v.number(),
        included: includedSchema,
        left: leftSchema,
        degraded: v.array(v.string()),
      }),
    ),
    degraded: degradedSchema,
  }),
  examples: [{ command: 'cairn briefs --limit 5', does: 'what was told last' }],
  async run(memory, { limit }) {
    await memory.store.refresh()
    const briefs = await memory.briefs.list(limit ?? 20)
    return {
      briefs: briefs.map(brief => ({
        ...brief,
        files: [...brief.files],
        included: [...brief.included],
        left: [...brief.left],
        degraded: [...brief.degraded],
      })),
      degraded: memory.store.takeDegraded(),
    }
  },
})
