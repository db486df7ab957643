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
      v.description('For an edit: the new values'),
    ),
  ),
  saying: v.exactOptional(v.pipe(v.picklist(SAYINGS), v.description('For feedback'))),
})

const proposalSchema = v.object({
  id: v.pipe(
    v.string(),
    v.description('Of the entry, of the finding (f…), or of the change (<entry>:<action>)'),
  ),
  level: v.pipe(
    v.picklist(['change', 'candidate', 'suggestion']),
    v.description(
      'change: an agent proposes to change your entry; candidate: injected, marked as unconfirmed; suggestion: shown only here',
    ),
  ),
  stage: v.pipe(
    v.picklist(['change', 'entry', 'finding']),
    v.description(
      'change: stored next to its entry; entry: stored in the vault; finding: stored with its session',
    ),
  ),
  writer: v.pipe(v.picklist(WRITERS), v.description('Who wrote it')),
  content: v.pipe(v.string(), v.description('For a change, the current text of the entry')),
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
      v.description('The session contained text from outside the project: a web page, a tool, a paste'),
    ),
  ),
  quarantine: v.exactOptional(
    v.pipe(v.string(), v.description('Why it looks like an instruction to an agent')),
  ),
  archived: v.exactOptional(v.pipe(v.string(), v.description('Why it is hidden by default'))),
  change: v.exactOptional(v.pipe(changeSchema, v.description('The proposed change and its author'))),
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
    description: 'Items for the user to accept or reject: `cairn review`.',
    fields: { stale: 'Stale entries and full files', kind: '', limit: '', offset: '' },
    effect: 'reads',
    isExtra: true,
  },
  summary: 'Show changes, candidates and suggestions, or with --stale stale entries',
  description:
    'Changes come first: agents propose to pin, edit, forget or rate your entries; nothing changes until you accept. Then candidates, which agents saved; they are injected, marked as unconfirmed. Then suggestions of rules and imports, at most 30; they are never injected. Accept, reject or edit them. Suggestions over the caps are archived: --archived lists them, and `review accept` accepts them. --stale instead lists files with too many entries, and entries that were never used, drifted, contradicted or superseded, each with a proposed action (`cairn review apply`).',
  positionals: [],
  input: v.object({
    stale: v.optional(flag('Show full files, and unused, drifted, contradicted or superseded entries')),
    kind: kindField,
    archived: v.optional(flag('Show the archived suggestions')),
    agent: v.optional(text('Only this agent')),
    limit: v.optional(count(`How many (default ${SHOWN})`, MAX_SHOWN)),
    offset: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.description('How many to skip'))),
  }),
  output: v.object({
    proposals: v.pipe(v.array(proposalSchema), v.readonly()),
    total: v.number(),
    changes: v.pipe(v.number(), v.description('How many of the total are changes proposed by agents')),
    candidates: v.pipe(
      v.number(),
      v.description('How many of the total are candidates; the rest are suggestions'),
    ),
    archived: v.pipe(v.number(), v.description('How many suggestions are archived')),
    stale: v.exactOptional(v.pipe(staleSchema, v.description('With --stale; `proposals` is empty then'))),
    degraded: degradedSchema,
  }),
  examples: [
    { command: 'cairn review', does: 'items for you to accept or reject' },
    { command: 'cairn review --archived', does: 'archived suggestions' },
    { command: 'cairn review --stale', does: 'stale entries, and what to do about them' },
    { command: 'cairn review --stale --kind archive --json', does: 'one kind, as JSON' },
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
        message: '--kind works only with --stale.',
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
  summary: 'Accept items: store a confirmed entry, or make the proposed change',
  positionals: ['ids'],
  input: v.object({ ids: list('Ids that `cairn review` shows') }),
  output: reviewedSchema,
  examples: [{ command: 'cairn review accept 1773679871839-k3f9', does: 'store it as confirmed' }],
  run: async (memory, { ids }) => answer(memory, await acceptProposals(memory, ids)),
})

export const reviewRejectOperation = defineOperation({
  name: 'review reject',
  group: 'Review',
  agent: 'person',
  worksForUser: true,
  route: { at: 'POST /api/review/reject', access: 'write' },
  summary: 'Reject items: they are removed and not suggested again',
  description:
    'A candidate is removed from the vault, a finding from the queue. The same words are not suggested again; other words can be. The rejection is in local/curation.json, which git ignores. A change that an agent proposed is not made, and not proposed again while the entry has the same text. `cairn undo` undoes it.',
  positionals: ['ids'],
  input: v.object({ ids: list('Ids that `cairn review` shows') }),
  output: reviewedSchema,
  examples: [{ command: 'cairn review reject f9be52cf0a1b2c3d4', does: 'do not suggest it again' }],
  run: async (memory, { ids }) => answer(memory, await rejectProposals(memory, ids)),
})

export const reviewEditOperation = defineOperation({
  name: 'review edit',
  group: 'Review',
  agent: 'person',
  worksForUser: true,
  after: AFTER_STORING,
  route: { at: 'POST /api/review/edit', access: 'write' },
  summary: 'Accept an item with a new text',
  positionals: ['id', 'content'],
  input: v.object({
    id: text('An id that `cairn review` shows'),
    content: text('The new text; - reads it from standard input'),
  }),
  output: reviewedSchema,
  examples: [
    {
      command: 'cairn review edit 1773679871839-k3f9 "Deploys wait for the smoke tests."',
      does: 'reword it',
    },
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
