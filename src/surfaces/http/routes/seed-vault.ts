import * as v from 'valibot'
import type { Composed } from '../../../compose/composed.ts'
import { editOperation } from '../../../features/entries/verbs/edit.ts'
import { forgetOperation } from '../../../features/entries/verbs/forget.ts'
import { rememberOperation } from '../../../features/entries/verbs/remember.ts'
import { entryNotFound, remember } from '../../../features/entries/write-entries.ts'
import { search } from '../../../features/search/search-memory.ts'
import { CATEGORIES } from '../../../kernel/model/category.ts'
import type { Entry } from '../../../kernel/model/entry.ts'
import { CairnError } from '../../../kernel/model/errors.ts'
import { parseAgentName } from '../../../kernel/text/redaction/safe-names.ts'
import { AGENTS_OWN } from '../../../verbs/agent-rules.ts'
import {
  count,
  defineOperation,
  degradedSchema,
  list,
  proposedSchema,
  recordSchema,
  text,
} from '../../../verbs/operation.ts'
import { agentField, categoryField, vaultEntryOf, vaultEntrySchema } from './seed-fields.ts'

const SHOWN_ENTRIES = 1_000
const MAX_ENTRIES = 10_000
const FOUND = 10
const MAX_FOUND = 100

const NO_COUNTS = Object.fromEntries(CATEGORIES.map(name => [name, 0])) as Record<
  (typeof CATEGORIES)[number],
  number
>

export const seedVaultOperation = defineOperation({
  name: 'seed vault',
  agent: 'reads',
  route: { at: 'GET /api/memory/vault', access: 'read', ignoresUnknown: true },
  summary: 'The agents; of one agent the counts by category; of one category its entries',
  description:
    'Without a parameter, `agents`. With `agentId`, `counts` too. With `agentId` and `category`, the `entries`, newest first.',
  positionals: [],
  input: v.object({
    agentId: v.optional(agentField),
    category: v.optional(categoryField),
    limit: v.optional(count(`How many entries (default ${SHOWN_ENTRIES})`, MAX_ENTRIES)),
    offset: v.optional(
      v.pipe(v.number(), v.integer(), v.minValue(0), v.description('How many to leave out first')),
    ),
  }),
  output: v.object({
    agents: v.array(v.string()),
    counts: v.exactOptional(v.record(v.picklist(CATEGORIES), v.number())),
    entries: v.exactOptional(v.array(vaultEntrySchema)),
    total: v.exactOptional(v.pipe(v.number(), v.description('Of such entries'))),
    degraded: degradedSchema,
  }),
  examples: [],
  async run(memory, { agentId, category, limit = SHOWN_ENTRIES, offset = 0 }) {
    if (agentId === undefined && category !== undefined) throw whose()
    const { byAgent } = await memory.store.counts()
    const agents = Object.keys(byAgent).sort()
    if (agentId === undefined) return { agents, degraded: memory.store.takeDegraded() }
    const agent = parseAgentName(agentId)
    const counts = { ...NO_COUNTS, ...byAgent[agent] }
    if (category === undefined) return { agents, counts, degraded: memory.store.takeDegraded() }
    const { entries, total } = await memory.store.listEntries({ filter: { agent, category }, limit, offset })
    return {
      agents,
      counts,
      entries: entries.map(vaultEntryOf),
      total,
      degraded: memory.store.takeDegraded(),
    }
  },
})

const redactedSchema = rememberOperation.output.entries.redacted

export const seedVaultAddOperation = defineOperation({
  name: 'seed vault add',
  agent: 'candidate',
  route: { at: 'POST /api/memory/vault', access: 'write', ignoresUnknown: true },
  summary: 'Create an entry',
  positionals: [],
  input: v.object({
    agentId: agentField,
    category: categoryField,
    content: text('What it says, in Markdown; its #words are tags too'),
    tags: v.optional(list('Besides the #words in the text')),
  }),
  output: v.object({
    entry: vaultEntrySchema,
    duplicate: v.pipe(
      v.boolean(),
      v.description('True when the text was known: `entry` is the one that was there'),
    ),
    redacted: redactedSchema,
    record: recordSchema,
    degraded: degradedSchema,
  }),
  examples: [],
  async run(memory, { agentId, category, content, tags }, { isAgent }) {
    const [stored] = await remember(memory, [
      {
        agent: agentId,
        category,
        content,
        ...(tags !== undefined && { tags }),
        ...(isAgent === true && AGENTS_OWN),
      },
    ])
    if (stored === undefined) throw new Error('remember returned no entry')
    const { entry, ...rest } = stored
    return { entry: vaultEntryOf(entry), ...rest, degraded: memory.store.takeDegraded() }
  },
})

const whichFields = {
  agentId: agentField,
  category: categoryField,
  id: text('Of the entry'),
}

export const seedVaultEditOperation = defineOperation({
  name: 'seed vault edit',
  agent: 'own',
  route: { at: 'PUT /api/memory/vault', access: 'write', ignoresUnknown: true },
  summary: 'Change what an entry says',
  positionals: [],
  input: v.object({ ...whichFields, content: text('The new text') }),
  output: v.object({
    entry: vaultEntrySchema,
    redacted: redactedSchema,
    record: recordSchema,
    proposed: proposedSchema,
    degraded: degradedSchema,
  }),
  examples: [],
  async run(memory, { content, ...which }, context) {
    const { id } = await findIn(memory, which)
    const { entry, ...rest } = await editOperation.run(memory, { target: id, content }, context)
    return { entry: vaultEntryOf(entry), ...rest }
  },
})

export const seedVaultDeleteOperation = defineOperation({
  name: 'seed vault delete',
  agent: 'own',
  route: { at: 'DELETE /api/memory/vault', access: 'write', ignoresUnknown: true },
  summary: 'Delete an entry; `undo` brings it back',
  positionals: [],
  input: v.object(whichFields),
  output: v.object({
    deleted: v.pipe(v.boolean(), v.description('False where an agent asked: a person decides')),
    record: v.pipe(v.nullable(v.string()), v.description('What `undo` takes back')),
    proposed: proposedSchema,
    degraded: degradedSchema,
  }),
  examples: [],
  async run(memory, which, context) {
    const { id } = await findIn(memory, which)
    const { entry: _, removed, ...rest } = await forgetOperation.run(memory, { target: id }, context)
    return { deleted: removed, ...rest }
  },
})

export const seedSearchOperation = defineOperation({
  name: 'seed search',
  agent: 'reads',
  route: { at: 'GET /api/memory/search', access: 'read', ignoresUnknown: true },
  summary: 'Search the vault',
  positionals: [],
  input: v.object({
    q: text('Words'),
    agentId: v.optional(agentField),
    category: v.optional(categoryField),
    limit: v.optional(count(`How many (default ${FOUND})`, MAX_FOUND)),
  }),
  output: v.object({
    results: v.array(
      v.object({
        entry: vaultEntrySchema,
        score: v.number(),
        snippet: v.pipe(v.string(), v.description('About 120 characters around the best match')),
      }),
    ),
    degraded: degradedSchema,
  }),
  examples: [],
  async run(memory, { q, agentId, category, limit = FOUND }) {
    if (q.trim() === '') throw nothingAsked()
    const { hits, degraded } = await search(memory, q, {
      filter: {
        ...(agentId !== undefined && { agent: parseAgentName(agentId) }),
        ...(category !== undefined && { category }),
      },
      limit,
    })
    return {
      results: hits.map(({ entry, score, snippet }) => ({ entry: vaultEntryOf(entry), score, snippet })),
      degraded,
    }
  },
})

/** An id is enough to find an entry; if the caller names an agent, it must be the right one. */
async function findIn(
  memory: Composed,
  { agentId, category, id }: { readonly agentId: string; readonly category: string; readonly id: string },
): Promise<Entry> {
  const entry = await memory.store.findEntry(id.trim())
  if (entry === undefined || entry.agent !== parseAgentName(agentId) || entry.category !== category)
    throw entryNotFound(id.slice(0, 80))
  return entry
}

function whose(): CairnError {
  return new CairnError({
    code: 'invalid_input',
    message: 'A category is of one agent: `agentId` is missing.',
    hint: 'GET /api/memory/vault lists the agents; GET /api/entries?category=… shows those of all.',
  })
}

function nothingAsked(): CairnError {
  return new CairnError({
    code: 'query_empty',
    message: 'The query `q` is empty.',
    hint: 'GET /api/memory/search?q=websocket',
  })
}
