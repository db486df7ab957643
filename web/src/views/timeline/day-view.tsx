import { useEffect, useState } from 'react'
import { useAnswer } from '../../api/use-answer.ts'
import { useWords } from '../../language/language.tsx'
import { linkTo, linkToEntry } from '../../router.ts'
import { AnswerView } from '../../ui/answer-view.tsx'
import { Button } from '../../ui/button.tsx'
import { EntryFacts } from '../../ui/entry-facts.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { Markdown } from '../../ui/markdown.tsx'
import { localDay, useFormats } from '../../ui/use-formats.ts'
import { endOfDay } from './timeline-model.ts'
import { timelineWords } from './words.ts'

const PAGE = 50

/** The vault at the end of a day: the current files with the later changes of the journal undone. */
export function DayView({ day, agents }: { readonly day: string; readonly agents: readonly string[] }) {
  const words = useWords(timelineWords)
  const formats = useFormats()
  const [agent, setAgent] = useState('')
  const [limit, setLimit] = useState(PAGE)
  const filter = agent === '' ? {} : { agent }
  const then = useAnswer('list', { asOf: endOfDay(day), limit, ...filter }, ['entries'])
  const now = useAnswer('list', { limit: 1, ...filter }, ['entries'])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another day starts at its first page.
  useEffect(() => setLimit(PAGE), [day, agent])
  const goTo = (to: string) => {
    if (to !== '') location.hash = linkTo('timeline', { asOf: to })
  }
  return (
    <div className="stack">
      <a href={linkTo('timeline')}>{words.back}</a>
      <h2>
        {words.asOf} {formats.day(`${day}T12:00:00`)}
      </h2>
      <div className="row foot">
        <Field label={words.otherDay}>
          {ids => (
            <input
              {...ids}
              type="date"
              value={day}
              max={localDay(new Date().toISOString())}
              onChange={event => goTo(event.target.value)}
            />
          )}
        </Field>
        <Select
          label={words.agent}
          value={agent}
          choices={[{ value: '', label: words.everyone }, ...agents.map(one => ({ value: one, label: one }))]}
          onChoose={setAgent}
        />
      </div>
      <AnswerView answer={then}>
        {({ entries, total }) => (
          <>
            <p aria-live="polite">
              {words.entriesThen(total)}{' '}
              {'data' in now && now.data !== undefined && words.entriesNow(now.data.total)}
            </p>
            {total === 0 && <p className="soft">{words.nothingThen}</p>}
            <ul className="plain-list stack">
              {entries.map(entry => (
                <li key={entry.id} className="panel">
                  <Markdown text={entry.content} headingLevel={3} />
                  <EntryFacts entry={entry} />
                  <a className="small" href={linkToEntry(entry.id)}>
                    {words.current}
                  </a>
                </li>
              ))}
            </ul>
            {total > entries.length && <Button onClick={() => setLimit(limit + PAGE)}>{words.more}</Button>}
          </>
        )}
      </AnswerView>
    </div>
  )
}
