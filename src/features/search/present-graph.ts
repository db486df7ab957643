import type { NeighbourReason, Relation } from '../../kernel/model/graph.ts'
import type { Terminal } from '../../kernel/system/terminal.ts'
import { visible } from '../../kernel/text/visible.ts'
import type { AnswerOf } from '../../verbs/all.ts'
import type { Presenters } from '../../verbs/presenter.ts'

export const GRAPH_PRESENTERS = { links: presentLinks, graph: presentGraph } satisfies Partial<Presenters>

const MAX_SHOWN = 12

function presentLinks(view: AnswerOf<'links'>, terminal: Terminal): void {
  const { links, backlinks, entities, relations, related } = view
  const isAlone = [links, backlinks, entities, related].every(list => list.length === 0)
  if (isAlone) terminal.out('Nothing is linked with this entry, and it shares no entity with others.\n')
  section('Links to', links, terminal, ({ target, to }) => {
    if (to.kind === 'entry') return `${idOf(to.id, terminal)}  ${oneLine(to.headline ?? '')}`
    if (to.kind === 'file')
      return `${oneLine(`${to.agent}/${to.category}`)}  ${terminal.dim('the whole file')}`
    const why = to.reason === 'ambiguous' ? 'several entries fit' : 'no such entry'
    return `${terminal.bad('dangling')}  ${oneLine(`[[${target}]]`)}  ${terminal.dim(why)}`
  })
  section('Linked from', backlinks, terminal, ({ id, headline, by }) =>
    [
      idOf(id, terminal),
      oneLine(headline),
      ...(by === 'file' ? [terminal.dim('links the whole file')] : []),
    ].join('  '),
  )
  section(
    'About',
    entities,
    terminal,
    ({ type, text, entries }) =>
      `${type.padEnd(8)} ${oneLine(text)}  ${terminal.dim(entries === 1 ? 'only here' : `in ${entries} entries`)}`,
  )
  section('States', relations, terminal, relation => relationLine(relation))
  section(
    'Related',
    related,
    terminal,
    ({ id, weight, headline, reasons }) =>
      `${terminal.bold(weight.toFixed(2))}  ${idOf(id, terminal)}  ${oneLine(headline)}\n        ${terminal.dim(reasons.map(reasonText).join('; '))}`,
  )
}

type GraphView = AnswerOf<'graph'>

function presentGraph(view: AnswerOf<'graph'>, terminal: Terminal): void {
  if (view.format === 'json') terminal.out(`${JSON.stringify(view)}\n`)
  else if (view.drawing !== null) terminal.out(view.drawing)
  else summariseGraph(view, terminal)
}

function summariseGraph(view: GraphView, terminal: Terminal): void {
  const { nodes, edges, totals, entity } = view
  const dangling = totals.dangling === 0 ? '' : `, ${totals.dangling} dangling`
  terminal.out(
    `${terminal.bold(String(totals.entries))} entries, ${totals.entities} entities, ${totals.links} links${dangling}\n`,
  )
  if (entity !== null)
    terminal.out(
      `Around ${oneLine(`${entity.type} ${entity.name}`)}, which ${entity.entries} ${entity.entries === 1 ? 'entry names' : 'entries name'}\n`,
    )
  section(
    'Entries with the most connections',
    nodes.filter(node => node.kind === 'entry'),
    terminal,
    node => `${String(node.degree).padStart(4)}  ${idOf(node.id, terminal)}  ${oneLine(node.label)}`,
  )
  section(
    'What they are about',
    nodes.filter(node => node.kind === 'entity'),
    terminal,
    node => `${String(node.degree).padStart(4)}  ${node.entity.type.padEnd(8)} ${oneLine(node.label)}`,
  )
  const stated = edges.filter(({ relation }) => relation !== 'mentions' && relation !== 'links')
  section('Stated', stated, terminal, ({ from, relation, to }) =>
    oneLine(`${nameOfNode(from)} ${relation.replace('_', ' ')} ${nameOfNode(to)}`),
  )
}

function section<T>(title: string, items: readonly T[], terminal: Terminal, line: (item: T) => string): void {
  if (items.length === 0) return
  terminal.out(`${terminal.bold(title)}\n`)
  for (const item of items.slice(0, MAX_SHOWN)) terminal.out(`  ${line(item)}\n`)
  if (items.length > MAX_SHOWN)
    terminal.out(`  ${terminal.dim(`and ${items.length - MAX_SHOWN} more; --json shows all`)}\n`)
}

function relationLine({ from, relation, to }: Relation): string {
  return oneLine(`${from.name} ${relation.replace('_', ' ')} ${to.name}`)
}

function reasonText(reason: NeighbourReason): string {
  if (reason.kind === 'link') return reason.direction === 'to' ? 'linked from here' : 'links here'
  return oneLine(`both name ${reason.entity.name} (${reason.entries} do)`)
}

/** `service:redis` → `redis` */
function nameOfNode(node: string): string {
  return node.slice(node.indexOf(':') + 1)
}

function idOf(id: string, terminal: Terminal): string {
  return terminal.accent(oneLine(id))
}

/** What entries say stays on its line and steers nothing. */
function oneLine(text: string): string {
  return visible(text.replace(/\s+/g, ' ').trim())
}
