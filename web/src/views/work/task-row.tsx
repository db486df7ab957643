import type { Answered } from '../../api/client.ts'
import { useWords } from '../../language/language.tsx'
import { Meter } from '../../ui/meter.tsx'
import { Moment } from '../../ui/moment.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import { workWords } from './words.ts'

export type Task = Answered<'workTasks'>['tasks'][number]

export const isoOf = (ms: number) => new Date(ms).toISOString()

export function TaskRow({
  task,
  href,
  isChosen,
}: {
  readonly task: Task
  readonly href: string
  readonly isChosen: boolean
}) {
  const { title, state, progress } = task
  return (
    <li className={`work-task ${state}`} data-chosen={isChosen || undefined}>
      <a href={href} aria-current={isChosen || undefined}>
        {visibleText(title)}
      </a>
      <TaskFacts task={task} />
      {state === 'running' && progress !== undefined && <TaskProgress progress={progress} />}
      {state === 'failed' && task.failure !== undefined && <p>{visibleText(task.failure)}</p>}
    </li>
  )
}

/** The worker, the lease, the dependencies and the attempts of a task. */
export function TaskFacts({ task }: { readonly task: Task }) {
  const words = useWords(workWords)
  const { blockedBy, waitsFor, worker, leaseUntil, readyFrom, failure } = task
  return (
    <p className="facts soft small">
      <code>{visibleText(task.id)}</code>
      {task.kind !== 'task' && <span className="chip">{visibleText(task.kind)}</span>}
      {task.agent !== undefined && <span>{words.forAgent(visibleText(task.agent))}</span>}
      {task.priority !== 0 && <span>{words.priority(task.priority)}</span>}
      {worker !== undefined && <span>{words.by(visibleText(worker))}</span>}
      {leaseUntil !== undefined && (
        <span>
          {words.leaseUntil} <Moment at={isoOf(leaseUntil)} isFull />
        </span>
      )}
      {readyFrom !== undefined && failure !== undefined && (
        <span>
          {words.readyFrom} <Moment at={isoOf(readyFrom)} isFull />
        </span>
      )}
      {blockedBy.length > 0 ? (
        <span className="chip bad">{words.blockedBy(visibleText(blockedBy.join(', ')))}</span>
      ) : (
        waitsFor.length > 0 && <span>{words.waitsFor(visibleText(waitsFor.join(', ')))}</span>
      )}
      {task.tries > 1 && <span>{words.attempt(task.tries, task.attempts)}</span>}
      {task.endedAt !== undefined && <Moment at={isoOf(task.endedAt)} />}
    </p>
  )
}

export function TaskProgress({ progress }: { readonly progress: NonNullable<Task['progress']> }) {
  const words = useWords(workWords)
  return (
    <>
      {progress.share !== undefined && (
        <Meter label={words.progress} value={progress.share} max={1} text={words.percent(progress.share)} />
      )}
      {progress.note !== '' && <p>{visibleText(progress.note)}</p>}
    </>
  )
}
