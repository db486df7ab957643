import { useDeferredValue, useState } from 'react'
import { call } from '../../api/client.ts'
import { notifyChange } from '../../api/live.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { useWords } from '../../language/language.tsx'
import { linkToEntry } from '../../router.ts'
import { AnswerView } from '../../ui/answer-view.tsx'
import { Button } from '../../ui/button.tsx'
import { EntryFacts } from '../../ui/entry-facts.tsx'
import { Field } from '../../ui/field.tsx'
import { Markdown } from '../../ui/markdown.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Problems } from '../../ui/problems.tsx'
import { FailureText } from '../../ui/server-message.tsx'
import { showFailure, showToast } from '../../ui/toasts.tsx'
import { undoToast } from '../../ui/undo-toast.ts'
import { UpkeepReason } from '../../ui/upkeep-reason.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import { runSummary, type UpkeepRunCounts } from './health-model.ts'
import { healthWords } from './words.ts'

const PAGE = 30

/** The upkeep runs, and the archive with Restore. */
export function UpkeepTab() {
  const words = useWords(healthWords)
  const answer = useAnswer('health', { days: 7 }, ['upkeep', 'entries'])
  return (
    <div className="stack">
      <AnswerView answer={answer}>
        {({ upkeep: { last, earlier, isDue, failure } }) => (
          <section className="panel stack">
            <h2>{words.upkeepRuns}</h2>
            {failure !== null && (
              <div className="notice bad">
                {words.upkeepFailed} (<Moment at={failure.at} />
                ): <FailureText failure={failure} />
              </div>
            )}
            {isDue && <p className="soft">{words.upkeepDue}</p>}
            {last === null ? (
              <p className="soft">{words.upkeepNone}</p>
            ) : (
              <ol className="plain-list runs">
                {[last, ...earlier].map(run => (
                  <Run key={run.timestamp} run={run} />
                ))}
              </ol>
            )}
          </section>
        )}
      </AnswerView>
      <Archive />
    </div>
  )
}

function Run({ run }: { readonly run: UpkeepRunCounts }) {
  const words = useWords(healthWords)
  const done = runSummary(run)
  return (
    <li>
      <div className="row">
        <strong>
          <Moment at={run.timestamp} isFull />
        </strong>
        {done.length === 0 && <span className="soft">{words.nothingDone}</span>}
        {done.map(([name, count]) => (
          <span key={name} className="chip">
            {count} {words.run[name]}
          </span>
        ))}
        {run.isPartial && <span className="chip warn">{words.partial}</span>}
      </div>
      {run.batches.length > 0 && <code className="soft small">{run.batches.join(', ')}</code>}
    </li>
  )
}

function Archive() {
  const words = useWords(healthWords)
  const [text, setText] = useState('')
  const [batch, setBatch] = useState<string>()
  const [limit, setLimit] = useState(PAGE)
  const query = useDeferredValue(text.trim())
  const answer = useAnswer(
    'archive',
    { limit, ...(query !== '' && { query }), ...(batch !== undefined && { batch }) },
    ['upkeep', 'entries'],
  )
  const restore = async (target: string) => {
    try {
      const { restored } = await call('restore', { target })
      notifyChange()
      undoToast(words.restored(restored?.entries.length ?? 0), restored?.record ?? null)
      if (restored !== null && restored.conflicts.length > 0)
        showToast(words.notRestored(restored.conflicts.map(({ what }) => visibleText(what))), {
          variant: 'bad',
        })
    } catch (error) {
      showFailure(error)
    }
  }
  return (
    <section className="panel stack">
      <h2>{words.archive}</h2>
      <AnswerView answer={answer}>
        {({ batches, entries, total, problems }) => (
          <>
            <Problems problems={problems} />
            {batches.length === 0 ? (
              <p className="soft">{words.archiveEmpty}</p>
            ) : (
              <>
                <p className="soft">{words.archiveAbout}</p>
                <ul className="plain-list runs">
                  {batches.map(({ id, at, entries: entryCount, files, events, restoredAt }) => (
                    <li key={id} className="row">
                      <Button
                        variant="plain"
                        className="as-link"
                        aria-pressed={batch === id}
                        onClick={() => setBatch(batch === id ? undefined : id)}
                      >
                        <Moment at={at} isFull />
                      </Button>
                      <span className="soft">{words.batchHolds(entryCount, files.length, events)}</span>
                      {restoredAt === undefined ? (
                        <Button needs="write" onClick={() => void restore(id)}>
                          {words.restoreBatch}
                        </Button>
                      ) : (
                        <span className="chip good">{words.restoredItem}</span>
                      )}
                    </li>
                  ))}
                </ul>
                <Field label={words.archiveFind}>
                  {ids => (
                    <input
                      {...ids}
                      type="search"
                      value={text}
                      onChange={event => setText(event.target.value)}
                    />
                  )}
                </Field>
                {total === 0 && <p className="soft">{words.nothingFound}</p>}
                <ul className="plain-list runs">
                  {entries.map(({ batch: of, entry, because, isBack }) => (
                    <li key={`${of} ${entry.id}`} className="stack">
                      <Markdown text={entry.content} headingLevel={3} />
                      <EntryFacts entry={entry} />
                      <div className="row">
                        <UpkeepReason because={because} />
                        {isBack ? (
                          <a href={linkToEntry(entry.id)}>{words.restoredItem}</a>
                        ) : (
                          <Button needs="write" onClick={() => void restore(entry.id)}>
                            {words.restore}
                          </Button>
                        )}
                      </div>
                    </li>
                  ))}
                </ul>
                {total > entries.length && (
                  <Button onClick={() => setLimit(limit + PAGE)}>{words.more}</Button>
                )}
              </>
            )}
          </>
        )}
      </AnswerView>
    </section>
  )
}
