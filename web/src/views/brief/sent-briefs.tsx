import { useState } from 'react'
import type { Answered as AnswerOf } from '../../api/client.ts'
import { type Answer, useAnswer } from '../../api/use-answer.ts'
import { useWords } from '../../language/language.tsx'
import { linkToEntry } from '../../router.ts'
import { AnswerView } from '../../ui/answer-view.tsx'
import { Button } from '../../ui/button.tsx'
import { Moment } from '../../ui/moment.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import { FactorDetails } from './brief-items.tsx'
import { briefWords } from './words.ts'

type LoggedBrief = AnswerOf<'briefs'>['briefs'][number]

const PAGE = 20
const MAX = 200
const NAME_CHARACTERS = 120

/** The log of sent briefs, each with its items and their scores. */
export function SentBriefs() {
  const words = useWords(briefWords)
  const [limit, setLimit] = useState(PAGE)
  const answer = useAnswer('briefs', { limit })
  return (
    <>
      <p className="soft measured">{words.sentIntro}</p>
      <AnswerView answer={answer}>
        {({ briefs }) =>
          briefs.length === 0 ? (
            <div className="panel">
              <p>{words.sentNone}</p>
              <p className="soft">{words.sentNoneNext}</p>
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
      </AnswerView>
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
        <summary>{words.contents}</summary>
        {isOpen && <GivenThen brief={brief} />}
      </details>
    </li>
  )
}

/** The log stores only ids. The texts come from a new preview with the same input, because fetching each entry would count as an access. */
function GivenThen({ brief }: { readonly brief: LoggedBrief }) {
  const { id, agent, kind } = brief
  const why = useAnswer('why', kind === 'prompt' ? { brief: id } : undefined, [])
  const start = useAnswer(
    'briefPreview',
    kind === 'start' ? { start: true, ...(agent !== undefined && { agent }) } : undefined,
    [],
  )
  const candidates = 'data' in why ? (why.data?.candidates ?? []) : []
  const known = 'data' in start && start.data !== undefined ? [...start.data.items, ...start.data.left] : []
  const textById = new Map([
    ...candidates.map((one): [string, string] => [one.id, one.preview]),
    ...known.flatMap((one): [string, string][] => (one.id === undefined ? [] : [[one.id, one.text]])),
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
          // biome-ignore lint/suspicious/noArrayIndexKey: a sent brief never changes.
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

/** Shows the text, or the id if the entry no longer exists or is no longer a candidate. */
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
      <summary>{words.checkAgain}</summary>
      <p className="soft">{words.checkedAgain}</p>
      <AnswerView answer={answer}>
        {({ candidates }) => (
          <ol className="brief-items">
            {candidates.map(candidate => (
              <li key={candidate.id} className="stack">
                <p className="row">
                  <span className={candidate.told ? 'chip good' : 'chip'}>
                    {candidate.told ? words.included : words.notIncluded}
                  </span>
                  {candidate.reason !== undefined && (
                    <span className="soft">{words.reasons[candidate.reason] ?? candidate.reason}</span>
                  )}
                  <a href={linkToEntry(candidate.id)}>{words.open}</a>
                </p>
                <p className="brief-item-text">{visibleText(candidate.preview)}</p>
                <FactorDetails
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
      </AnswerView>
    </details>
  )
}
