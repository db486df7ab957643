import * as v from 'valibot'
import type { Memory } from '../../../kernel/memory.ts'
import { CATEGORIES } from '../../../kernel/model/category.ts'
import { CairnError } from '../../../kernel/model/errors.ts'
import { UNTRUSTED_SOURCES, WRITERS } from '../../../kernel/model/provenance.ts'
import {
  AFTER_STORING,
  count,
  defineOperation,
  degradedSchema,
  entrySchema,
  flag,
  list,
  recordSchema,
  text,
} from '../../../verbs/operation.ts'
import { reviewQueue } from '../../learning/review-queue.ts'
import { acceptProposals, type Review, rejectProposals } from '../../learning/reviewing.ts'
import type { MeaningPorts } from '../../search/decide/ports.ts'
import { PROPOSED_ACTIONS, SAYINGS } from '../decide/proposed-changes.ts'
import { kindField, listStale, staleSchema } from './review-stale.ts'

const SHOWN = 20
const MAX_SHOWN = 500

const texts = v.exactOptional(v.pipe(v.array(v.string()), v.readonly()))
const changeSchema = v.object({
  action: v.picklist(PROPOSED_ACTIONS),
  entry: v.pipe(v.string(), v.description('The id of the entry')),
  by: v.pipe(v.string(), v.description('Host and agent')),
  fields: v.exactOptional(
    v.pipe(
      v.object({
        content: v.exactOptional(v.string()),
        kind: v.exactOptional(v.string()),
        category: v.exactOptional(v.picklist(CATEGORIES)),
        tags: texts,
        files: texts,
      }),
      v.description('Of an edit: the new values'),
    ),
  ),
  saying: v.exactOptional(v.pipe(v.picklist(SAYINGS), v.description('Of feedback'))),
})

export const proposalSchema = v.object({
  id: v.pipe(
    v.string(),
    v.description('Of the entry, of the finding (f…), or of the change (<entry>:<action>)'),
  ),
  level: v.pipe(
    v.picklist(['change', 'candidate', 'suggestion']),
    v.description(
      'change: an agent asks to change an entry that is yours; candidate: injected, marked as unconfirmed; suggestion: only shown here',
    ),
  ),
  stage: v.pipe(
    v.picklist(['change', 'entry', 'finding']),
    v.description(
      'change: it waits beside its entry; entry: it is in the vault; finding: it waits with its session',
    ),
  ),
  writer: v.pipe(v.picklist(WRITERS), v.description('Who wrote it')),
  content: v.pipe(v.string(), v.description('Of a change, what the entry says now')),
  kind: v.string(),
  category: v.picklist(CATEGORIES),
  agent: v.string(),
  session: v.exactOptional(v.string()),
  date: v.string(),
  importance: v.number(),
  confidence: v.exactOptional(v.number()),
  files: v.pipe(v.array(v.string()), v.readonly()),
  signals: v.pipe(v.array(v.string()), v.readonly(), v.description('The evidence')),
  speaker: v.exactOptional(v.string()),
  untrusted: v.exactOptional(
    v.pipe(
      v.picklist(UNTRUSTED_SOURCES),
      v.description('Text from outside the project was in the session: a web page, a tool, a paste'),
    ),
  ),
  quarantine: v.exactOptional(
    v.pipe(v.string(), v.description('Why it looks like an instruction to an agent')),
  ),
  archived: v.exactOptional(v.pipe(v.string(), v.description('Why it is not shown by default'))),
  change: v.exactOptional(v.pipe(changeSchema, v.description('What would change, and who asks for it'))),
  replaces: v.exactOptional(
    v.pipe(
      v.object({ id: v.string(), content: v.string() }),
      v.description('The entry that is superseded when this one is accepted'),
    ),
  ),
})

const reviewedSchema = v.object({
  reviewed: v.array(v.object({ id: v.string(), entry: v.nullable(entrySchema) })),
  record: recordSchema,
  degraded: degradedSchema,
})

export const reviewOperation = defineOperation({
  name: 'review',
  group: 'Review',
  agent: 'reads',
  worksForUser: true,
  route: { at: 'GET /api/review', access: 'read' },
  tool: {
    name: 'review',
    title: 'Review',
    description: 'What waits for the user, who accepts or rejects it: `cairn review`.',
    fields: { stale: 'What may no longer serve', kind: '', limit: '', offset: '' },
    effect: 'reads',
    isExtra: true,
  },
  summary: 'Show changes, candidates and suggestions, or with --stale what may go',
  description:
    'First the changes: agents ask to pin, edit, forget or rate entries that are yours; nothing changes before you accept. Then the candidates: what agents saved; they are injected, marked as unconfirmed. Then the suggestions of rules and imports, at most 30; they are never injected. Accept, reject or edit them. Suggestions over the caps are archived: --archived lists them, and `review accept` works on them. --stale shows instead what may no longer serve: files with too many entries, and entries that were never used, drifted, contradicted or superseded, each with what could be done about it (`cairn review apply`).',
  positionals: [],
  input: v.object({
    stale: v.optional(flag('What is too full, unused, drifted, contradicted or superseded')),
    kind: kindField,
    archived: v.optional(flag('Suggestions that are not shown by default')),
    agent: v.optional(text('Only this agent')),
    limit: v.optional(count(`How many (default ${SHOWN})`, MAX_SHOWN)),
    offset: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.description('Skip so many'))),
  }),
  output: v.object({
    proposals: v.pipe(v.array(proposalSchema), v.readonly()),
    total: v.number(),
    changes: v.pipe(v.number(), v.description('How many of the total are changes that agents ask for')),
    candidates: v.pipe(
      v.number(),
      v.description('How many of the total are candidates; what is neither is a suggestion'),
    ),
    archived: v.pipe(v.number(), v.description('Suggestions that are not shown by default')),
    stale: v.exactOptional(v.pipe(staleSchema, v.description('With --stale; `proposals` is empty then'))),
    degraded: degradedSchema,
  }),
  examples: [
    { command: 'cairn review', does: 'what waits for you to accept or reject' },
    { command: 'cairn review --archived', does: 'suggestions that are not shown by default' },
    { command: 'cairn review --stale', does: 'what may no longer serve, and what to do about it' },
    { command: 'cairn review --stale --kind archive --json', does: 'one kind, for a program' },
  ],
  async run(memory, { stale, kind, archived, agent, limit, offset }, context) {
    if (stale === true) {
      const query = { kind, agent, limit: limit ?? SHOWN, offset: offset ?? 0 }
      return {
        proposals: [],
        changes: 0,
        candidates: 0,
        archived: 0,
        ...(await listStale(memory, query, context)),
      }
    }
    if (kind !== undefined)
      throw new CairnError({
        code: 'invalid_input',
        message: '--kind is for what is stale.',
        hint: `cairn review --stale --kind ${kind}`,
      })
    const queue = await reviewQueue(memory, {
      limit: limit ?? SHOWN,
      ...(agent !== undefined && { agent }),
      ...(archived === true && { archived }),
      ...(offset !== undefined && { offset }),
    })
    return { ...queue, degraded: [...memory.store.takeDegraded(), ...memory.semantics.takeDegraded()] }
  },
})

export const reviewAcceptOperation = defineOperation({
  name: 'review accept',
  group: 'Review',
  agent: 'person',
  worksForUser: true,
  after: AFTER_STORING,
  route: { at: 'POST /api/review/accept', access: 'write' },
  summary: 'Accept: it becomes a confirmed entry, or the change is made',
  positionals: ['ids'],
  input: v.object({ ids: list('Ids that `cairn review` shows') }),
  output: reviewedSchema,
  examples: [{ command: 'cairn review accept 1773679871839-k3f9', does: 'keep it' }],
  run: async (memory, { ids }) => answer(memory, await acceptProposals(memory, ids)),
})

export const reviewRejectOperation = defineOperation({
  name: 'review reject',
  group: 'Review',
  agent: 'person',
  worksForUser: true,
  route: { at: 'POST /api/review/reject', access: 'write' },
  summary: 'Reject: it goes, and is not suggested again',
  description:
    'A candidate leaves the vault, a finding leaves the queue. The same words are not suggested again; other words are. The rejection is in local/curation.json, which git ignores. A change that an agent asked for is not made, and not proposed again while the entry says the same. `cairn undo` undoes it.',
  positionals: ['ids'],
  input: v.object({ ids: list('Ids that `cairn review` shows') }),
  output: reviewedSchema,
  examples: [{ command: 'cairn review reject f9be52cf0a1b2c3d4', does: 'never again' }],
  run: async (memory, { ids }) => answer(memory, await rejectProposals(memory, ids)),
})

export const reviewEditOperation = defineOperation({
  name: 'review edit',
  group: 'Review',
  agent: 'person',
  worksForUser: true,
  after: AFTER_STORING,
  route: { at: 'POST /api/review/edit', access: 'write' },
  summary: 'Accept it in better words',
  positionals: ['id', 'content'],
  input: v.object({
    id: text('An id that `cairn review` shows'),
    content: text('What it should say; - reads from standard input'),
  }),
  output: reviewedSchema,
  examples: [
    { command: 'cairn review edit 1773679871839-k3f9 "Deploys wait for the smoke tests."', does: 'reword' },
  ],
  run: async (memory, { id, content }) => answer(memory, await acceptProposals(memory, [id], { content })),
})

function answer(memory: Memory & MeaningPorts, { reviewed, record }: Review) {
  return {
    reviewed: [...reviewed],
    record,
    degraded: [...memory.store.takeDegraded(), ...memory.semantics.takeDegraded()],
  }
}
