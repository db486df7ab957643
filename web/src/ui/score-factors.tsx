import { type Messages, useWords } from '../language/language.tsx'
import './score-factors.css'

const en = {
  score: 'Score',
  relevance: 'relevance',
  words: 'by its words',
  meaning: 'by its meaning',
  factor: 'Factor',
  value: 'Value',
  what: 'What these mean',
  names: {
    kind: 'kind',
    recency: 'recency',
    importance: 'importance',
    access: 'use',
    files: 'files',
    status: 'status',
    feedback: 'feedback',
    drift: 'drift',
  } as Readonly<Record<string, string>>,
  meaningOf: {
    relevance:
      'How well the entry fits the prompt: its words and its meaning, from 0 to 1. Without it nothing is told.',
    kind: 'What the task needs: whoever mends wants errors, whoever plans wants decisions.',
    recency: 'What was written or changed lately counts up to 5 % more.',
    importance: 'What matters more counts up to 10 % more, what matters less 10 % less.',
    access: 'What was fetched often counts up to 10 % more.',
    files:
      'It names a file that is open or named in the prompt (30 % more), or one of the same folder (10 % more).',
    status: 'Candidates count 10 % less, pinned entries 5 % more.',
    feedback: 'Each “useful” counts 10 % more, at most 30 %; each “wrong” halves it.',
    drift: 'The files it names changed a lot since: 20 % less, until somebody confirms it.',
  } as Readonly<Record<string, string>>,
  product:
    'The score is the relevance times every factor. Factors are small: they decide between entries that fit about equally.',
}

const factorWords: Messages<typeof en> = {
  en,
  pt: {
    score: 'Nota',
    relevance: 'relevância',
    words: 'pelas palavras',
    meaning: 'pelo sentido',
    factor: 'Fator',
    value: 'Valor',
    what: 'O que significam',
    names: {
      kind: 'tipo',
      recency: 'recência',
      importance: 'importância',
      access: 'uso',
      files: 'arquivos',
      status: 'situação',
      feedback: 'retorno',
      drift: 'desvio',
    },
    meaningOf: {
      relevance:
        'O quanto a entrada combina com o pedido: palavras e sentido, de 0 a 1. Sem isso nada é contado.',
      kind: 'O que a tarefa precisa: quem conserta quer erros, quem planeja quer decisões.',
      recency: 'O que foi escrito ou mudado há pouco conta até 5 % mais.',
      importance: 'O que importa mais conta até 10 % mais, o que importa menos 10 % menos.',
      access: 'O que foi buscado muitas vezes conta até 10 % mais.',
      files: 'Nomeia um arquivo aberto ou citado no pedido (30 % mais), ou um da mesma pasta (10 % mais).',
      status: 'Candidatas contam 10 % menos, fixadas 5 % mais.',
      feedback: 'Cada “útil” conta 10 % mais, no máximo 30 %; cada “errada” reduz à metade.',
      drift: 'Os arquivos que nomeia mudaram muito: 20 % menos, até alguém confirmar.',
    },
    product:
      'A nota é a relevância vezes cada fator. Os fatores são pequenos: decidem entre entradas que combinam mais ou menos igual.',
  },
}

/** The parts of relevance; everything else in `factors` multiplies it. */
const PARTS = ['relevance', 'words', 'meaning']

/**
 * Where the bar of a factor ends, from the middle: −1 for half and less, 0 for 1, 1 for double and more. By the logarithm, so that what a
 * factor takes away looks as long as what its inverse adds.
 */
export function reachOf(factor: number): number {
  if (!(factor > 0)) return -1
  return Math.max(-1, Math.min(1, Math.log2(factor)))
}

/** Why an item stands where it stands: its relevance, and what it was multiplied by. */
export function ScoreFactors({
  score,
  factors,
}: {
  readonly score: number
  readonly factors: Readonly<Record<string, number>>
}) {
  const words = useWords(factorWords)
  const { relevance, words: byWords, meaning } = factors
  const multipliers = Object.entries(factors).filter(([name]) => !PARTS.includes(name))
  return (
    <div className="score-factors stack">
      <table>
        <caption className="unseen">
          {words.score} {score.toFixed(2)}
        </caption>
        <thead className="unseen">
          <tr>
            <th scope="col">{words.factor}</th>
            <th scope="col">{words.value}</th>
          </tr>
        </thead>
        <tbody>
          {relevance !== undefined && (
            <tr>
              <th scope="row">
                {words.relevance}
                <span className="soft small">
                  {byWords !== undefined && `${words.words} ${byWords.toFixed(2)}`}
                  {meaning !== undefined && `, ${words.meaning} ${meaning.toFixed(2)}`}
                </span>
              </th>
              <td>
                <div className="cell">
                  <span className="number">{relevance.toFixed(2)}</span>
                  <span className="whole" aria-hidden="true">
                    <span style={{ inlineSize: `${Math.max(0, Math.min(1, relevance)) * 100}%` }} />
                  </span>
                </div>
              </td>
            </tr>
          )}
          {multipliers.map(([name, value]) => (
            <tr key={name}>
              <th scope="row">{words.names[name] ?? name}</th>
              <td>
                <div className="cell">
                  <span className="number">× {value.toFixed(2)}</span>
                  <FactorBar value={value} />
                </div>
              </td>
            </tr>
          ))}
          <tr>
            <th scope="row">{words.score}</th>
            <td>
              <strong className="number">= {score.toFixed(2)}</strong>
            </td>
          </tr>
        </tbody>
      </table>
      <details>
        <summary>{words.what}</summary>
        <p>{words.product}</p>
        <dl>
          {['relevance', ...multipliers.map(([name]) => name)].map(name => (
            <div key={name}>
              <dt>{name === 'relevance' ? words.relevance : (words.names[name] ?? name)}</dt>
              <dd>{words.meaningOf[name] ?? ''}</dd>
            </div>
          ))}
        </dl>
      </details>
    </div>
  )
}

/** From the middle to the right for what helps, to the left for what holds back. */
function FactorBar({ value }: { readonly value: number }) {
  const reach = reachOf(value)
  const share = Math.abs(reach) * 50
  return (
    <span className="from-middle" aria-hidden="true">
      <span
        className={reach < 0 ? 'less' : 'more'}
        style={{ insetInlineStart: `${reach < 0 ? 50 - share : 50}%`, inlineSize: `${share}%` }}
      />
    </span>
  )
}
