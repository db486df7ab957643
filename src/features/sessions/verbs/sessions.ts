import * as v from 'valibot'
import { SESSION_STATES } from '../../../kernel/model/session.ts'
import { parseAgentName } from '../../../kernel/text/redaction/safe-names.ts'
import { count, defineOperation, degradedSchema, text } from '../../../verbs/operation.ts'
import { sessionNotFound } from '../session-ids.ts'
import { summaryFilter } from '../session-summaries.ts'
import { listSessions } from '../sessions.ts'
import {
  headOf,
  headSchema,
  keyFields,
  messageOf,
  messageSchema,
  sessionOf,
  stateSchema,
  unreadSchema,
} from './session-fields.ts'

const SHOWN = 20
const SHOWN_MESSAGES = 20

export const sessionsOperation = defineOperation({
  name: 'sessions',
  group: 'Sessions',
  agent: 'reads',
  route: { at: 'GET /api/sessions', access: 'read' },
  tool: {
    name: 'sessions',
    action: 'list',
    title: 'Sessions',
    description: 'List sessions, or show the end of one.',
    fields: { session: '', agent: '', state: '', limit: '', offset: '' },
    effect: 'reads',
    isExtra: true,
  },
  summary: 'List the sessions, most recently active first',
  description: 'With the last request, the outcome, and the chat ids to resume them in their host.',
  positionals: [],
  input: v.object({
    agent: v.optional(text('Only sessions of this agent')),
    state: v.optional(
      v.pipe(
        v.picklist(SESSION_STATES, `one of ${SESSION_STATES.join(', ')}`),
        v.description('Only sessions in this state'),
      ),
    ),
    limit: v.optional(count(`How many (default ${SHOWN})`, 10_000)),
    offset: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.description('How many to skip'))),
  }),
  output: v.object({
    sessions: v.array(
      v.object({
        session: v.string(),
        state: stateSchema,
        host: v.string(),
        agents: v.array(v.string()),
        startedAt: v.string(),
        activeAt: v.string(),
        parent: v.exactOptional(v.string()),
        chats: v.pipe(v.record(v.string(), v.string()), v.description('By agent: the chat id of its host')),
        messages: v.number(),
        doing: v.exactOptional(v.pipe(v.string(), v.description('The last request'))),
        summary: v.exactOptional(v.string()),
        findings: v.exactOptional(v.number()),
        promoted: v.exactOptional(v.number()),
      }),
    ),
    total: v.number(),
    problems: unreadSchema,
    degraded: degradedSchema,
  }),
  examples: [
    { command: 'cairn sessions', does: 'the last twenty' },
    { command: 'cairn sessions --agent dev --state asleep', does: 'the sleeping sessions of an agent' },
  ],
  async run(memory, { agent, state, limit = SHOWN, offset }) {
    const { sessions, total, problems } = await listSessions(memory, {
      limit,
      ...(offset !== undefined && { offset }),
      ...(agent !== undefined && { agent: parseAgentName(agent) }),
      ...(state !== undefined && { state }),
    })
    return {
      sessions: sessions.map(session => ({
        ...session,
        agents: [...session.agents],
        chats: { ...session.chats },
      })),
      total,
      problems,
      degraded: memory.store.takeDegraded(),
    }
  },
})

export const sessionShowOperation = defineOperation({
  name: 'session show',
  group: 'Sessions',
  agent: 'reads',
  route: { at: 'GET /api/sessions/:session', access: 'read' },
  tool: {
    name: 'sessions',
    action: 'show',
  },
  summary: 'Show a session: its conversations and findings',
  positionals: ['session'],
  input: v.object({
    session: keyFields.session,
    agent: v.optional(text('Only the conversation of this agent')),
    limit: v.optional(count(`How many of the last messages (default ${SHOWN_MESSAGES})`, 1_000_000)),
  }),
  output: v.object({
    session: v.string(),
    conversations: v.array(
      v.object({
        ...headSchema.entries,
        state: stateSchema,
        activeAt: v.string(),
        total: v.pipe(v.number(), v.description('Stored messages')),
        trimmed: v.pipe(v.number(), v.description('Older messages, in the archive')),
        messages: v.array(messageSchema),
      }),
    ),
    summary: v.nullable(v.string()),
    handoff: v.exactOptional(
      v.pipe(v.object({ id: v.string(), content: v.string() }), v.description('Its handoff')),
    ),
    findings: v.array(v.object({ content: v.string(), kind: v.string(), entry: v.nullable(v.string()) })),
    problems: unreadSchema,
    degraded: degradedSchema,
  }),
  examples: [{ command: 'cairn session show 9f3c --limit 5', does: 'its last five messages' }],
  async run(engine, { session: named, agent, limit = SHOWN_MESSAGES }) {
    const session = sessionOf(engine, named)
    const wanted = agent === undefined ? undefined : parseAgentName(agent)
    const heads = (await engine.sessions.conversationsOf(session)).filter(
      head => wanted === undefined || head.agent === wanted,
    )
    const memory = await engine.sessions.findMemory(session)
    if (heads.length === 0 && (memory === undefined || wanted !== undefined))
      throw await sessionNotFound(engine, session, wanted)
    const read = await Promise.all(heads.map(head => engine.sessions.read(head)))
    const conversations = read.flatMap(conversation => conversation ?? [])
    const filter = await summaryFilter(engine)
    const [handoff] = (
      await engine.search.listEntries({ filter: { session, category: 'handoffs' }, limit: 1, offset: 0 })
    ).entries
    return {
      session,
      conversations: conversations.map(({ head, state, activeAt, messages, trimmed }) => ({
        ...headOf(head),
        state,
        activeAt,
        total: messages.length,
        trimmed,
        messages: messages.slice(-limit).map(messageOf),
      })),
      summary: memory === undefined ? null : filter.allowed({ session, summary: memory.summary }),
      ...(handoff !== undefined && { handoff: { id: handoff.id, content: handoff.content } }),
      findings: (memory?.findings ?? []).map(({ content, category, promotedEntryId }) => ({
        content,
        kind: category,
        entry: promotedEntryId ?? null,
      })),
      problems: [...conversations.flatMap(({ problems }) => problems), ...filter.problems],
      degraded: engine.store.takeDegraded(),
    }
  },
})
