import * as v from 'valibot'
import { CairnError } from '../../../kernel/model/errors.ts'
import {
  AFTER_STORING,
  defineOperation,
  degradedSchema,
  entrySchema,
  recordSchema,
  text,
} from '../../../verbs/operation.ts'
import { agentMeant } from '../session-ids.ts'
import { checkpointSession, endSession, recoverSession, sleepSession } from '../sessions.ts'
import { keyFields, keyOf, messageOf, messageSchema, stateSchema, unreadSchema } from './session-fields.ts'

export const sessionCheckpointOperation = defineOperation({
  name: 'session checkpoint',
  group: 'Sessions',
  agent: 'reports',
  route: { at: 'POST /api/sessions/:session/checkpoint', access: 'write' },
  summary: 'Save the last messages of a session',
  description:
    'A checkpoint is what a new process goes on from: the last 50 messages. One is saved by itself whenever ten more messages have come; it is valid for seven days.',
  positionals: ['session'],
  input: v.object(keyFields),
  output: v.object({
    session: v.string(),
    agent: v.string(),
    savedAt: v.string(),
    messages: v.number(),
    degraded: degradedSchema,
  }),
  examples: [{ command: 'cairn session checkpoint 9f3c', does: 'now' }],
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
  summary: 'Show the last messages of a session that broke off',
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
    reason: v.pipe(v.nullable(v.string()), v.description('Why there is none')),
    problems: unreadSchema,
    degraded: degradedSchema,
  }),
  examples: [
    { command: 'cairn session recover --agent dev', does: 'the newest of an agent' },
    { command: 'cairn session recover 9f3c', does: 'of one session' },
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
  summary: 'Put a session aside, with a handoff',
  description:
    'The handoff is an entry that the next session of the agent starts with: what was asked, what is verified, what the agent claims and what is left, or a summary of your own. You can resume the session at any time.',
  positionals: ['session'],
  input: v.object({
    ...keyFields,
    summary: v.optional(text('The handoff in your own words; - reads it from standard input')),
  }),
  output: v.object({
    session: v.string(),
    agent: v.string(),
    handoff: v.pipe(v.nullable(entrySchema), v.description('null: nothing was said since it slept last')),
    messages: v.pipe(v.number(), v.description('How many the checkpoint holds')),
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
        hint: 'Leave it out: the last messages are taken.',
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
  summary: 'Mark a session as ending, at once',
  description:
    'For a process about to die: a checkpoint and a mark, in a bounded time, without waiting for anybody. Whoever comes next closes the session.',
  positionals: ['session'],
  input: v.object(keyFields),
  output: v.object({
    session: v.string(),
    agent: v.string(),
    state: stateSchema,
    degraded: degradedSchema,
  }),
  examples: [{ command: 'cairn session end 9f3c', does: 'from a hook that has no time' }],
  async run(memory, input) {
    const key = await keyOf(memory, input)
    const { state } = await endSession(memory, key)
    return { ...key, state, degraded: memory.store.takeDegraded() }
  },
})
