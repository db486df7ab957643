import { useState } from 'react'
import type { Answered as AnswerOf } from '../../api/client.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { useWords } from '../../language/language.tsx'
import { linkToEntry } from '../../place.ts'
import { Answered } from '../../ui/answered.tsx'
import { Button } from '../../ui/button.tsx'
import { Moment } from '../../ui/moment.tsx'
import { ScoreFactors } from '../../ui/score-factors.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import { briefWords } from './words.ts'

type GivenBrief = AnswerOf<'briefs'>['briefs'][number]

const PAGE = 20
const MOST = 200

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
              {briefs.length === limit && limit < MOST && (
                <Button onClick={() => setLimit(Math.min(MOST, limit + PAGE))}>{words.showMore}</Button>
              )}
            </>
          )
        }
      </Answered>
    </>
  )
}

function GivenItem({ brief }: { readonly brief: GivenBrief }) {
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

function GivenThen({ brief }: { readonly brief: GivenBrief }) {
  const words = useWords(briefWords)
  const [isAsked, setIsAsked] = useState(false)
  const { id, included, left, kind, degraded } = brief
  return (
    <div className="stack">
      <h2>{words.includedThen}</h2>
      {included.length === 0 && <p>{words.nothingThen}</p>}
      <ul>
        {included.map((item, at) => (
          <li key={item.id ?? `${item.tier} ${at}`}>
            <ItemName id={item.id} /> <span className="chip">{words.tiers[item.tier] ?? item.tier}</span>{' '}
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
            <ItemName id={item.id} />{' '}
            <span className="soft">{words.reasons[item.reason] ?? item.reason}</span>
          </li>
        ))}
      </ul>
      {degraded.length > 0 && <p className="notice warn">{degraded.join(', ')}</p>}
      {kind === 'start' ? (
        <p className="soft">{words.startNoWhy}</p>
      ) : isAsked ? (
        <Why brief={id} />
      ) : (
        <p>
          <Button onClick={() => setIsAsked(true)}>{words.askAgain}</Button>
        </p>
      )}
    </div>
  )
}

/** What an entry says is asked for by its id only when somebody opens it: it may be gone by now. */
function ItemName({ id }: { readonly id: string | undefined }) {
  const words = useWords(briefWords)
  if (id === undefined) return <span>{words.noEntry}</span>
  return (
    <a href={linkToEntry(id)}>
      <code>{visibleText(id)}</code>
    </a>
  )
}

function Why({ brief }: { readonly brief: string }) {
  const words = useWords(briefWords)
  const answer = useAnswer('why', { brief }, [])
  return (
    <Answered answer={answer}>
      {({ candidates }) => (
        <div className="stack">
          <p className="soft">{words.askedAgain}</p>
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
                <details>
                  <summary>{words.why}</summary>
                  <ScoreFactors
                    score={candidate.score}
                    factors={{
                      relevance: candidate.relevance,
                      words: candidate.words,
                      meaning: candidate.meaning,
                      ...candidate.factors,
                    }}
                  />
                </details>
              </li>
            ))}
          </ol>
        </div>
      )}
    </Answered>
  )
}
