import * as v from 'valibot'
import { saveWithCheckpoint } from '../../../features/sessions/save-conversation.ts'
import { recoverSession } from '../../../features/sessions/sessions.ts'
import { parseAgentName, withoutSecret } from '../../../kernel/text/redaction/safe-names.ts'
import { defineOperation, degradedSchema, problemsSchema, text } from '../../../verbs/operation.ts'
import {
  agentField,
  conversationFields,
  messagesField,
  savedMessageOf,
  savedMessageSchema,
} from './seed-fields.ts'

const checkpointSchema = v.object({
  agentId: v.string(),
  savedAt: v.pipe(v.number(), v.description('Milliseconds since 1970')),
  messages: v.pipe(v.array(savedMessageSchema), v.description('The last 50, without internal ones')),
  chatId: v.exactOptional(v.string()),
  modelId: v.exactOptional(v.string()),
  session: v.string(),
})

export const seedRecoverOperation = defineOperation({
  name: 'seed recover',
  agent: 'reads',
  route: { at: 'GET /api/memory/checkpoint', access: 'read', ignoresUnknown: true },
  summary: 'The checkpoint of an agent, to go on from, where it is less than seven days old',
  positionals: [],
  input: v.object({
    agentId: agentField,
    session: v.optional(text('Of this session (default: the newest of the agent)')),
  }),
  output: v.object({
    checkpoint: v.pipe(v.nullable(checkpointSchema), v.description('null: begin afresh')),
    fresh: v.pipe(v.boolean(), v.description('True: there is nothing to continue')),
    reason: v.exactOptional(v.pipe(v.string(), v.description('Why not'))),
    problems: problemsSchema,
    degraded: degradedSchema,
  }),
  examples: [],
  async run(memory, { agentId, session }) {
    const { checkpoint, reason, problems } = await recoverSession(
      memory,
      parseAgentName(agentId),
      session && withoutSecret('session', session),
    )
    return {
      checkpoint:
        checkpoint === undefined
          ? null
          : {
              agentId: checkpoint.agentId,
              savedAt: checkpoint.savedAt,
              messages: checkpoint.messages.map(savedMessageOf),
              ...(checkpoint.chatId !== undefined && { chatId: checkpoint.chatId }),
              ...(checkpoint.modelId !== undefined && { modelId: checkpoint.modelId }),
              session: checkpoint.sessionId,
            },
      fresh: checkpoint === undefined,
      ...(reason !== undefined && { reason }),
      problems,
      degraded: memory.store.takeDegraded(),
    }
  },
})

export const seedCheckpointOperation = defineOperation({
  name: 'seed checkpoint',
  agent: 'reports',
  route: { at: 'POST /api/memory/checkpoint', access: 'write', ignoresUnknown: true },
  summary: 'Save a checkpoint of a conversation: its last 50 messages, without internal ones',
  description:
    'Messages that are not stored yet are added too, because a closing page has no second chance. A page that closes sends it with sendBeacon and the token in the body.',
  positionals: [],
  input: v.object({
    agentId: agentField,
    messages: messagesField,
    ...conversationFields,
  }),
  output: v.object({
    saved: v.literal(true),
    savedAt: v.pipe(v.number(), v.description('Milliseconds since 1970')),
    session: v.string(),
    messages: v.pipe(v.number(), v.description('In the checkpoint')),
    added: v.pipe(v.number(), v.description('Messages that were new to the conversation')),
    degraded: degradedSchema,
  }),
  examples: [],
  async run(memory, { agentId, messages, chatId, modelId, session }) {
    const { saved, checkpoint } = await saveWithCheckpoint(memory, {
      agent: agentId,
      messages,
      session,
      chat: chatId,
      model: modelId,
    })
    return {
      saved: true as const,
      savedAt: checkpoint.savedAt,
      session: saved.session,
      messages: checkpoint.messages.length,
      added: saved.added,
      degraded: memory.store.takeDegraded(),
    }
  },
})
