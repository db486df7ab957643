import type { Graph } from '../../../kernel/model/graph.ts'

/** Labels hold what anybody wrote: nothing in them may end the quotes, steer the drawing program or the terminal. */
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g
/** Everything else goes by its number: quotes, brackets, `%%{init}%%` directives, HTML, `click` targets. */
const NOT_PLAIN_FOR_MERMAID = /[^\p{L}\p{N}\p{M} .,/_@+-]/gu

export function drawDot({ nodes, edges }: Graph): string {
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

export function drawMermaid({ nodes, edges }: Graph): string {
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
