import { useEffect, useState } from 'react'
import { useAnswer } from '../../api/use-answer.ts'
import { useWords } from '../../language/language.tsx'
import { goTo, linkTo, useViewLocation } from '../../router.ts'
import { AnswerView } from '../../ui/answer-view.tsx'
import { Button } from '../../ui/button.tsx'
import { ScopeNotice } from '../../ui/scope-notice.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import { WithCode } from '../../ui/with-code.tsx'
import { TaskDetail } from './task-detail.tsx'
import { TaskRow } from './task-row.tsx'
import { workWords } from './words.ts'
import './work.css'

/** States that need attention come first. */
const ORDER = ['running', 'ready', 'failed', 'waiting', 'done', 'cancelled'] as const
const PAGE = 50
const MAX_TASKS = 2_000
const PARTS = ['work'] as const
/** Leases expire and pauses end without a write, so the list is refreshed by time. */
const LOOK_EVERY_MS = 5_000

/** The shared tasks of agents, by state. */
export default function Work() {
  const words = useWords(workWords)
  const { params } = useViewLocation()
  const board = useAnswer('work', {}, PARTS)
  const graphs = board.state === 'loading' ? [] : (board.data?.graphs ?? [])
  const chosen =
    params.graph ?? graphs.find(({ endedAt }) => endedAt === undefined)?.graph ?? graphs[0]?.graph
  return (
    <section className="work stack" aria-labelledby="work-title">
      <h1 id="work-title">{words.title}</h1>
      <p className="soft measured">{words.intro}</p>
      <ScopeNotice needs="write" />
      <AnswerView answer={board}>
        {({ graphs: all }) =>
          chosen === undefined ? (
            <div className="panel">
              <p>{words.empty}</p>
              <p className="soft">
                <WithCode text={words.emptyNext} />
              </p>
            </div>
          ) : (
            <>
              <label className="field">
                <span>{words.graph}</span>
                <select value={chosen} onChange={event => goTo('work', { graph: event.target.value })}>
                  {all.map(({ graph, tasks }) => (
                    <option key={graph} value={graph}>
                      {`${visibleText(graph)} (${ORDER.filter(state => tasks[state] > 0)
                        .map(state => `${words.states[state]}: ${tasks[state]}`)
                        .join(', ')})`}
                    </option>
                  ))}
                </select>
              </label>
              <Graph graph={chosen} task={params.task} />
            </>
          )
        }
      </AnswerView>
    </section>
  )
}

function Graph({ graph, task }: { readonly graph: string; readonly task: string | undefined }) {
  const answer = useAnswer('workTasks', { graph, limit: MAX_TASKS }, PARTS)
  const { refetch } = answer
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') refetch()
    }, LOOK_EVERY_MS)
    return () => clearInterval(timer)
  }, [refetch])
  const words = useWords(workWords)
  return (
    <div className={task === undefined ? 'work-columns' : 'work-columns with-detail'}>
      <div className="stack work-states">
        <AnswerView answer={answer}>
          {({ tasks }) =>
            ORDER.map(state => {
              const found = tasks.filter(each => each.state === state)
              return found.length === 0 ? null : (
                <section key={state} className="stack" aria-labelledby={`work-${state}`}>
                  <h2 id={`work-${state}`}>
                    {words.states[state]} <span className="soft">{found.length}</span>
                  </h2>
                  <Tasks tasks={found} chosen={task} />
                </section>
              )
            })
          }
        </AnswerView>
      </div>
      {task !== undefined && (
        <TaskDetail key={task} task={task} onClose={() => goTo('work', { graph })} onChanged={refetch} />
      )}
    </div>
  )
}

function Tasks({
  tasks,
  chosen,
}: {
  readonly tasks: readonly Parameters<typeof TaskRow>[0]['task'][]
  readonly chosen: string | undefined
}) {
  const words = useWords(workWords)
  const [limit, setLimit] = useState(PAGE)
  return (
    <>
      <ul className="work-tasks">
        {tasks.slice(0, limit).map(task => (
          <TaskRow
            key={task.id}
            task={task}
            isChosen={task.id === chosen}
            href={linkTo('work', { graph: task.graph, task: task.id })}
          />
        ))}
      </ul>
      {tasks.length > limit && (
        <Button onClick={() => setLimit(limit + PAGE)}>{words.more(tasks.length - limit)}</Button>
      )}
    </>
  )
}
