import { useState } from 'react'
import { useWords } from '../../language/language.tsx'
import { Button } from '../../ui/button.tsx'
import { Scrolled } from '../../ui/scrolled.tsx'
import { typeOf, type VisibleGraph } from './graph-model.ts'
import { graphWords } from './words.ts'

const AT_ONCE = 100

/** The graph as a list. */
export function GraphList({
  shown: { nodes, edges },
  chosen,
  onChoose,
}: {
  readonly shown: VisibleGraph
  readonly chosen: string | undefined
  onChoose(name: string): void
}) {
  const words = useWords(graphWords)
  const [limit, setLimit] = useState({ nodes: AT_ONCE, edges: AT_ONCE })
  const labelByName = new Map(nodes.map(({ node, label }) => [node, label]))
  const sorted = [...nodes].sort((a, b) => b.degree - a.degree)
  return (
    <div className="stack">
      <h2 id="graph-nodes">
        {words.nodes} <span className="soft">({nodes.length})</span>
      </h2>
      <Scrolled label={words.nodes}>
        <table aria-labelledby="graph-nodes">
          <thead>
            <tr>
              <th scope="col">{words.node}</th>
              <th scope="col">{words.whatItIs}</th>
              <th scope="col" className="amount">
                {words.edgesHere}
              </th>
            </tr>
          </thead>
          <tbody>
            {sorted.slice(0, limit.nodes).map(node => (
              <tr key={node.node} aria-current={node.node === chosen ? 'true' : undefined}>
                <td>
                  <Button
                    variant="plain"
                    className="as-link"
                    aria-label={words.choose(node.label)}
                    onClick={() => onChoose(node.node)}
                  >
                    {node.label}
                  </Button>
                </td>
                <td>{words.type[typeOf(node)]}</td>
                <td className="amount">{node.degree}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolled>
      {nodes.length > limit.nodes && (
        <Button onClick={() => setLimit({ ...limit, nodes: limit.nodes + AT_ONCE })}>
          {words.more}: {words.nodes}
        </Button>
      )}
      <h2 id="graph-edges">
        {words.edges} <span className="soft">({edges.length})</span>
      </h2>
      <Scrolled label={words.edges}>
        <table aria-labelledby="graph-edges">
          <thead>
            <tr>
              <th scope="col">{words.from}</th>
              <th scope="col">{words.relation}</th>
              <th scope="col">{words.to}</th>
            </tr>
          </thead>
          <tbody>
            {edges.slice(0, limit.edges).map(({ from, to, relation }) => (
              <tr key={`${from} ${relation} ${to}`}>
                <td>{labelByName.get(from)}</td>
                <td>{words.relations[relation]}</td>
                <td>{labelByName.get(to)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolled>
      {edges.length > limit.edges && (
        <Button onClick={() => setLimit({ ...limit, edges: limit.edges + AT_ONCE })}>
          {words.more}: {words.edges}
        </Button>
      )}
    </div>
  )
}
