import { useState } from 'react'
import { call } from '../../api/client.ts'
import { notifyChange } from '../../api/live.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { useWords } from '../../language/language.tsx'
import { AnswerView } from '../../ui/answer-view.tsx'
import { Button } from '../../ui/button.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Problems } from '../../ui/problems.tsx'
import { showFailure, showToast } from '../../ui/toasts.tsx'
import { useFormats } from '../../ui/use-formats.ts'
import { BundleView } from './bundle.tsx'
import { Changes } from './changes.tsx'
import { bringBack } from './now-tab.tsx'
import { stateWords } from './words.ts'

const PAGE = 20

/** Earlier states, each with Restore. */
export function CheckpointsTab() {
  const words = useWords(stateWords)
  const [limit, setLimit] = useState(PAGE)
  const [chosen, setChosen] = useState<string>()
  const answer = useAnswer('checkpoints', { limit }, ['state'])
  return (
    <AnswerView answer={answer}>
      {({ checkpoints, total, problems }) => (
        <div className="stack">
          <h2>{words.tabs.checkpoints}</h2>
          <Problems problems={problems} />
          {total === 0 ? (
            <div className="panel">
              <p>{words.noCheckpoints}</p>
            </div>
          ) : (
            <p className="soft">{words.checkpointsAbout}</p>
          )}
          <ol className="plain-list stack">
            {checkpoints.map(({ id, createdAt, isLatest }) => (
              <li key={id} className="panel stack">
                <div className="row">
                  <strong>
                    <Moment at={createdAt} isFull />
                  </strong>
                  {isLatest && <span className="chip good">{words.latest}</span>}
                  <code className="soft small">{id}</code>
                  <span className="spring" />
                  <Button
                    aria-expanded={chosen === id}
                    onClick={() => setChosen(chosen === id ? undefined : id)}
                  >
                    {chosen === id ? words.hide : words.show}
                  </Button>
                </div>
                {chosen === id && (
                  <Checkpoint
                    id={id}
                    isLatest={isLatest}
                    latest={checkpoints.find(one => one.isLatest)?.id ?? null}
                  />
                )}
              </li>
            ))}
          </ol>
          {total > checkpoints.length && <Button onClick={() => setLimit(limit + PAGE)}>{words.more}</Button>}
        </div>
      )}
    </AnswerView>
  )
}

function Checkpoint({
  id,
  isLatest,
  latest,
}: {
  readonly id: string
  readonly isLatest: boolean
  readonly latest: string | null
}) {
  const words = useWords(stateWords)
  const formats = useFormats()
  const answer = useAnswer('checkpointShow', { id }, ['state'])
  const restore = async (createdAt: string) => {
    try {
      const { isChanged } = await call('recall', { restore: id })
      notifyChange()
      showToast(
        isChanged ? words.restored(formats.moment(createdAt)) : words.recalledSame,
        isChanged && latest !== null
          ? { action: { label: words.undo, run: () => void bringBack(latest, words.undone) } }
          : {},
      )
    } catch (error) {
      showFailure(error)
    }
  }
  return (
    <AnswerView answer={answer}>
      {({ createdAt, reason, bundle, changes, problems }) => (
        <div className="stack">
          <p className="soft">
            {words.reason}: {reason}
          </p>
          <Problems problems={problems} />
          <h3>{words.changedSince}</h3>
          <Changes changes={changes} />
          {!isLatest && changes.length > 0 && (
            <div>
              <Button needs="write" onClick={() => void restore(createdAt)}>
                {words.restore}
              </Button>
            </div>
          )}
          <h3>{words.content}</h3>
          <BundleView bundle={bundle} />
        </div>
      )}
    </AnswerView>
  )
}
