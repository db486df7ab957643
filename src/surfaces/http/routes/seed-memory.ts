import * as v from 'valibot'
import type { Composed } from '../../../compose/composed.ts'
import { remember } from '../../../features/entries/write-entries.ts'
import { readProjectText, saveProjectText } from '../../../features/overview/project-text.ts'
import { type ConversationToSave, saveConversation } from '../../../features/sessions/save-conversation.ts'
import { unreadSchema } from '../../../features/sessions/verbs/session-fields.ts'
import { CairnError } from '../../../kernel/model/errors.ts'
import { parseAgentName } from '../../../kernel/text/redaction/safe-names.ts'
import { AGENTS_OWN } from '../../../verbs/agent-rules.ts'
import { count, defineOperation, degradedSchema, list, text } from '../../../verbs/operation.ts'
import {
  agentField,
  categoryField,
  conversationFields,
  messagesField,
  savedMessageOf,
  savedMessageSchema,
  vaultEntryOf,
  vaultEntrySchema,
} from './seed-fields.ts'

const SHOWN_MESSAGES = 200
const MAX_MESSAGES = 10_000
/** Far above a user's number of agents; each one costs reading a file. */
const MAX_AGENTS = 100
const MAX_SESSIONS = 1_000

export const seedConversationsOperation = defineOperation({
  name: 'seed conversations',
  agent: 'reads',
  route: { at: 'GET /api/memory', access: 'read', ignoresUnknown: true },
  summary: 'Conversations: the newest of each agent, or of one',
  positionals: [],
  input: v.object({
    agentId: v.optional(agentField),
    limit: v.optional(
      count(`How many of the last messages of each (default ${SHOWN_MESSAGES})`, MAX_MESSAGES),
    ),
  }),
  output: v.object({
    conversations: v.array(
      v.object({
        agentId: v.string(),
        savedAt: v.pipe(v.string(), v.description('UTC ISO')),
        session: v.string(),
        state: v.string(),
        chatId: v.exactOptional(v.string()),
        modelId: v.exactOptional(v.string()),
        total: v.pipe(v.number(), v.description('Stored messages')),
        messages: v.array(savedMessageSchema),
      }),
    ),
    problems: unreadSchema,
    degraded: degradedSchema,
  }),
  examples: [],
  async run(memory, { agentId, limit = SHOWN_MESSAGES }) {
    const agent = agentId === undefined ? undefined : parseAgentName(agentId)
    const { sessions, problems } = await memory.sessions.list({
      limit: agent === undefined ? MAX_SESSIONS : 1,
      ...(agent !== undefined && { agent }),
    })
    const newest = new Map<string, string>()
    for (const { session, agents } of sessions)
      for (const each of agents) {
        if (agent !== undefined && each !== agent) continue
        if (!newest.has(each) && newest.size < MAX_AGENTS) newest.set(each, session)
      }
    const conversations = []
    for (const [each, session] of newest) {
      const read = await memory.sessions.read({ session, agent: each })
      if (read === undefined) continue
      const { head, state, activeAt, messages } = read
      conversations.push({
        agentId: each,
        savedAt: activeAt,
        session,
        state,
        ...(head.chat !== undefined && { chatId: head.chat }),
        ...(head.model !== undefined && { modelId: head.model }),
        total: messages.length,
        messages: messages.slice(-limit).map(savedMessageOf),
      })
    }
    return { conversations, problems, degraded: memory.store.takeDegraded() }
  },
})

const conversationSchema = v.object({ agentId: agentField, messages: messagesField, ...conversationFields })

const saveSchema = v.object({
  agentId: v.optional(agentField),
  messages: v.optional(messagesField),
  ...conversationFields,
  conversations: v.optional(
    v.pipe(v.array(conversationSchema), v.maxLength(MAX_AGENTS), v.description('Several conversations')),
  ),
  append: v.optional(text('What is to be remembered')),
  category: v.optional(categoryField),
  tags: v.optional(list('Of the entry')),
  project: v.optional(text('What the project is')),
})

export const seedSaveOperation = defineOperation({
  name: 'seed save',
  agent: ({ project }) => (project === undefined ? 'candidate' : 'person'),
  route: { at: 'POST /api/memory', access: 'write', ignoresUnknown: true },
  summary: 'Save conversations, append to a memory, or begin the project text',
  description:
    'One or several of: `messages` (with `agentId`) or `conversations`, which are stored once however often they are sent; `append` (with `agentId`), which becomes an entry; `project`, which becomes _project.md if there is none.',
  positionals: [],
  input: saveSchema,
  output: v.object({
    saved: v.array(
      v.object({
        agentId: v.string(),
        session: v.string(),
        added: v.pipe(v.number(), v.description('Messages that were new')),
        total: v.pipe(v.number(), v.description('The total number of messages of the conversation')),
      }),
    ),
    entry: v.exactOptional(vaultEntrySchema),
    project: v.exactOptional(
      v.object({
        created: v.pipe(v.boolean(), v.description('False: there was a text, and it stays')),
        words: v.number(),
      }),
    ),
    degraded: degradedSchema,
  }),
  examples: [],
  async run(memory, input, { isAgent }) {
    const wholes = wholesOf(input)
    if (wholes.length === 0 && input.append === undefined && input.project === undefined)
      throw nothingToSave()
    const saved = []
    for (const whole of wholes) {
      const { agent, session, added, count: total } = await saveConversation(memory, whole)
      saved.push({ agentId: agent, session, added, total })
    }
    const entry =
      input.append === undefined ? undefined : await append(memory, input.append, input, isAgent === true)
    const project = input.project === undefined ? undefined : await beginProject(memory, input.project)
    return {
      saved,
      ...(entry !== undefined && { entry }),
      ...(project !== undefined && { project }),
      degraded: memory.store.takeDegraded(),
    }
  },
})

type SaveInput = v.InferOutput<typeof saveSchema>

function wholesOf({ agentId, messages, conversations, chatId, modelId, session }: SaveInput) {
  const single =
    messages === undefined ? [] : [{ agentId: needed(agentId), messages, chatId, modelId, session }]
  return [...single, ...(conversations ?? [])].map(
    (one): ConversationToSave => ({
      agent: one.agentId,
      messages: one.messages,
      session: one.session,
      chat: one.chatId,
      model: one.modelId,
    }),
  )
}

async function append(
  memory: Composed,
  content: string,
  { agentId, category, tags }: SaveInput,
  isAgent: boolean,
) {
  const [stored] = await remember(memory, [
    {
      content,
      agent: needed(agentId),
      category: category ?? 'lessons',
      ...(tags !== undefined && { tags }),
      ...(isAgent && AGENTS_OWN),
    },
  ])
  return stored && vaultEntryOf(stored.entry)
}

async function beginProject(memory: Composed, project: string) {
  const { text: known, words } = await readProjectText(memory)
  if (known.trim() !== '') return { created: false, words }
  const saved = await saveProjectText(memory, { text: project })
  return { created: saved.record !== null, words: saved.words }
}

function needed(agentId: string | undefined): string {
  if (agentId !== undefined) return agentId
  throw new CairnError({
    code: 'invalid_input',
    message: 'Whose it is is not said: `agentId` is missing.',
    hint: 'Name the agent: "agentId": "dev".',
  })
}

function nothingToSave(): CairnError {
  return new CairnError({
    code: 'invalid_input',
    message: 'Nothing to save: the request has neither `messages`, `conversations`, `append` nor `project`.',
    hint: 'For example: { "agentId": "dev", "messages": [{ "role": "user", "text": "…" }] }',
  })
}
