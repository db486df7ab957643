import * as v from 'valibot'
import { parseAgentName } from '../../../kernel/text/redaction/safe-names.ts'
import { count, defineOperation, degradedSchema, text } from '../../../verbs/operation.ts'
import { agentActivity } from '../agent-activity.ts'
import { stateSchema, unreadSchema } from './session-fields.ts'

const DEFAULT_LIMIT = 5

export const agentsOperation = defineOperation({
  name: 'agents',
  group: 'Sessions',
  agent: 'reads',
  route: { at: 'GET /api/agents', access: 'read' },
  summary: 'Show what each agent is doing, and what it has done',
  description:
    'Now: its open sessions, with the last request and the last tool run, and the tasks of the work board that it holds. So far: its sessions, its entries, its last handoff, the files it changed, and what became of its tasks.',
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
          recent: v.pipe(
            v.array(
              v.object({ session: v.string(), activeAt: v.string(), request: v.exactOptional(v.string()) }),
            ),
            v.description('Its newest sessions'),
          ),
          files: v.pipe(v.array(v.string()), v.description('Changed in its last sessions, the newest first')),
        }),
        tasks: v.exactOptional(
          v.pipe(
            v.object({
              running: v.array(
                v.object({
                  id: v.string(),
                  title: v.string(),
                  since: v.string(),
                  progress: v.exactOptional(v.string()),
                }),
              ),
              ended: v.array(
                v.object({
                  id: v.string(),
                  title: v.string(),
                  outcome: v.picklist(['done', 'failed', 'expired', 'cancelled']),
                  at: v.string(),
                  report: v.exactOptional(v.string()),
                }),
              ),
            }),
            v.description('From the work board; absent: it never took a task'),
          ),
        ),
      }),
    ),
    problems: unreadSchema,
    degraded: degradedSchema,
  }),
  examples: [
    { command: 'cairn agents', does: 'all of them' },
    { command: 'cairn agents dev --json', does: 'one, for a program' },
  ],
  async run(memory, { agent, limit = DEFAULT_LIMIT }) {
    const named = agent === undefined ? undefined : parseAgentName(agent)
    const { agents, problems } = await agentActivity(memory, named, { limit })
    return {
      agents: agents.map(({ agent: name, open, doing, done, tasks }) => ({
        agent: name,
        open,
        doing: [...doing],
        done: { ...done, recent: [...done.recent], files: [...done.files] },
        ...(tasks !== undefined && { tasks: { running: [...tasks.running], ended: [...tasks.ended] } }),
      })),
      problems,
      degraded: memory.store.takeDegraded(),
    }
  },
})
