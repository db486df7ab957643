import { useState } from 'react'
import { type Answered, callWithProgress, type Progress } from '../../api/client.ts'
import { notifyChange } from '../../api/live.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { useWords } from '../../language/language.tsx'
import { linkToEntry } from '../../router.ts'
import { AnswerView } from '../../ui/answer-view.tsx'
import { Button } from '../../ui/button.tsx'
import { ProgressBar } from '../../ui/meter.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Problems } from '../../ui/problems.tsx'
import { showFailure } from '../../ui/toasts.tsx'
import { undoToast } from '../../ui/undo-toast.ts'
import { visibleText } from '../../ui/visible-text.ts'
import { WithCode } from '../../ui/with-code.tsx'
import { importWords } from './words.ts'

type Status = Answered<'obsidianStatus'>
type Totals = NonNullable<Status['waiting']>

/** The linked Obsidian vault: its status, and a manual sync. */
export function Obsidian() {
  const words = useWords(importWords)
  const answer = useAnswer('obsidianStatus', {}, ['obsidian', 'entries'])
  return (
    <section className="panel stack" aria-labelledby="obsidian">
      <h2 id="obsidian">{words.obsidian}</h2>
      <AnswerView answer={answer}>
        {status =>
          status.link === null ? (
            <p className="soft">
              <WithCode text={words.notLinked} />
            </p>
          ) : (
            <Linked status={status} link={status.link} />
          )
        }
      </AnswerView>
    </section>
  )
}

function Linked({ status, link }: { readonly status: Status; readonly link: NonNullable<Status['link']> }) {
  const words = useWords(importWords)
  const [progress, setProgress] = useState<Progress>()
  const sync = async () => {
    setProgress({ done: 0, what: '' })
    try {
      const { totals, record } = await callWithProgress('obsidianSync', {}, setProgress)
      notifyChange()
      undoToast(words.synced(stepsOf(totals)), record)
    } catch (error) {
      showFailure(error)
    } finally {
      setProgress(undefined)
    }
  }
  const waiting = status.waiting === null ? undefined : stepsOf(status.waiting)
  return (
    <>
      <p>
        <code>{visibleText(link.vault)}</code> / <code>{visibleText(link.folder)}</code>{' '}
        <span className="soft">
          {words.linkedSince} <Moment at={link.since} />,{' '}
          {words.notesAndEntries(status.notes, status.entries)}
        </span>
      </p>
      {status.vault !== 'there' && <p className="notice warn">{words.vaultGone}</p>}
      {!status.isTrusted && (
        <p className="notice warn">
          <WithCode text={words.vaultUntrusted} />
        </p>
      )}
      {status.held !== null && (
        <p className="notice warn">
          <WithCode text={words.manyGone(status.held.gone, status.held.of)} />
        </p>
      )}
      <div className="row">
        <Button disabled={progress !== undefined} onClick={() => void sync()}>
          {words.syncNow}
        </Button>
        <span className="soft" aria-live="polite">
          {waiting === undefined ? words.waitingUnknown : words.syncWaits(waiting)}
        </span>
      </div>
      {progress !== undefined && (
        <ProgressBar label={progress.what || words.syncing} done={progress.done} total={progress.total} />
      )}
      <Problems problems={status.problems} />
      {status.conflicts.length > 0 && (
        <div>
          <h3>{words.bothChanged}</h3>
          <ul className="troubles">
            {status.conflicts.map(({ id, path }) => (
              <li key={path}>
                <a href={linkToEntry(id)}>{visibleText(path)}</a>{' '}
                <code>cairn obsidian resolve {id} --keep note</code>
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  )
}

function stepsOf(totals: Totals): number {
  return Object.values(totals).reduce((sum, count) => sum + count, 0)
}
