import { useEffect, useState } from 'react'
import { type Answered, ApiError, call } from '../../api/client.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { useWords } from '../../language/language.tsx'
import { linkTo, linkToEntry } from '../../router.ts'
import { AnswerView } from '../../ui/answer-view.tsx'
import { Button } from '../../ui/button.tsx'
import { EntryFacts } from '../../ui/entry-facts.tsx'
import { Markdown } from '../../ui/markdown.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import {
  edgesOf,
  evidenceOf,
  type GraphEdge,
  type GraphNode,
  typeOf,
  type VisibleGraph,
} from './graph-model.ts'
import { graphWords } from './words.ts'

/** Maximum number of entries to check for a statement. */
const MAX_EVIDENCE = 5

export function GraphDetails({
  node,
  graph,
  onChoose,
}: {
  readonly node: GraphNode
  readonly graph: VisibleGraph
  onChoose(name: string | undefined): void
}) {
  const words = useWords(graphWords)
  return (
    <aside className="panel stack graph-details" aria-label={node.label}>
      <div className="row">
        <span className="chip info">{words.type[typeOf(node)]}</span>
        <span className="spring" />
        <Button variant="plain" onClick={() => onChoose(undefined)}>
          {words.close}
        </Button>
      </div>
      <h2>{visibleText(node.label)}</h2>
      {node.kind === 'entry' ? (
        <EntryDetails id={node.id} graph={graph} onChoose={onChoose} />
      ) : (
        <EntityDetails node={node} graph={graph} onChoose={onChoose} />
      )}
    </aside>
  )
}

interface Part {
  readonly graph: VisibleGraph
  onChoose(name: string): void
}

function EntryDetails({ id, graph, onChoose }: Part & { readonly id: string }) {
  const words = useWords(graphWords)
  const answer = useAnswer('links', { target: id })
  return (
    <AnswerView answer={answer}>
      {({ entry, links, backlinks, entities, relations, related }) => (
        <div className="stack">
          <EntryFacts entry={entry} />
          <div className="graph-text">
            <Markdown text={entry.content} />
          </div>
          <a href={linkToEntry(id)}>{words.open}</a>
          <Section title={words.linksTo} count={links.length}>
            {links.map(link => (
              <li key={link.at}>
                {link.to.kind === 'entry' ? (
                  <NodeLink name={nodeOfEntry(graph, link.to.id)} id={link.to.id} onChoose={onChoose}>
                    {link.to.headline}
                  </NodeLink>
                ) : link.to.kind === 'file' ? (
                  `${link.to.agent}/${link.to.category}`
                ) : (
                  <>
                    {link.target} <span className="chip warn">{words.dangling}</span>
                  </>
                )}
              </li>
            ))}
          </Section>
          <Section title={words.linkedFrom} count={backlinks.length}>
            {backlinks.map(backlink => (
              <li key={`${backlink.id}:${backlink.at}`}>
                <NodeLink name={nodeOfEntry(graph, backlink.id)} id={backlink.id} onChoose={onChoose}>
                  {backlink.headline}
                </NodeLink>
              </li>
            ))}
          </Section>
          <Section title={words.states} count={relations.length}>
            {relations.map(({ from, relation, to }) => (
              <li key={`${from.name} ${relation} ${to.name}`}>
                {from.name} <em>{words.relations[relation]}</em> {to.name}
              </li>
            ))}
          </Section>
          <Section title={words.isAbout} count={entities.length}>
            {entities.map(entity => (
              <li key={`${entity.type}:${entity.name}`}>
                <a href={linkTo('graph', { entity: `${entity.type}:${entity.name}` })}>{entity.text}</a>{' '}
                <span className="soft">
                  {words.type[entity.type]} · {entity.entries}
                </span>
              </li>
            ))}
          </Section>
          <Section title={words.related} count={related.length}>
            {related.map(other => (
              <li key={other.id}>
                <NodeLink name={nodeOfEntry(graph, other.id)} id={other.id} onChoose={onChoose}>
                  {other.headline}
                </NodeLink>
              </li>
            ))}
          </Section>
        </div>
      )}
    </AnswerView>
  )
}

function EntityDetails({
  node,
  graph,
  onChoose,
}: Part & { readonly node: GraphNode & { readonly kind: 'entity' } }) {
  const words = useWords(graphWords)
  const edges = edgesOf(node.node, graph)
  const mentions = edges.filter(({ relation }) => relation === 'mentions')
  const stated = edges.filter(({ relation }) => relation !== 'mentions')
  return (
    <div className="stack">
      <a href={linkTo('graph', { entity: `${node.entity.type}:${node.entity.name}` })}>{words.focusHere}</a>
      <Section title={words.relationsOf} count={stated.length}>
        {stated.map(({ other, relation, direction }) => {
          const [from, to] = direction === 'out' ? [node, other] : [other, node]
          return (
            <li key={`${from.node} ${relation} ${to.node}`}>
              {from.label} <em>{words.relations[relation]}</em> {to.label}
              <Evidence edge={{ from: from.node, to: to.node, relation }} graph={graph} onChoose={onChoose} />
            </li>
          )
        })}
      </Section>
      <Section title={words.mentionedIn} count={mentions.length}>
        {mentions.map(({ other }) => (
          <li key={other.node}>
            <Button variant="plain" className="as-link" onClick={() => onChoose(other.node)}>
              {other.label}
            </Button>
          </li>
        ))}
      </Section>
    </div>
  )
}

type Stating = Answered<'links'>['entry']

/** The graph does not contain the source of a relation, so the entries that mention both ends are checked. */
function Evidence({ edge, graph, onChoose }: Part & { readonly edge: GraphEdge }) {
  const words = useWords(graphWords)
  const [stating, setStating] = useState<readonly Stating[]>()
  const asked = evidenceOf(edge, graph).slice(0, MAX_EVIDENCE).join('\n')
  const { from, to, relation } = edge
  useEffect(() => {
    const ending = new AbortController()
    const ids = asked === '' ? [] : asked.split('\n')
    Promise.all(ids.map(target => call('links', { target, limit: 1 }, { signal: ending.signal }))).then(
      answers =>
        setStating(
          answers
            .filter(({ relations }) =>
              relations.some(
                stated =>
                  stated.relation === relation &&
                  from.endsWith(`:${stated.from.name}`) &&
                  to.endsWith(`:${stated.to.name}`),
              ),
            )
            .map(({ entry }) => entry),
        ),
      (error: unknown) => {
        if (error instanceof ApiError) setStating([])
      },
    )
    return () => ending.abort()
  }, [asked, from, to, relation])
  if (stating === undefined) return null
  if (stating.length === 0) return <div className="soft">{words.noEvidence}</div>
  return (
    <ul className="plain-list graph-evidence" aria-label={words.evidence}>
      {stating.map(entry => (
        <li key={entry.id}>
          <NodeLink name={nodeOfEntry(graph, entry.id)} id={entry.id} onChoose={onChoose}>
            {entry.content}
          </NodeLink>
        </li>
      ))}
    </ul>
  )
}

function Section({
  title,
  count,
  children,
}: {
  readonly title: string
  readonly count: number
  readonly children: React.ReactNode
}) {
  if (count === 0) return null
  return (
    <section>
      <h3>
        {title} <span className="soft">({count})</span>
      </h3>
      <ul className="plain-list graph-ties">{children}</ul>
    </section>
  )
}

/** Selects the node if it is in this graph, otherwise links to the entry. */
function NodeLink({
  name,
  id,
  onChoose,
  children,
}: {
  readonly name: string | undefined
  readonly id: string
  onChoose(name: string): void
  readonly children: React.ReactNode
}) {
  if (name === undefined) return <a href={linkToEntry(id)}>{children}</a>
  return (
    <Button variant="plain" className="as-link" onClick={() => onChoose(name)}>
      {children}
    </Button>
  )
}

function nodeOfEntry({ nodes }: VisibleGraph, id: string): string | undefined {
  return nodes.find(node => node.kind === 'entry' && node.id === id)?.node
}
