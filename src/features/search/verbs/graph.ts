import * as v from 'valibot'
import { CairnError } from '../../../kernel/model/errors.ts'
import type { EntityUse } from '../../../kernel/model/graph.ts'
import { STATED_RELATIONS } from '../../../kernel/model/graph.ts'
import { count, defineOperation, degradedSchema, filterFields, text } from '../../../verbs/operation.ts'
import { parseFilter } from '../../entries/verbs/entry-filter.ts'
import type { SearchPorts } from '../decide/ports.ts'
import { drawDot, drawMermaid } from './graph-drawing.ts'
import { entityRefSchema } from './links.ts'

const FORMATS = ['text', 'json', 'dot', 'mermaid'] as const
const DEFAULT_ENTRIES = 50
const MAX_ENTRIES = 1_000
const MAX_STEPS = 5
const SUGGESTED = 5

const degree = v.pipe(v.number(), v.description('Edges of this graph that end here'))

export const graphOperation = defineOperation({
  name: 'graph',
  group: 'Find',
  agent: 'reads',
  worksForUser: true,
  route: { at: 'GET /api/graph', access: 'read' },
  summary: 'Show how entries hang together: links, shared entities, stated relations',
  description:
    'Without --entity, the entries with the most connections. A node is an entry or an entity (file, package, command, service, person); an edge is a link, a mention, or a relation that an entry states.',
  positionals: [],
  input: v.object({
    agent: filterFields.agent,
    reader: filterFields.reader,
    kind: filterFields.kind,
    entity: v.optional(text('Only what is around this one: redis, service:redis, src/auth.ts, @ana')),
    depth: v.optional(
      count('Steps: 1 is those entries alone, 2 their neighbours too (default 1)', MAX_STEPS),
    ),
    limit: v.optional(
      count(`How many entries, and how many entities (default ${DEFAULT_ENTRIES})`, MAX_ENTRIES),
    ),
    format: v.optional(
      v.pipe(
        v.picklist(FORMATS, `one of ${FORMATS.join(', ')}`),
        v.description('A summary, JSON, or a drawing for Graphviz or Mermaid (default text)'),
      ),
    ),
  }),
  output: v.object({
    entity: v.nullable(v.object({ ...entityRefSchema.entries, entries: v.number() })),
    nodes: v.pipe(
      v.array(
        v.variant('kind', [
          v.object({ node: v.string(), kind: v.literal('entry'), id: v.string(), label: v.string(), degree }),
          v.object({
            node: v.string(),
            kind: v.literal('entity'),
            entity: entityRefSchema,
            label: v.string(),
            degree,
          }),
        ]),
      ),
      v.readonly(),
    ),
    edges: v.pipe(
      v.array(
        v.object({
          from: v.string(),
          to: v.string(),
          relation: v.picklist(['links', 'mentions', ...STATED_RELATIONS]),
        }),
      ),
      v.readonly(),
    ),
    totals: v.pipe(
      v.object({ entries: v.number(), entities: v.number(), links: v.number(), dangling: v.number() }),
      v.description('Of everything that fits, shown or not'),
    ),
    format: v.picklist(FORMATS),
    drawing: v.pipe(v.nullable(v.string()), v.description('The text of a dot or mermaid drawing')),
    degraded: degradedSchema,
  }),
  examples: [
    { command: 'cairn graph', does: 'what hangs together most' },
    { command: 'cairn graph --entity redis --depth 2', does: 'around one thing, two steps far' },
    { command: 'cairn graph --agent dev --format mermaid > graph.mmd', does: 'a drawing' },
  ],
  async run(memory, { entity: name, depth = 1, limit = DEFAULT_ENTRIES, format = 'text', ...fields }) {
    await memory.store.refresh()
    const entity = name === undefined ? undefined : await findEntity(memory, name)
    const graph = await memory.graph.graph({ filter: await parseFilter(fields), entity, depth, limit })
    const draw = { dot: drawDot, mermaid: drawMermaid, text: undefined, json: undefined }[format]
    return {
      entity: entity === undefined ? null : { type: entity.type, name: entity.name, entries: entity.entries },
      nodes: [...graph.nodes],
      edges: [...graph.edges],
      totals: graph.totals,
      format,
      drawing: draw?.(graph) ?? null,
      degraded: memory.store.takeDegraded(),
    }
  },
})

async function findEntity(memory: SearchPorts, name: string): Promise<EntityUse> {
  const [best] = await memory.graph.findEntities(name, SUGGESTED)
  if (best !== undefined) return best
  throw new CairnError({
    code: 'entity_not_found',
    message: `No entry mentions an entity "${name.slice(0, 80)}".`,
    hint: '`cairn graph` shows the entities; `cairn search` finds any words.',
  })
}
