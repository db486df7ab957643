import * as v from 'valibot'
import { parseAgentName } from '../../../kernel/text/redaction/safe-names.ts'
import { defineOperation, degradedSchema, text } from '../../../verbs/operation.ts'
import { forkSession, resumeSession } from '../sessions.ts'
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

export const sessionForkOperation = defineOperation({
  name: 'session fork',
  group: 'Sessions',
  agent: 'reports',
  summary: 'Copy a session under a new id',
  description:
    "Every agent's conversation is copied, and the copy knows where it comes from. Both go on by themselves, and what both find is kept once.",
  positionals: ['session'],
  input: v.object({
    session: keyFields.session,
    as: v.optional(text('The id of the copy (default: one is made)')),
  }),
  output: v.object({
    session: v.string(),
    parent: v.string(),
    agents: v.array(v.object({ agent: v.string(), messages: v.number() })),
    degraded: degradedSchema,
  }),
  examples: [{ command: 'cairn session fork 9f3c --as 9f3c-other-way', does: 'to try another way' }],
  async run(memory, { session, as }) {
    const fork = await forkSession(memory, { session: sessionOf(memory, session) }, { as })
    return { ...fork, agents: [...fork.agents], degraded: memory.store.takeDegraded() }
  },
})

export const sessionResumeOperation = defineOperation({
  name: 'session resume',
  group: 'Sessions',
  agent: 'reports',
  summary: 'Open a session again',
  description: 'With what its host needs to go on: the chat id, the model, and the last messages.',
  positionals: ['session'],
  input: v.object({
    session: keyFields.session,
    agent: v.optional(text('Only the conversation of this agent')),
  }),
  output: v.object({
    session: v.string(),
    conversations: v.array(
      v.object({
        ...headSchema.entries,
        was: v.pipe(stateSchema, v.description('What it was until now')),
        messages: v.pipe(v.array(messageSchema), v.description('The last ones, from its checkpoint')),
        reason: v.pipe(v.nullable(v.string()), v.description('Why there are none')),
      }),
    ),
    problems: unreadSchema,
    degraded: degradedSchema,
  }),
  examples: [{ command: 'cairn session resume 9f3c', does: 'where it was left' }],
  async run(memory, { session: named, agent }) {
    const { session, conversations } = await resumeSession(memory, {
      session: sessionOf(memory, named),
      agent: agent === undefined ? undefined : parseAgentName(agent),
    })
    return {
      session,
      conversations: conversations.map(({ was, recovery, ...head }) => ({
        ...headOf(head),
        was,
        messages: (recovery.checkpoint?.messages ?? []).map(messageOf),
        reason: recovery.reason ?? null,
      })),
      problems: conversations.flatMap(({ recovery }) => recovery.problems),
      degraded: memory.store.takeDegraded(),
    }
  },
})
