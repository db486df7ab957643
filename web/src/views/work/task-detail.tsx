import { type ReactNode, useEffect, useRef, useState } from 'react'
import { type Answered as AnswerOf, call } from '../../api/client.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { useWords } from '../../language/language.tsx'
import { linkTo, linkToEntry } from '../../router.ts'
import { AnswerView } from '../../ui/answer-view.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Moment } from '../../ui/moment.tsx'
import { showFailure, showToast } from '../../ui/toasts.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import { isoOf, TaskFacts, TaskProgress } from './task-row.tsx'
import { workWords } from './words.ts'

type Detail = AnswerOf<'workShow'>
const PARTS = ['work'] as const
const OPEN: readonly string[] = ['waiting', 'ready', 'running']

/** A task with its input, its attempts and its result. */
export function TaskDetail({
  task,
  onClose,
  onChanged,
}: {
  readonly task: string
  onClose(): void
  onChanged(): void
}) {
  const words = useWords(workWords)
  const answer = useAnswer('workShow', { task }, PARTS)
  const heading = useRef<HTMLHeadingElement>(null)
  const isThere = answer.state === 'loaded'
  useEffect(() => {
    if (isThere) heading.current?.focus()
  }, [isThere])
  return (
    <article className="panel stack work-detail" aria-labelledby="work-task-title">
      <AnswerView answer={answer}>
        {detail => (
          <>
            <h2 id="work-task-title" ref={heading} tabIndex={-1}>
              {visibleText(detail.title)}
            </h2>
            <p className="row">
              <span className={`chip ${detail.state === 'failed' ? 'bad' : ''}`}>
                {words.states[detail.state]}
              </span>
            </p>
            <TaskFacts task={detail} />
            {detail.progress !== undefined && detail.state === 'running' && (
              <TaskProgress progress={detail.progress} />
            )}
            {detail.why !== undefined && detail.why !== '' && <p>{words.why(visibleText(detail.why))}</p>}
            <div className="row">
              <Deeds
                detail={detail}
                onChanged={() => {
                  answer.refetch()
                  onChanged()
                }}
              />
              <Button onClick={onClose}>{words.close}</Button>
            </div>
            <Parts detail={detail} />
          </>
        )}
      </AnswerView>
    </article>
  )
}

function Parts({ detail }: { readonly detail: Detail }) {
  const words = useWords(workWords)
  const { brief, entries, files, before, next, result, history } = detail
  return (
    <>
      {result !== undefined && (
        <Part title={words.result}>
          <p className="work-text">{visibleText(result.text)}</p>
          <Names names={result.files} />
        </Part>
      )}
      {result !== undefined && result.entries.length > 0 && (
        <Part title={words.found}>
          <Entries ids={result.entries} />
        </Part>
      )}
      <Part title={words.brief}>
        <p className="work-text">{brief === '' ? words.noBrief : visibleText(brief)}</p>
      </Part>
      {entries.length > 0 && (
        <Part title={words.entries}>
          <Entries ids={entries} />
        </Part>
      )}
      {files.length > 0 && (
        <Part title={words.files}>
          <Names names={files} />
        </Part>
      )}
      {before.length > 0 && (
        <Part title={words.dependencies}>
          <Near tasks={before} />
        </Part>
      )}
      {next.length > 0 && (
        <Part title={words.dependents}>
          <Near tasks={next} />
        </Part>
      )}
      {history.length > 0 && (
        <Part title={words.history}>
          <ol className="work-history">
            {history.map(({ number, worker, end, outcome, message }) => (
              <li key={number} value={number}>
                {visibleText(worker)}: {words.outcomes[outcome]} <Moment at={isoOf(end)} />
                {message !== undefined && <p className="work-text soft">{visibleText(message)}</p>}
              </li>
            ))}
          </ol>
        </Part>
      )}
    </>
  )
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section>
      <h3>{title}</h3>
      {children}
    </section>
  )
}

function Names({ names }: { readonly names: readonly string[] }) {
  return names.length === 0 ? null : (
    <ul className="work-history">
      {names.map(name => (
        <li key={name}>
          <code>{visibleText(name)}</code>
        </li>
      ))}
    </ul>
  )
}

function Entries({ ids }: { readonly ids: readonly string[] }) {
  return (
    <ul className="work-history">
      {ids.map(id => (
        <li key={id}>
          <a href={linkToEntry(id)}>{visibleText(id)}</a>
        </li>
      ))}
    </ul>
  )
}

function Near({ tasks }: { readonly tasks: Detail['before'] }) {
  const words = useWords(workWords)
  return (
    <ul className="work-history">
      {tasks.map(({ id, title, state }) => (
        <li key={id}>
          <a href={linkTo('work', { graph: id.split('.')[0] ?? '', task: id })}>{visibleText(title)}</a>{' '}
          <span className="soft">{words.states[state]}</span>
        </li>
      ))}
    </ul>
  )
}

/** The actions for a task. Each asks first, because other agents may be working on it. */
function Deeds({ detail, onChanged }: { readonly detail: Detail; onChanged(): void }) {
  const words = useWords(workWords)
  const [asked, setAsked] = useState<'cancel' | 'retry'>()
  const { id, state } = detail
  const title = visibleText(detail.title)
  const retry = async () => {
    try {
      const { opened } = await call('workRetry', { task: id })
      showToast(words.retried(opened.length))
    } catch (error) {
      showFailure(error)
    }
    onChanged()
  }
  const cancel = async () => {
    try {
      const { cancelled } = await call('workCancel', { task: id })
      showToast(words.cancelled(cancelled.length), {
        action: { label: words.reopen, run: () => void retry() },
      })
    } catch (error) {
      showFailure(error)
    }
    onChanged()
  }
  return (
    <>
      {(state === 'failed' || state === 'cancelled') && (
        <Button variant="primary" needs="write" onClick={() => setAsked('retry')}>
          {words.retry}
        </Button>
      )}
      {(OPEN.includes(state) || state === 'failed') && (
        <Button variant="danger" needs="write" onClick={() => setAsked('cancel')}>
          {words.cancel}
        </Button>
      )}
      {asked === 'cancel' && (
        <ConfirmDialog
          title={words.cancelAsk(title)}
          action={words.cancel}
          isDanger
          onConfirm={() => void cancel()}
          onClose={() => setAsked(undefined)}
        >
          <p>{words.cancelEffect(detail.next.length)}</p>
        </ConfirmDialog>
      )}
      {asked === 'retry' && (
        <ConfirmDialog
          title={words.retryAsk(title)}
          action={words.retry}
          onConfirm={() => void retry()}
          onClose={() => setAsked(undefined)}
        >
          <p>{words.retryEffect}</p>
        </ConfirmDialog>
      )}
    </>
  )
}
