import * as v from 'valibot'
import { CairnError } from '../../../kernel/model/errors.ts'
import { parseAgentName } from '../../../kernel/text/redaction/safe-names.ts'
import {
  AFTER_STORING,
  defineOperation,
  degradedSchema,
  entrySchema,
  recordSchema,
  text,
} from '../../../verbs/operation.ts'
import { agentMeant } from '../session-ids.ts'
import {
  checkpointSession,
  endSession,
  forkSession,
  recoverSession,
  resumeSession,
  sleepSession,
} from '../sessions.ts'
import {
  headOf,
  headSchema,
  keyFields,
  keyOf,
  messageOf,
  messageSchema,
  sessionOf,
  stateSchema,
  unreadSchema,
} from './session-fields.ts'

export const sessionCheckpointOperation = defineOperation({
  name: 'session checkpoint',
  group: 'Sessions',
  agent: 'reports',
  route: { at: 'POST /api/sessions/:session/checkpoint', access: 'write' },
  summary: 'Save the last messages of a session',
  description:
    'A checkpoint has the last 50 messages, from which a new process can continue. One is saved automatically every ten messages; it is valid for seven days.',
  positionals: ['session'],
  input: v.object(keyFields),
  output: v.object({
    session: v.string(),
    agent: v.string(),
    savedAt: v.string(),
    messages: v.number(),
    degraded: degradedSchema,
  }),
  examples: [{ command: 'cairn session checkpoint 9f3c', does: 'save one now' }],
  async run(memory, input) {
    const key = await keyOf(memory, input)
    const { savedAt, messages } = await checkpointSession(memory, key)
    return {
      ...key,
      savedAt: new Date(savedAt).toISOString(),
      messages: messages.length,
      degraded: memory.store.takeDegraded(),
    }
  },
})

export const sessionRecoverOperation = defineOperation({
  name: 'session recover',
  group: 'Sessions',
  agent: 'reads',
  summary: 'Show the last messages of an interrupted session',
  description:
    "From the checkpoint of the session, or the agent's newest. Where there is none to go on from, the reason is told.",
  positionals: ['session'],
  input: v.object({
    session: v.optional(text("The session (default: the agent's newest)")),
    agent: keyFields.agent,
  }),
  output: v.object({
    agent: v.string(),
    checkpoint: v.nullable(
      v.object({
        session: v.string(),
        agent: v.string(),
        savedAt: v.string(),
        chat: v.exactOptional(v.string()),
        model: v.exactOptional(v.string()),
        messages: v.array(messageSchema),
      }),
    ),
    reason: v.pipe(v.nullable(v.string()), v.description('Why there is no checkpoint')),
    problems: unreadSchema,
    degraded: degradedSchema,
  }),
  examples: [
    { command: 'cairn session recover --agent dev', does: 'the newest checkpoint of an agent' },
    { command: 'cairn session recover 9f3c', does: 'the checkpoint of one session' },
  ],
  async run(memory, { session, agent: named }) {
    const agent = await agentMeant(memory, { session, agent: named })
    const { checkpoint, reason, problems } = await recoverSession(memory, agent, session)
    return {
      agent,
      checkpoint:
        checkpoint === undefined
          ? null
          : {
              session: checkpoint.sessionId,
              agent: checkpoint.agentId,
              savedAt: new Date(checkpoint.savedAt).toISOString(),
              ...(checkpoint.chatId !== undefined && { chat: checkpoint.chatId }),
              ...(checkpoint.modelId !== undefined && { model: checkpoint.modelId }),
              messages: checkpoint.messages.map(messageOf),
            },
      reason: reason ?? null,
      problems,
      degraded: memory.store.takeDegraded(),
    }
  },
})

export const sessionSleepOperation = defineOperation({
  name: 'session sleep',
  group: 'Sessions',
  agent: 'reports',
  after: AFTER_STORING,
  summary: 'Put a session to sleep, with a handoff',
  description:
    'The next session of the agent starts with the handoff: what was asked, what is verified, what the agent claims and what is left, or your own summary. You can resume the session at any time.',
  positionals: ['session'],
  input: v.object({
    ...keyFields,
    summary: v.optional(text('The handoff in your own words; - reads it from standard input')),
  }),
  output: v.object({
    session: v.string(),
    agent: v.string(),
    handoff: v.pipe(v.nullable(entrySchema), v.description('null: no messages since the last sleep')),
    messages: v.pipe(v.number(), v.description('How many messages the checkpoint has')),
    record: recordSchema,
    degraded: degradedSchema,
  }),
  examples: [
    { command: 'cairn session sleep 9f3c', does: 'with its last messages' },
    {
      command: 'cairn session sleep 9f3c --summary "The migration is half done: orders is left."',
      does: 'with a summary',
    },
  ],
  async run(memory, { summary, ...named }) {
    if (summary?.trim() === '') {
      throw new CairnError({
        code: 'content_empty',
        message: 'The summary is empty.',
        hint: 'Omit it to use the last messages.',
      })
    }
    const key = await keyOf(memory, named)
    const { handoff, checkpoint, record } = await sleepSession(memory, key, { summary })
    return {
      ...key,
      handoff: handoff ?? null,
      messages: checkpoint.messages.length,
      record,
      degraded: memory.store.takeDegraded(),
    }
  },
})

export const sessionEndOperation = defineOperation({
  name: 'session end',
  group: 'Sessions',
  agent: 'reports',
  summary: 'Mark a session as ending, immediately',
  description:
    'For a process about to die: saves a checkpoint and a mark in a bounded time, without waiting for a lock. The next process closes the session.',
  positionals: ['session'],
  input: v.object(keyFields),
  output: v.object({
    session: v.string(),
    agent: v.string(),
    state: stateSchema,
    degraded: degradedSchema,
  }),
  examples: [{ command: 'cairn session end 9f3c', does: 'from a hook with little time' }],
  async run(memory, input) {
    const key = await keyOf(memory, input)
    const { state } = await endSession(memory, key)
    return { ...key, state, degraded: memory.store.takeDegraded() }
  },
})

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
    as: v.optional(text('The id of the copy (default: a new id)')),
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
  description:
    'Returns the data that its host needs to continue: the chat id, the model and the last messages.',
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
        was: v.pipe(stateSchema, v.description('Its previous state')),
        messages: v.pipe(v.array(messageSchema), v.description('The last ones, from its checkpoint')),
        reason: v.pipe(v.nullable(v.string()), v.description('Why there are no messages')),
      }),
    ),
    problems: unreadSchema,
    degraded: degradedSchema,
  }),
  examples: [{ command: 'cairn session resume 9f3c', does: 'continue where it stopped' }],
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
