import { useEffect, useMemo, useRef, useState } from 'react'
import type { Asked } from '../../api/client.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { useVault } from '../../api/vault.ts'
import { useWords } from '../../language/language.tsx'
import { linkTo, useViewLocation } from '../../router.ts'
import { AnswerView } from '../../ui/answer-view.tsx'
import { Button } from '../../ui/button.tsx'
import { useKindName } from '../../ui/entry-facts.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { GraphCanvas } from './graph-canvas.tsx'
import { GraphDetails } from './graph-details.tsx'
import { CORNERS } from './graph-draw.ts'
import { GraphList } from './graph-list.tsx'
import { findNodes, type GraphAnswer, NODE_TYPES, type NodeType, narrow, typeOf } from './graph-model.ts'
import { graphWords } from './words.ts'
import '../../ui/overview.css'
import './graph.css'

const AMOUNTS = [50, 200, 1_000] as const
const MAX_FOUND = 8

/** The connections between entries, as a drawing and as a list. */
export default function Graph() {
  const words = useWords(graphWords)
  const kindName = useKindName()
  const { params } = useViewLocation()
  const [agent, setAgent] = useState('')
  const [kind, setKind] = useState('')
  const [limit, setLimit] = useState<number>(AMOUNTS[1])
  const [types, setTypes] = useState<ReadonlySet<NodeType>>(new Set(NODE_TYPES))
  const depth = Number(params.depth ?? '1') || 1
  const asked: Asked<'graph'> = {
    limit,
    ...(agent !== '' && { agent }),
    ...(kind !== '' && { kind }),
    ...(params.entity !== undefined && { entity: params.entity, depth }),
  }
  const answer = useAnswer('graph', asked, ['entries'])
  const status = useVault()
  const known = status.state === 'loaded' ? status.data : undefined
  return (
    <div className="stack overview">
      <h1>{words.title}</h1>
      <p className="soft">{words.about}</p>
      <div className="row foot">
        <Select
          label={words.agent}
          value={agent}
          choices={[
            { value: '', label: words.everyone },
            ...(known?.agents ?? []).map(one => ({ value: one.agent, label: one.agent })),
          ]}
          onChoose={setAgent}
        />
        <Select
          label={words.kind}
          value={kind}
          choices={[
            { value: '', label: words.everyKind },
            ...(known?.kinds ?? []).map(one => ({ value: one.kind, label: kindName(one.kind) })),
          ]}
          onChoose={setKind}
        />
        <Select
          label={words.maxNodes}
          value={String(limit)}
          choices={AMOUNTS.map(amount => ({ value: String(amount), label: String(amount) }))}
          onChoose={amount => setLimit(Number(amount))}
        />
        <AroundOne entity={params.entity} depth={depth} />
      </div>
      <AnswerView answer={answer}>
        {graph =>
          graph.nodes.length === 0 ? (
            <div className="panel stack">
              <h2>{words.emptyTitle}</h2>
              <p>{words.empty}</p>
              <a href={linkTo('vault')}>{words.toMemories}</a>
            </div>
          ) : (
            <VisibleGraph graph={graph} types={types} onTypes={setTypes} />
          )
        }
      </AnswerView>
    </div>
  )
}

function AroundOne({ entity, depth }: { readonly entity: string | undefined; readonly depth: number }) {
  const words = useWords(graphWords)
  const [name, setName] = useState(entity ?? '')
  useEffect(() => setName(entity ?? ''), [entity])
  const go = (to: string, steps: number) => {
    location.hash =
      to.trim() === '' ? linkTo('graph') : linkTo('graph', { entity: to.trim(), depth: String(steps) })
  }
  return (
    <form
      className="row foot"
      onSubmit={event => {
        event.preventDefault()
        go(name, depth)
      }}
    >
      <Field label={words.around}>
        {ids => (
          <input
            {...ids}
            value={name}
            placeholder={words.aroundPlace}
            onChange={event => setName(event.target.value)}
          />
        )}
      </Field>
      <Select
        label={words.depth}
        value={String(depth)}
        disabled={entity === undefined}
        choices={['1', '2', '3', '4', '5'].map(value => ({ value, label: value }))}
        onChoose={steps => go(entity ?? name, Number(steps))}
      />
      <Button type="submit">{words.show}</Button>
      {entity !== undefined && <Button onClick={() => go('', 1)}>{words.wholeGraph}</Button>}
    </form>
  )
}

type Form = 'drawing' | 'list'

function VisibleGraph({
  graph,
  types,
  onTypes,
}: {
  readonly graph: GraphAnswer
  readonly types: ReadonlySet<NodeType>
  onTypes(types: ReadonlySet<NodeType>): void
}) {
  const words = useWords(graphWords)
  const [form, setForm] = useState<Form>('drawing')
  const [chosen, setChosen] = useState<string>()
  const shown = useStable(useMemo(() => narrow(graph, types), [graph, types]))
  const node = shown.nodes.find(one => one.node === chosen)
  const entries = graph.nodes.filter(({ kind }) => kind === 'entry').length
  const hidden = graph.nodes.length - shown.nodes.length
  return (
    <>
      <div className="row foot">
        <FindNode graph={shown} onChoose={setChosen} />
        <fieldset className="row graph-types">
          <legend>{words.shown}</legend>
          {NODE_TYPES.filter(type => graph.nodes.some(one => typeOf(one) === type)).map(type => (
            <label key={type} className="row">
              <input
                type="checkbox"
                checked={types.has(type)}
                onChange={event =>
                  onTypes(
                    new Set(NODE_TYPES.filter(one => (one === type ? event.target.checked : types.has(one)))),
                  )
                }
              />
              <Shape type={type} />
              {words.types[type]}
            </label>
          ))}
        </fieldset>
      </div>
      <p className="soft" aria-live="polite">
        {words.counts(entries, graph.totals.entries, graph.nodes.length - entries, graph.totals.entities)}{' '}
        {words.links(graph.totals.links, graph.totals.dangling)} {hidden > 0 && words.hidden(hidden)}
      </p>
      <div className={node === undefined ? 'graph-parts' : 'graph-parts with-details'}>
        <Tabs<Form>
          label={words.parts}
          tabs={[
            { name: 'drawing', label: words.asDrawing },
            { name: 'list', label: words.asList },
          ]}
          chosen={form}
          onChoose={setForm}
        >
          {form === 'drawing' ? (
            <GraphCanvas shown={shown} chosen={node?.node} onChoose={setChosen} />
          ) : (
            <GraphList shown={shown} chosen={node?.node} onChoose={setChosen} />
          )}
        </Tabs>
        {node !== undefined && (
          <GraphDetails key={node.node} node={node} graph={shown} onChoose={setChosen} />
        )}
      </div>
    </>
  )
}

/** Keeps the object identity of an equal graph, so that a refresh does not restart the layout. */
function useStable<T>(value: T): T {
  const stable = useRef(value)
  if (stable.current !== value && JSON.stringify(stable.current) !== JSON.stringify(value))
    stable.current = value
  return stable.current
}

function FindNode({
  graph,
  onChoose,
}: {
  readonly graph: Pick<GraphAnswer, 'nodes'>
  onChoose(name: string): void
}) {
  const words = useWords(graphWords)
  const [text, setText] = useState('')
  const found = findNodes(graph.nodes, text, MAX_FOUND)
  return (
    <form
      className="graph-find"
      onSubmit={event => {
        event.preventDefault()
        const [best] = found
        if (best !== undefined) onChoose(best.node)
      }}
    >
      <Field label={words.find}>
        {ids => <input {...ids} type="search" value={text} onChange={event => setText(event.target.value)} />}
      </Field>
      <span className="unseen" aria-live="polite">
        {text.trim() !== '' && words.found(found.length)}
      </span>
      {found.length > 0 && (
        <ul className="plain-list graph-found">
          {found.map(node => (
            <li key={node.node}>
              <Button
                variant="plain"
                className="as-link"
                onClick={() => {
                  onChoose(node.node)
                  setText('')
                }}
              >
                <Shape type={typeOf(node)} />
                {node.label}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </form>
  )
}

function Shape({ type }: { readonly type: NodeType }) {
  const corners = CORNERS[type]
  return (
    <svg
      viewBox="-1.3 -1.3 2.6 2.6"
      width="14"
      height="14"
      aria-hidden="true"
      className={`shape shape-${type}`}
    >
      {corners === undefined ? (
        <circle r="1" />
      ) : (
        <polygon points={corners.map(corner => corner.join(',')).join(' ')} />
      )}
    </svg>
  )
}
