import { useState } from 'react'
import { type Answered, type Asked, call, callWithProgress, type Progress } from '../../api/client.ts'
import { notifyChange } from '../../api/live.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { useWords } from '../../language/language.tsx'
import { AnswerView } from '../../ui/answer-view.tsx'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/field.tsx'
import { ProgressBar } from '../../ui/meter.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Problems } from '../../ui/problems.tsx'
import { showFailure, showToast } from '../../ui/toasts.tsx'
import { BundleView } from './bundle.tsx'
import { Changes } from './changes.tsx'
import { SECTIONS, type Section } from './state-model.ts'
import { stateWords } from './words.ts'

const POLICIES = ['conservative', 'balanced', 'eager'] as const
/** Notices that this tab shows itself. */
const SHOWN_HERE = ['state_not_found']
type Policy = (typeof POLICIES)[number]

/** The current state, and the preview of a recall. */
export function NowTab() {
  const words = useWords(stateWords)
  const answer = useAnswer('query', { output: 'json', limit: 100 }, ['state', 'entries', 'sessions'])
  return (
    <AnswerView answer={answer} shownCodes={SHOWN_HERE}>
      {({ state, bundle, left, problems }) => (
        <div className="stack">
          <Problems problems={problems} />
          <Recall />
          {bundle === null || state === null ? (
            <div className="panel stack">
              <h2>{words.noneTitle}</h2>
              <p>{words.none}</p>
            </div>
          ) : (
            <>
              <h2>{words.current}</h2>
              <p className="soft">
                {words.madeAt} <Moment at={state.at} />
              </p>
              <BundleView bundle={bundle} />
              {left.map(({ what, count, why }) => (
                <p key={what} className="soft">
                  {words.leftOut(count, what)}: {why}
                </p>
              ))}
            </>
          )}
        </div>
      )}
    </AnswerView>
  )
}

/** Previews the changes of a recall, then applies exactly these. */
function Recall() {
  const words = useWords(stateWords)
  const [policy, setPolicy] = useState<Policy | ''>('')
  const [section, setSection] = useState<Section | 'all' | ''>('')
  const [preview, setPreview] = useState<Answered<'recall'>>()
  const [progress, setProgress] = useState<Progress>()
  const asked: Asked<'recall'> = {
    ...(policy !== '' && { policy }),
    ...(section !== '' && { section }),
  }
  const work = async (input: Asked<'recall'>): Promise<Answered<'recall'> | undefined> => {
    setProgress({ done: 0, what: '' })
    try {
      return await callWithProgress('recall', input, setProgress)
    } catch (error) {
      showFailure(error)
      return undefined
    } finally {
      setProgress(undefined)
    }
  }
  const apply = async () => {
    const before = await latestCheckpoint()
    const done = await work(asked)
    if (done === undefined) return
    setPreview(undefined)
    notifyChange()
    showToast(
      done.isChanged ? words.recalled(done.changes.length) : words.recalledSame,
      done.isChanged && before !== null
        ? { action: { label: words.undo, run: () => void bringBack(before, words.undone) } }
        : {},
    )
  }
  return (
    <section className="panel stack" aria-labelledby="recall">
      <h2 id="recall">{words.recall}</h2>
      <p className="soft">{words.recallAbout}</p>
      <div className="row foot">
        <Select<Policy | ''>
          label={words.policy}
          value={policy}
          choices={[
            { value: '', label: words.asSet },
            ...POLICIES.map(value => ({ value, label: words.policies[value] })),
          ]}
          onChoose={value => {
            setPolicy(value)
            setPreview(undefined)
          }}
        />
        <Select<Section | 'all' | ''>
          label={words.section}
          value={section}
          choices={[
            { value: '', label: words.asSet },
            { value: 'all', label: words.allSections },
            ...SECTIONS.map(value => ({ value, label: words.sections[value] })),
          ]}
          onChoose={value => {
            setSection(value)
            setPreview(undefined)
          }}
        />
        <Button
          needs="write"
          disabled={progress !== undefined}
          onClick={() => void work({ ...asked, dryRun: true }).then(setPreview)}
        >
          {words.preview}
        </Button>
        {preview?.isChanged && (
          <Button variant="primary" disabled={progress !== undefined} onClick={() => void apply()}>
            {words.apply}
          </Button>
        )}
      </div>
      {progress !== undefined && (
        <ProgressBar label={progress.what || words.working} done={progress.done} total={progress.total} />
      )}
      {preview !== undefined && (
        <div className="stack" aria-live="polite">
          <h3>{words.wouldChange}</h3>
          <p className="soft">
            {words.folds(preview.folded.events, preview.folded.entries, preview.folded.sources)}{' '}
            {preview.backlog > 0 && words.backlog(preview.backlog)}
          </p>
          {Object.entries(preview.crowdedOut)
            .filter(([, count]) => count > 0)
            .map(([name, count]) => (
              <p key={name} className="soft">
                {words.crowded(count, words.sections[name as Section] ?? name)}
              </p>
            ))}
          <Problems problems={preview.problems} />
          <Changes changes={preview.changes} />
        </div>
      )}
    </section>
  )
}

/** The checkpoint of the current state, for Undo. */
async function latestCheckpoint(): Promise<string | null> {
  try {
    const { checkpoints } = await call('checkpoints', { limit: 1 })
    return checkpoints.find(({ isLatest }) => isLatest)?.id ?? null
  } catch (error) {
    showFailure(error)
    return null
  }
}

/** Restores the state of a checkpoint. The replaced state becomes a checkpoint too. */
export async function bringBack(checkpoint: string, text: string): Promise<void> {
  try {
    await call('recall', { restore: checkpoint })
    notifyChange()
    showToast(text)
  } catch (error) {
    showFailure(error)
  }
}
