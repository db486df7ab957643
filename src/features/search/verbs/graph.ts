import * as v from 'valibot'
import { CairnError } from '../../../kernel/model/errors.ts'
import { type EntityUse, type Graph, STATED_RELATIONS } from '../../../kernel/model/graph.ts'
import { count, defineOperation, degradedSchema, filterFields, text } from '../../../verbs/operation.ts'
import { parseFilter } from '../../entries/verbs/entry-filter.ts'
import type { SearchPorts } from '../decide/ports.ts'
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

/** Labels contain text of entries: nothing in them may end the quotes or control the drawing program or the terminal. */
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g
/** All other characters are written by their number: quotes, brackets, `%%{init}%%` directives, HTML, `click` targets. */
const NOT_PLAIN_FOR_MERMAID = /[^\p{L}\p{N}\p{M} .,/_@+-]/gu

function drawDot({ nodes, edges }: Graph): string {
  const numbers = numbersOf(nodes)
  return [
    'digraph cairn {',
    '  rankdir=LR; node [fontsize=10]; edge [fontsize=8];',
    ...nodes.map(
      node =>
        `  ${numbers.get(node.node)} [shape=${node.kind === 'entry' ? 'box' : 'ellipse'}, label=${quoted(labelOf(node))}];`,
    ),
    ...edges.map(
      ({ from, to, relation }) => `  ${numbers.get(from)} -> ${numbers.get(to)} [label=${quoted(relation)}];`,
    ),
    '}',
    '',
  ].join('\n')
}

function drawMermaid({ nodes, edges }: Graph): string {
  const numbers = numbersOf(nodes)
  return [
    'graph LR',
    ...nodes.map(node => {
      const label = labelOf(node)
        .replace(UNSEEN, ' ')
        .replace(NOT_PLAIN_FOR_MERMAID, character => `#${character.codePointAt(0)};`)
      return node.kind === 'entry'
        ? `  ${numbers.get(node.node)}["${label}"]`
        : `  ${numbers.get(node.node)}(["${label}"])`
    }),
    ...edges.map(({ from, to, relation }) => `  ${numbers.get(from)} -->|${relation}| ${numbers.get(to)}`),
    '',
  ].join('\n')
}

function numbersOf(nodes: Graph['nodes']): Map<string, string> {
  return new Map(nodes.map((node, at) => [node.node, `n${at}`]))
}

function labelOf(node: Graph['nodes'][number]): string {
  return node.kind === 'entry' ? node.label : `${node.entity.type}: ${node.label}`
}

function quoted(text: string): string {
  return `"${text.replace(UNSEEN, ' ').replace(/[\\"]/g, '\\$&')}"`
}
