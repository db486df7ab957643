import { useState } from 'react'
import { useAnswer } from '../../api/use-answer.ts'
import { useWords } from '../../language/language.tsx'
import { AnswerView } from '../../ui/answer-view.tsx'
import { Button } from '../../ui/button.tsx'
import { Moment } from '../../ui/moment.tsx'
import { undoRecords } from '../../ui/undo-toast.ts'
import { visibleText } from '../../ui/visible-text.ts'
import { detailWords } from './detail-words.ts'

/** The history of an entry, newest first. Each change can be undone. */
export function History({ id, isReadOnly }: { readonly id: string; readonly isReadOnly: boolean }) {
  const words = useWords(detailWords)
  const [isOpen, setOpen] = useState(false)
  const answer = useAnswer('log', isOpen ? { entry: id, limit: 50 } : undefined, ['entries'])
  return (
    <details open={isOpen} onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>{words.history}</summary>
      {isOpen && (
        <AnswerView answer={answer}>
          {({ records }) =>
            records.length === 0 ? (
              <p className="soft">{words.noHistory}</p>
            ) : (
              <ol className="history small">
                {records.map(record => {
                  const touched = record.entries.find(entry => entry.id === id)
                  return (
                    <li key={record.id} className={record.undone ? 'undone' : undefined}>
                      <span>
                        <strong>{touched === undefined ? record.action : words[touched.change]}</strong>{' '}
                        <span className="soft">
                          ({record.action}
                          {record.undone && `, ${words.isUndone}`}) ·{' '}
                          {visibleText(record.by.principal ?? record.by.agent ?? record.by.host)} ·{' '}
                          <Moment at={record.at} />
                        </span>
                        {touched !== undefined && <div className="soft">{visibleText(touched.preview)}</div>}
                      </span>
                      {!record.undone && (
                        <Button
                          variant="plain"
                          disabled={isReadOnly}
                          onClick={() => void undoRecords([record.id])}
                        >
                          {words.undo}
                        </Button>
                      )}
                    </li>
                  )
                })}
              </ol>
            )
          }
        </AnswerView>
      )}
    </details>
  )
}
