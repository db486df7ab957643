import { useState } from 'react'
import type { Answered } from '../../api/client.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { useWords } from '../../language/language.tsx'
import { linkToEntry } from '../../router.ts'
import { AnswerView } from '../../ui/answer-view.tsx'
import { Button } from '../../ui/button.tsx'
import { Moment } from '../../ui/moment.tsx'
import { undoRecords } from '../../ui/undo-toast.ts'
import { visibleText } from '../../ui/visible-text.ts'
import { healthWords } from './words.ts'

const PAGE = 30
type LogRecord = Answered<'log'>['records'][number]

/** All changes of the memory, each with Undo. */
export function JournalTab() {
  const words = useWords(healthWords)
  const [limit, setLimit] = useState(PAGE)
  const answer = useAnswer('log', { limit })
  return (
    <AnswerView answer={answer}>
      {({ records }) => (
        <section className="panel stack">
          <h2>{words.log}</h2>
          <p className="soft">{records.length === 0 ? words.logEmpty : words.logAbout}</p>
          <ol className="plain-list runs">
            {records.map(record => (
              <RecordLine key={record.id} record={record} />
            ))}
          </ol>
          {records.length === limit && <Button onClick={() => setLimit(limit + PAGE)}>{words.more}</Button>}
        </section>
      )}
    </AnswerView>
  )
}

function RecordLine({ record }: { readonly record: LogRecord }) {
  const words = useWords(healthWords)
  const { id, at, action, by, undone, changes, entries } = record
  return (
    <li className={undone ? 'record undone' : 'record'}>
      <div className="row">
        <strong>{words.actions[action]}</strong>
        <span className="soft">
          <Moment at={at} isFull />, {words.by} {visibleText(by.principal ?? by.agent ?? by.host)},{' '}
          {words.changed(changes)}
        </span>
        <span className="spring" />
        {undone ? (
          <span className="chip">{words.undone}</span>
        ) : (
          <Button
            needs="write"
            aria-label={`${action === 'undo' ? words.redo : words.undo}: ${words.actions[action]}, ${id}`}
            onClick={() => void undoRecords([id])}
          >
            {action === 'undo' ? words.redo : words.undo}
          </Button>
        )}
      </div>
      <ul className="record-entries">
        {entries.map(({ id: changed, change, preview }) => (
          <li key={`${changed} ${change}`}>
            <span className="soft">{words.changeKinds[change]}</span>{' '}
            {preview === '' ? (
              <code>{visibleText(changed)}</code>
            ) : change === 'removed' ? (
              visibleText(preview)
            ) : (
              <a href={linkToEntry(changed)}>{visibleText(preview)}</a>
            )}
          </li>
        ))}
      </ul>
    </li>
  )
}
