import { useState } from 'react'
import type { Answered as AnswerOf } from '../../api/client.ts'
import { type Answer, useAnswer } from '../../api/use-answer.ts'
import { useWords } from '../../language/language.tsx'
import { linkToEntry } from '../../place.ts'
import { Answered } from '../../ui/answered.tsx'
import { Button } from '../../ui/button.tsx'
import { Moment } from '../../ui/moment.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import { Weighed } from './brief-items.tsx'
import { briefWords } from './words.ts'

type LoggedBrief = AnswerOf<'briefs'>['briefs'][number]

const PAGE = 20
const MAX = 200
const NAME_CHARACTERS = 120

/** The log of briefs that hosts were given, each with what was in it then and why. */
export function Given() {
  const words = useWords(briefWords)
  const [limit, setLimit] = useState(PAGE)
  const answer = useAnswer('briefs', { limit })
  return (
    <>
      <p className="soft measured">{words.givenIntro}</p>
      <Answered answer={answer}>
        {({ briefs }) =>
          briefs.length === 0 ? (
            <div className="panel">
              <p>{words.givenNone}</p>
              <p className="soft">{words.givenNoneNext}</p>
            </div>
          ) : (
            <>
              <ol className="brief-given">
                {briefs.map(brief => (
                  <GivenItem key={brief.id} brief={brief} />
                ))}
              </ol>
              {briefs.length === limit && limit < MAX && (
                <Button onClick={() => setLimit(Math.min(MAX, limit + PAGE))}>{words.showMore}</Button>
              )}
            </>
          )
        }
      </Answered>
    </>
  )
}

function GivenItem({ brief }: { readonly brief: LoggedBrief }) {
  const words = useWords(briefWords)
  const [isOpen, setIsOpen] = useState(false)
  const { at, kind, host, agent, prompt, tokens, ms } = brief
  return (
    <li className="panel stack">
      <p className="row">
        <Moment at={at} />
        <span className="chip info">{words.kinds[kind]}</span>
        <span className="soft">
          {visibleText([host, ...(agent === undefined ? [] : [agent])].join(' · '))} · {words.tokens(tokens)}{' '}
          · {words.took(Math.round(ms))}
        </span>
      </p>
      {prompt !== '' && <p className="brief-item-text">{visibleText(prompt)}</p>}
      <details onToggle={event => setIsOpen(event.currentTarget.open)}>
        <summary>{words.what}</summary>
        {isOpen && <GivenThen brief={brief} />}
      </details>
    </li>
  )
}

/**
 * What was in it then is in the log by id alone. What the entries say comes with the same question asked again: to look at them one by one
 * would count as fetching them.
 */
function GivenThen({ brief }: { readonly brief: LoggedBrief }) {
  const { id, agent, kind } = brief
  const why = useAnswer('why', kind === 'prompt' ? { brief: id } : undefined, [])
  const start = useAnswer(
    'briefPreview',
    kind === 'start' ? { start: true, ...(agent !== undefined && { agent }) } : undefined,
    [],
  )
  const candidates = 'data' in why ? (why.data?.candidates ?? []) : []
  const told = 'data' in start && start.data !== undefined ? [...start.data.items, ...start.data.left] : []
  const textById = new Map([
    ...candidates.map((one): [string, string] => [one.id, one.preview]),
    ...told.flatMap((one): [string, string][] => (one.id === undefined ? [] : [[one.id, one.text]])),
  ])
  return (
    <div className="stack">
      <Then brief={brief} textById={textById} />
      {kind === 'prompt' && <WeighedAgain answer={why} />}
    </div>
  )
}

function Then({
  brief: { included, left, degraded },
  textById,
}: {
  readonly brief: LoggedBrief
  readonly textById: ReadonlyMap<string, string>
}) {
  const words = useWords(briefWords)
  return (
    <>
      <h2>{words.includedThen}</h2>
      {included.length === 0 && <p>{words.nothingThen}</p>}
      <ul>
        {included.map((item, at) => (
          <li key={item.id ?? `${item.tier} ${at}`}>
            <ItemName id={item.id} textById={textById} />{' '}
            <span className="chip">{words.tiers[item.tier] ?? item.tier}</span>{' '}
            <span className="soft">
              {words.tokens(item.tokens)}
              {item.score !== undefined && `, ${words.score(item.score.toFixed(2))}`}
            </span>
          </li>
        ))}
      </ul>
      <h2>{words.leftThen}</h2>
      {left.length === 0 && <p>{words.nothingThen}</p>}
      <ul>
        {left.map((item, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: what was left out of a brief once given never changes.
          <li key={`${item.id ?? ''} ${item.reason} ${at}`}>
            <ItemName id={item.id} textById={textById} />{' '}
            <span className="soft">{words.reasons[item.reason] ?? item.reason}</span>
          </li>
        ))}
      </ul>
      {degraded.length > 0 && <p className="notice warn">{degraded.join(', ')}</p>}
    </>
  )
}

/** By what it says; by its id where it is gone, or is not thought of any more. */
function ItemName({
  id,
  textById,
}: {
  readonly id: string | undefined
  readonly textById: ReadonlyMap<string, string>
}) {
  const words = useWords(briefWords)
  if (id === undefined) return <span>{words.noEntry}</span>
  const text = textById.get(id)
  return (
    <a href={linkToEntry(id)}>
      {text === undefined ? <code>{visibleText(id)}</code> : visibleText(text.slice(0, NAME_CHARACTERS))}
    </a>
  )
}

function WeighedAgain({ answer }: { readonly answer: Answer<AnswerOf<'why'>> }) {
  const words = useWords(briefWords)
  return (
    <details>
      <summary>{words.askAgain}</summary>
      <p className="soft">{words.askedAgain}</p>
      <Answered answer={answer}>
        {({ candidates }) => (
          <ol className="brief-items">
            {candidates.map(candidate => (
              <li key={candidate.id} className="stack">
                <p className="row">
                  <span className={candidate.told ? 'chip good' : 'chip'}>
                    {candidate.told ? words.told : words.notTold}
                  </span>
                  {candidate.reason !== undefined && (
                    <span className="soft">{words.reasons[candidate.reason] ?? candidate.reason}</span>
                  )}
                  <a href={linkToEntry(candidate.id)}>{words.open}</a>
                </p>
                <p className="brief-item-text">{visibleText(candidate.preview)}</p>
                <Weighed
                  score={candidate.score}
                  factors={{
                    relevance: candidate.relevance,
                    words: candidate.words,
                    meaning: candidate.meaning,
                    ...candidate.factors,
                  }}
                />
              </li>
            ))}
          </ol>
        )}
      </Answered>
    </details>
  )
}
