import * as v from 'valibot'
import { CATEGORIES } from '../../../kernel/model/category.ts'
import type { Entry } from '../../../kernel/model/entry.ts'
import { ENTITY_TYPES, STATED_RELATIONS } from '../../../kernel/model/graph.ts'
import { headlineOf } from '../../../kernel/text/links.ts'
import { count, defineOperation, degradedSchema, entrySchema, text } from '../../../verbs/operation.ts'
import { findTarget } from '../../entries/verbs/target.ts'
import type { SearchPorts } from '../decide/ports.ts'

const MAX_RELATED = 100
const DEFAULT_RELATED = 10

const headline = v.pipe(v.string(), v.description('The first line of that entry'))
export const entityRefSchema = v.object({
  type: v.picklist(ENTITY_TYPES),
  name: v.pipe(v.string(), v.description('The key: lower case, one spelling for all')),
})

const linkTargetSchema = v.variant('kind', [
  v.object({ kind: v.literal('entry'), id: v.string(), headline }),
  v.object({ kind: v.literal('file'), agent: v.string(), category: v.picklist(CATEGORIES) }),
  v.object({ kind: v.literal('dangling'), reason: v.picklist(['unknown', 'ambiguous']) }),
])

const reasonSchema = v.variant('kind', [
  v.object({ kind: v.literal('link'), direction: v.picklist(['to', 'from']), of: v.string() }),
  v.object({ kind: v.literal('entity'), entity: entityRefSchema, entries: v.number(), of: v.string() }),
])

export const linksOperation = defineOperation({
  name: 'links',
  group: 'Find',
  agent: 'reads',
  worksForUser: true,
  route: { at: 'GET /api/entries/:target/links', access: 'read' },
  tool: {
    name: 'links',
    title: 'Links of an entry',
    description: 'What an entry links to, what links to it, and related entries.',
    fields: { target: 'Its id', limit: '' },
    effect: 'reads',
    isExtra: true,
  },
  summary: 'Show what an entry links to, what links to it, and its entities',
  description:
    'Links are [[id]], [[title]] or [[agent/category]] in the text of an entry; [[target|text]] shows other words. A link that leads nowhere (renamed, removed, or more than one entry fits) is shown as dangling. Entities and their relations are found in the text by rules, without a model.',
  positionals: ['target'],
  input: v.object({
    target: text('The id, or words that only one entry fits'),
    limit: v.optional(count(`How many related entries (default ${DEFAULT_RELATED})`, MAX_RELATED)),
  }),
  output: v.object({
    entry: entrySchema,
    links: v.array(v.object({ target: v.string(), text: v.string(), at: v.number(), to: linkTargetSchema })),
    backlinks: v.array(
      v.object({
        id: v.string(),
        target: v.string(),
        text: v.string(),
        at: v.number(),
        by: v.pipe(v.picklist(['entry', 'file']), v.description('file: the whole vault file is linked')),
        headline,
      }),
    ),
    entities: v.array(
      v.object({
        ...entityRefSchema.entries,
        text: v.string(),
        entries: v.pipe(v.number(), v.description('How many entries have it')),
      }),
    ),
    relations: v.array(
      v.object({ from: entityRefSchema, relation: v.picklist(STATED_RELATIONS), to: entityRefSchema }),
    ),
    related: v.array(
      v.object({
        id: v.string(),
        weight: v.pipe(
          v.number(),
          v.description('0 to 1: a link is 1, a shared entity counts by its rarity'),
        ),
        headline,
        reasons: v.pipe(v.array(reasonSchema), v.readonly()),
      }),
    ),
    degraded: degradedSchema,
  }),
  examples: [
    { command: 'cairn links 1773679871839-k3f9', does: 'by id' },
    { command: 'cairn links "sessions in redis" --json', does: 'by words, for a program' },
  ],
  async run(memory, { target, limit = DEFAULT_RELATED }) {
    const entry = await findTarget(memory, target)
    return { entry, ...(await connectionsOf(memory, entry, limit)), degraded: memory.store.takeDegraded() }
  },
})

async function connectionsOf(memory: SearchPorts, { id }: Entry, limit: number) {
  const { graph } = memory
  const links = await graph.linksOf(id)
  const backlinks = await graph.backlinksOf(id)
  const related = await graph.neighbours([id], limit)
  const ids = new Set([
    ...links.flatMap(({ to }) => (to.kind === 'entry' ? [to.id] : [])),
    ...backlinks.map(backlink => backlink.id),
    ...related.map(neighbour => neighbour.id),
  ])
  const entryById = await memory.search.loadEntries([...ids])
  const headlineOfId = (other: string) => headlineOf(entryById.get(other)?.content ?? '')
  return {
    links: links.map(link => ({
      ...link,
      to: link.to.kind === 'entry' ? { ...link.to, headline: headlineOfId(link.to.id) } : link.to,
    })),
    backlinks: backlinks.map(backlink => ({ ...backlink, headline: headlineOfId(backlink.id) })),
    entities: [...((await graph.entitiesOf([id])).get(id) ?? [])],
    relations: await graph.relationsOf(id),
    related: related.map(({ weight, ...neighbour }) => ({
      ...neighbour,
      weight: Math.round(weight * 1000) / 1000,
      headline: headlineOfId(neighbour.id),
    })),
  }
}
