import { useTokenState } from '../api/token.ts'
import { useAnswer } from '../api/use-answer.ts'
import { useWords } from '../language/language.tsx'
import { AnswerView } from '../ui/answer-view.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { ProgressBar } from '../ui/meter.tsx'
import { Moment } from '../ui/moment.tsx'
import { FailureText } from '../ui/server-message.tsx'
import { UpkeepReason, upkeepReasonWords } from '../ui/upkeep-reason.tsx'
import { visibleText } from '../ui/visible-text.ts'
import { type Compaction, runUpkeep, type Step, type UpkeepRun, useUpkeep } from './upkeep.ts'
import { upkeepWords } from './upkeep-words.ts'

/** Upkeep runs of this page and earlier ones, and a button that runs upkeep. */
export function UpkeepDialog({ onClose }: { onClose(): void }) {
  const words = useWords(upkeepWords)
  const tokenState = useTokenState()
  const { runs, running } = useUpkeep()
  const status = useAnswer('status', {}, ['upkeep', 'config'])
  return (
    <Dialog title={words.title} onClose={onClose} className="wide">
      <p>{words.what}</p>
      {tokenState !== 'present' && <p className="notice warn">{words.needsToken}</p>}
      <div className="row">
        <Button
          variant="primary"
          disabled={running !== undefined || tokenState !== 'present'}
          onClick={() => void runUpkeep({ isAsked: true })}
        >
          {words.runNow}
        </Button>
        {running !== undefined && (
          <ProgressBar label={words.running} done={running.done} total={running.total} />
        )}
      </div>
      <h3>{words.inThisTab}</h3>
      {runs.length === 0 && <p className="soft">{words.none}</p>}
      <ol className="runs">
        {runs.map(run => (
          <li key={run.kind === 'done' ? run.result.timestamp : run.at}>
            <RunLine run={run} />
          </li>
        ))}
      </ol>
      <h3>{words.lastBefore}</h3>
      <AnswerView answer={status}>
        {({ upkeep }) =>
          upkeep.last === null ? (
            <p className="soft">{words.never}</p>
          ) : (
            <div className="stack">
              <Moment at={upkeep.last.timestamp} isFull />
              <Counts result={upkeep.last} />
            </div>
          )
        }
      </AnswerView>
    </Dialog>
  )
}

function RunLine({ run }: { readonly run: UpkeepRun }) {
  const words = useWords(upkeepWords)
  if (run.kind === 'failed')
    return (
      <div className="notice bad">
        <Moment at={run.at} isFull /> {words.failed}: <FailureText failure={run.failure} />
      </div>
    )
  return (
    <>
      <div>
        <Moment at={run.result.timestamp} isFull />{' '}
        <span className="soft small">
          {run.isAsked ? words.manual : words.automatic}, {run.result.ms} ms
        </span>
      </div>
      <Counts result={run.result} />
      <Steps steps={run.steps} />
    </>
  )
}

function Counts({ result }: { readonly result: Compaction }) {
  const words = useWords(upkeepWords)
  const names = Object.keys(words.counts) as (keyof typeof words.counts)[]
  const done = names.filter(name => result[name] > 0)
  return (
    <>
      {done.length === 0 && <p className="soft">{words.nothing}</p>}
      {done.length > 0 && (
        <ul>
          {done.map(name => (
            <li key={name}>
              <strong>{result[name]}</strong> {words.counts[name]}
            </li>
          ))}
        </ul>
      )}
      {result.isPartial && <p className="notice warn">{words.partial}</p>}
    </>
  )
}

function Steps({ steps }: { readonly steps: readonly Step[] }) {
  const words = useWords(upkeepReasonWords)
  return steps
    .filter(({ items }) => items.length > 0)
    .map(({ does, count, items }) => (
      <details key={does}>
        <summary>
          {words.does[does]} ({count})
        </summary>
        <ul>
          {items.slice(0, 50).map(({ what, because, text }) => (
            <li key={what}>
              <code>{visibleText(what)}</code> {visibleText(text ?? '')} <UpkeepReason because={because} />
            </li>
          ))}
        </ul>
      </details>
    ))
}
