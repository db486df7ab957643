import * as v from 'valibot'
import { EVENT_KINDS, type MemoryEvent } from '../../../kernel/model/event.ts'
import type { Problem } from '../../../kernel/model/search.ts'
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
    'Now: its open sessions, with the last request and the last tool run, and the tasks of the work board that it holds. So far: its sessions, its entries, its last handoff, the files it changed, and the outcome of its tasks.',
  positionals: ['agent'],
  input: v.object({
    agent: v.optional(text('Only this agent')),
    limit: v.optional(count('How many of its open sessions to show (default 5)', 10_000)),
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
            messages: v.pipe(v.number(), v.description('Its own messages')),
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
          messages: v.pipe(v.number(), v.description('Its own messages in its newest 200 sessions')),
          entries: v.number(),
          lastHandoff: v.exactOptional(v.object({ id: v.string(), date: v.string(), content: v.string() })),
          lastActiveAt: v.exactOptional(v.string()),
          recent: v.pipe(
            v.array(
              v.object({ session: v.string(), activeAt: v.string(), request: v.exactOptional(v.string()) }),
            ),
            v.description('Its newest sessions'),
          ),
          files: v.pipe(
            v.array(v.string()),
            v.description('Files changed in its last sessions, newest first'),
          ),
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
            v.description('From the work board; absent: it never claimed a task'),
          ),
        ),
      }),
    ),
    problems: unreadSchema,
    degraded: degradedSchema,
  }),
  examples: [
    { command: 'cairn agents', does: 'all agents' },
    { command: 'cairn agents dev --json', does: 'one agent, as JSON' },
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
    description: 'Tool runs and their outcomes.',
    fields: { limit: '', kind: '', session: '' },
    effect: 'reads',
    isExtra: true,
  },
  summary: 'Show recent events: checks, changed files, ended sessions',
  positionals: [],
  input: v.object({
    limit: v.optional(count('How many events (default 20)', 100_000)),
    kind: v.optional(
      v.pipe(
        v.picklist(EVENT_KINDS, `one of ${EVENT_KINDS.join(', ')}`),
        v.description('Only tool runs, or only sessions'),
      ),
    ),
    session: v.optional(text('Only events of this session')),
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
    { command: 'cairn events --session ab12 --limit 100', does: 'the events of one session' },
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
