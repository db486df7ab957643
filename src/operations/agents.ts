import * as v from 'valibot'
import { agentActivity } from '../sessions/agent-activity.ts'
import { parseAgentName } from '../text/agent-name.ts'
import { count, defineOperation, degradedSchema, text } from './operation.ts'
import { stateSchema, unreadSchema } from './session-fields.ts'

const DEFAULT_LIMIT = 5

export const agentsOperation = defineOperation({
  name: 'agents',
  summary: 'Show what each agent is doing, and what it has done',
  description:
    'Now: its open sessions, with the last request and the last tool run. So far: its sessions, its entries, its last handoff and the files it changed.',
  positionals: ['agent'],
  input: v.object({
    agent: v.optional(text('Only this one')),
    limit: v.optional(count('How many of its open sessions are shown (default 5)', 10_000)),
  }),
  output: v.object({
    agents: v.array(
      v.object({
        agent: v.string(),
        open: v.pipe(v.number(), v.description('Its open sessions; the newest are in `doing`')),
        doing: v.array(
          v.object({
            session: v.string(),
            state: stateSchema,
            host: v.string(),
            since: v.string(),
            activeAt: v.string(),
            messages: v.pipe(v.number(), v.description('Its own')),
            request: v.exactOptional(v.string()),
            lastRun: v.exactOptional(
              v.object({
                tool: v.string(),
                command: v.exactOptional(v.string()),
                ok: v.exactOptional(v.boolean()),
                at: v.exactOptional(v.string()),
              }),
            ),
          }),
        ),
        done: v.object({
          sessions: v.number(),
          messages: v.pipe(v.number(), v.description('Its own, in its newest 200 sessions')),
          entries: v.number(),
          lastHandoff: v.exactOptional(v.object({ id: v.string(), date: v.string(), content: v.string() })),
          lastActiveAt: v.exactOptional(v.string()),
          files: v.pipe(v.array(v.string()), v.description('Changed in its last sessions, the newest first')),
        }),
      }),
    ),
    problems: unreadSchema,
    degraded: degradedSchema,
  }),
  examples: [
    { command: 'cairn agents', does: 'all of them' },
    { command: 'cairn agents dev --json', does: 'one, for a program' },
  ],
  async run(engine, { agent, limit = DEFAULT_LIMIT }) {
    const named = agent === undefined ? undefined : parseAgentName(agent)
    const { agents, problems } = await agentActivity(engine, named, { limit })
    return {
      agents: agents.map(({ agent: name, open, doing, done }) => ({
        agent: name,
        open,
        doing: [...doing],
        done: { ...done, files: [...done.files] },
      })),
      problems,
      degraded: engine.store.takeDegraded(),
    }
  },
})
