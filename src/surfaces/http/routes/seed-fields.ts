import * as v from 'valibot'
import { CATEGORIES } from '../../../kernel/model/category.ts'
import type { Entry } from '../../../kernel/model/entry.ts'
import { STATUSES } from '../../../kernel/model/entry.ts'
import { category, text } from '../../../verbs/operation.ts'

/** Uses the names of the system that these routes come from. */
export const agentField = text('The agent whose memory it is')
export const categoryField = category('decisions, lessons, tasks, projects or handoffs')
const messageSchema = v.pipe(
  v.object({
    role: v.pipe(v.string(), v.description('user, agent, or the name of who speaks')),
    text: v.pipe(v.string(), v.description('What is said')),
    internal: v.optional(
      v.pipe(v.boolean(), v.description('Never in a checkpoint or a handoff, and never distilled')),
    ),
    at: v.optional(v.pipe(v.string(), v.description('When it was said, UTC ISO'))),
  }),
  v.description('One turn of a conversation'),
)

/** More than any conversation has; the size of a body is limited as well. */
const MAX_MESSAGES = 20_000

export const messagesField = v.pipe(
  v.array(messageSchema),
  v.maxLength(MAX_MESSAGES, `at most ${MAX_MESSAGES} messages`),
  v.description('The whole conversation or its end; stored messages are not added again'),
)

export const conversationFields = {
  chatId: v.optional(text('What the host calls the chat, to resume it there')),
  modelId: v.optional(text('The model that answers')),
  session: v.optional(
    text('The session; without it, the one of this agent that has the same messages, or a new one'),
  ),
}

/** The seed's fields, with additional ones of Cairn. */
export const vaultEntrySchema = v.object({
  id: v.string(),
  date: v.pipe(v.string(), v.description('UTC, to the minute')),
  content: v.string(),
  tags: v.array(v.string()),
  agentId: v.string(),
  category: v.picklist(CATEGORIES),
  kind: v.string(),
  status: v.picklist(STATUSES),
  importance: v.number(),
  files: v.array(v.string()),
  updated: v.exactOptional(v.string()),
  session: v.exactOptional(v.string()),
})

export function vaultEntryOf(entry: Entry): v.InferOutput<typeof vaultEntrySchema> {
  const { id, date, content, tags, agent, category: of, kind, status, importance, files } = entry
  return {
    id,
    date,
    content,
    tags: [...tags],
    agentId: agent,
    category: of,
    kind,
    status,
    importance,
    files: [...files],
    ...(entry.updated !== undefined && { updated: entry.updated }),
    ...(entry.session !== undefined && { session: entry.session }),
  }
}

export const savedMessageSchema = v.object({
  role: v.string(),
  text: v.string(),
  internal: v.exactOptional(v.boolean()),
  at: v.exactOptional(v.string()),
})

export function savedMessageOf({
  role,
  text: said,
  internal,
  at,
}: {
  readonly role: string
  readonly text: string
  readonly internal?: boolean
  readonly at?: string
}): v.InferOutput<typeof savedMessageSchema> {
  return { role, text: said, ...(internal === true && { internal }), ...(at !== undefined && { at }) }
}
