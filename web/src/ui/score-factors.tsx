import { type Messages, useWords } from '../language/language.tsx'
import './score-factors.css'

const en = {
  score: 'Score',
  relevance: 'relevance',
  words: 'words',
  meaning: 'meaning',
  factor: 'Factor',
  value: 'Value',
  explanation: 'What these mean',
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
      'How well the entry matches the prompt, by words and by meaning, from 0 to 1. Entries below the minimum relevance are not injected.',
    kind: 'How useful this kind of entry is for the task: errors for debugging, decisions for planning.',
    recency: 'Recently written or changed: up to 5 % more.',
    importance: 'Important entries: up to 10 % more. Unimportant entries: up to 10 % less.',
    access: 'Often retrieved: up to 10 % more.',
    files:
      'Names a file that is open or named in the prompt: 30 % more. Names a file in the same folder: 10 % more.',
    status: 'Candidates: 10 % less. Pinned entries: 5 % more.',
    feedback: 'Each “useful”: 10 % more, at most 30 %. Each “wrong”: half.',
    drift: 'The files that it names changed a lot: 20 % less until a person confirms the entry.',
  } as Readonly<Record<string, string>>,
  product:
    'The score is the relevance multiplied by all factors. The factors are small: they decide between entries of similar relevance.',
}

const factorWords: Messages<typeof en> = {
  en,
  pt: {
    score: 'Pontuação',
    relevance: 'relevância',
    words: 'palavras',
    meaning: 'significado',
    factor: 'Fator',
    value: 'Valor',
    explanation: 'O que significam',
    names: {
      kind: 'tipo',
      recency: 'recência',
      importance: 'importância',
      access: 'uso',
      files: 'arquivos',
      status: 'situação',
      feedback: 'avaliação',
      drift: 'desatualização',
    },
    meaningOf: {
      relevance:
        'O quanto a entrada corresponde ao prompt, por palavras e por significado, de 0 a 1. Entradas abaixo da relevância mínima não são injetadas.',
      kind: 'O quanto este tipo de entrada serve para a tarefa: erros para depurar, decisões para planejar.',
      recency: 'Escrita ou alterada há pouco: até 5 % a mais.',
      importance: 'Entradas importantes: até 10 % a mais. Entradas pouco importantes: até 10 % a menos.',
      access: 'Consultada muitas vezes: até 10 % a mais.',
      files:
        'Cita um arquivo aberto ou citado no prompt: 30 % a mais. Cita um arquivo da mesma pasta: 10 % a mais.',
      status: 'Candidatas: 10 % a menos. Fixadas: 5 % a mais.',
      feedback: 'Cada “útil”: 10 % a mais, no máximo 30 %. Cada “errada”: metade.',
      drift: 'Os arquivos que ela cita mudaram muito: 20 % a menos até uma pessoa confirmar a entrada.',
    },
    product:
      'A pontuação é a relevância multiplicada por todos os fatores. Os fatores são pequenos: eles decidem entre entradas de relevância parecida.',
  },
}

/** The parts of the relevance. All other `factors` multiply it. */
const PARTS = ['relevance', 'words', 'meaning']

/**
 * The end of a factor's bar, from the middle: −1 for 0.5 and less, 0 for 1, 1 for 2 and more. Logarithmic, so that a factor and its inverse
 * have bars of the same length.
 */
export function reachOf(factor: number): number {
  if (!(factor > 0)) return -1
  return Math.max(-1, Math.min(1, Math.log2(factor)))
}

/** Explains a score: the relevance and the factors that multiply it. */
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
        <summary>{words.explanation}</summary>
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

/** A bar to the right for factors above 1, to the left for factors below 1. */
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
