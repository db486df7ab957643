import { useId, useState } from 'react'
import { useAnswer } from '../../api/use-answer.ts'
import { useWords } from '../../language/language.tsx'
import { linkTo } from '../../router.ts'
import { AnswerView } from '../../ui/answer-view.tsx'
import { Button } from '../../ui/button.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { ProgressBar } from '../../ui/meter.tsx'
import { FailureText, NoticeText } from '../../ui/server-message.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import { type Format, type ImportSource, importSourcesOf, type Outcome } from './import-model.ts'
import { Obsidian } from './obsidian.tsx'
import { type ImportRun, type Row, recordsOf, useImport } from './use-import.ts'
import { importWords } from './words.ts'
import '../../ui/overview.css'
import './import.css'

type Named = Extract<ImportSource, { kind: 'named' }>

/** Three steps: choose sources, preview, import. */
export default function ImportView() {
  const words = useWords(importWords)
  const [outside, setOutside] = useState(false)
  const [named, setNamed] = useState<readonly Named[]>([])
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const { run, begin, stop, undo, reset } = useImport()
  const discovered = useAnswer('importDiscover', outside ? { outside: true } : {}, [])
  const isRunning = run?.isRunning === true
  const step = run === undefined ? 1 : run.isDryRun ? 2 : 3
  return (
    <div className="stack overview">
      <h1>{words.title}</h1>
      <p className="soft">{words.about}</p>
      <ol className="row plain-list steps" aria-label={words.steps}>
        {words.stepNames.map((name, at) => (
          <li
            key={name}
            className={at + 1 === step ? 'chip info' : 'chip'}
            aria-current={at + 1 === step ? 'step' : undefined}
          >
            {at + 1}. {name}
          </li>
        ))}
      </ol>
      {run === undefined ? (
        <AnswerView answer={discovered}>
          {({ found }) => {
            const choices = importSourcesOf(found, named)
            const picked = choices.filter(({ key }) => chosen.has(key))
            return (
              <>
                <ChooseSources
                  choices={choices}
                  hasFound={found.length > 0}
                  chosen={chosen}
                  onChosen={setChosen}
                  outside={outside}
                  onOutside={setOutside}
                />
                <NameOne
                  onAdd={one => {
                    setNamed([...named.filter(({ key }) => key !== one.key), one])
                    setChosen(new Set([...chosen, one.key]))
                  }}
                />
                <div className="row">
                  <Button
                    variant="primary"
                    disabled={picked.length === 0}
                    onClick={() => void begin(picked, true)}
                  >
                    {words.preview(picked.length)}
                  </Button>
                  {picked.length === 0 && <span className="soft">{words.chooseFirst}</span>}
                </div>
                <Obsidian />
              </>
            )
          }}
        </AnswerView>
      ) : (
        <>
          <RunTable run={run} />
          <div className="row">
            {isRunning ? (
              <Button onClick={stop} disabled={run.isStopping}>
                {run.isDryRun ? words.cancel : words.stop}
              </Button>
            ) : run.isDryRun ? (
              <>
                <Button
                  variant="primary"
                  onClick={() => void begin(usable(run), false)}
                  disabled={usable(run).length === 0}
                >
                  {words.import(usable(run).length)}
                </Button>
                <Button onClick={reset}>{words.back}</Button>
              </>
            ) : (
              <>
                {run.isUndone ? (
                  <span role="status">{words.undone}</span>
                ) : (
                  recordsOf(run).length > 0 && <Button onClick={() => void undo()}>{words.undo}</Button>
                )}
                <Button onClick={reset}>{words.again}</Button>
                <a href={linkTo('vault')}>{words.toMemories}</a>
                <a href={linkTo('review')}>{words.toReview}</a>
              </>
            )}
          </div>
          {run.isStopping && !run.isDryRun && <p role="status">{words.stopping}</p>}
        </>
      )}
    </div>
  )
}

/** The sources that the preview could read. */
function usable({ choices, rows }: ImportRun): readonly ImportSource[] {
  return choices.filter(({ key }) => rows[key]?.state === 'done')
}

function addedBy({ rows }: ImportRun): number {
  return Object.values(rows).reduce((sum, row) => sum + (row.state === 'done' ? row.outcome.added : 0), 0)
}

function ChooseSources({
  choices,
  hasFound,
  chosen,
  onChosen,
  outside,
  onOutside,
}: {
  readonly choices: readonly ImportSource[]
  readonly hasFound: boolean
  readonly chosen: ReadonlySet<string>
  onChosen(chosen: ReadonlySet<string>): void
  readonly outside: boolean
  onOutside(outside: boolean): void
}) {
  const words = useWords(importWords)
  return (
    <fieldset className="panel stack sources">
      <legend>{words.foundSources}</legend>
      {!hasFound && <p className="soft">{words.nothingFound}</p>}
      <ul className="plain-list">
        {choices.map(choice => (
          <li key={choice.key}>
            <SourceChoice
              choice={choice}
              isChosen={chosen.has(choice.key)}
              onChosen={isChosen => {
                const next = new Set(chosen)
                if (isChosen) next.add(choice.key)
                else next.delete(choice.key)
                onChosen(next)
              }}
            />
          </li>
        ))}
      </ul>
      <label className="row">
        <input type="checkbox" checked={outside} onChange={event => onOutside(event.target.checked)} />
        {words.scanOutside}
      </label>
    </fieldset>
  )
}

function SourceChoice({
  choice,
  isChosen,
  onChosen,
}: {
  readonly choice: ImportSource
  readonly isChosen: boolean
  onChosen(isChosen: boolean): void
}) {
  const words = useWords(importWords)
  const about = useId()
  const title = useTitle()(choice)
  return (
    <div className="source">
      <label className="row">
        <input
          type="checkbox"
          checked={isChosen}
          aria-describedby={about}
          onChange={event => onChosen(event.target.checked)}
        />
        <strong>{title}</strong>
        {choice.kind === 'found' && choice.found.count !== null && (
          <span className="soft">
            {choice.found.count} {visibleText(choice.found.unit)}
          </span>
        )}
        {choice.kind === 'found' && choice.found.count === null && (
          <span className="soft">{words.notScanned}</span>
        )}
      </label>
      <div id={about} className="soft small source-about">
        {choice.kind === 'sessions'
          ? words.sessionsBecome
          : choice.kind === 'named'
            ? words.namedBecome
            : (words.become[choice.found.format] ?? words.namedBecome)}
        {choice.kind === 'found' && (
          <div>
            <code>{visibleText(choice.found.path)}</code>
          </div>
        )}
      </div>
    </div>
  )
}

function useTitle(): (choice: ImportSource) => string {
  const words = useWords(importWords)
  return choice => {
    if (choice.kind === 'sessions') return words.sessions
    if (choice.kind === 'named') return choice.file
    return words.formats[choice.found.format] ?? choice.found.format
  }
}

function NameOne({ onAdd }: { onAdd(choice: Named): void }) {
  const words = useWords(importWords)
  const [file, setFile] = useState('')
  const [from, setFrom] = useState<Format | ''>('')
  return (
    <form
      className="panel row foot"
      onSubmit={event => {
        event.preventDefault()
        const name = file.trim()
        if (name === '') return
        onAdd({ kind: 'named', key: `named ${from} ${name}`, file: name, from })
        setFile('')
      }}
    >
      <Field label={words.file} hint={words.fileHint}>
        {ids => <input {...ids} value={file} onChange={event => setFile(event.target.value)} />}
      </Field>
      <Select<Format | ''>
        label={words.format}
        hint={words.formatHint}
        value={from}
        choices={[
          { value: '', label: words.detect },
          ...(Object.keys(words.formats) as Format[]).map(value => ({
            value,
            label: words.formats[value] ?? value,
          })),
        ]}
        onChoose={setFrom}
      />
      <Button type="submit" disabled={file.trim() === ''}>
        {words.add}
      </Button>
    </form>
  )
}

function RunTable({ run }: { readonly run: ImportRun }) {
  const words = useWords(importWords)
  const title = useTitle()
  const done = run.choices.filter(({ key }) => {
    const state = run.rows[key]?.state
    return state !== 'waiting' && state !== 'working'
  }).length
  const waiting = Math.max(
    0,
    ...Object.values(run.rows).map(row => (row.state === 'done' ? row.outcome.vectorsWaiting : 0)),
  )
  return (
    <section className="stack">
      <h2>
        {run.isDryRun ? words.wouldBring : run.isRunning ? words.importing : words.imported(addedBy(run))}
      </h2>
      {run.isRunning && <ProgressBar label={words.sourcesDone} done={done} total={run.choices.length} />}
      <ul className="plain-list stack">
        {run.choices.map(choice => (
          <li key={choice.key} className="panel stack">
            <h3>{visibleText(title(choice))}</h3>
            <RowView row={run.rows[choice.key] ?? { state: 'waiting' }} isDryRun={run.isDryRun} />
          </li>
        ))}
      </ul>
      {!run.isDryRun && waiting > 0 && <p className="soft">{words.vectorsWait(waiting)}</p>}
    </section>
  )
}

function RowView({ row, isDryRun }: { readonly row: Row; readonly isDryRun: boolean }) {
  const words = useWords(importWords)
  switch (row.state) {
    case 'waiting':
      return <p className="soft">{words.waits}</p>
    case 'skipped':
      return <p className="soft">{words.skipped}</p>
    case 'working':
      return (
        <ProgressBar
          label={words.progress[row.progress.what] ?? words.working}
          done={row.progress.done}
          total={row.progress.total}
        />
      )
    case 'failed':
      return (
        <div className="notice bad" role="alert">
          <FailureText failure={row.error} />
        </div>
      )
    case 'done':
      return <OutcomeView outcome={row.outcome} isDryRun={isDryRun} />
  }
}

function OutcomeView({ outcome, isDryRun }: { readonly outcome: Outcome; readonly isDryRun: boolean }) {
  const words = useWords(importWords)
  const { added, duplicates, redacted, failed, failures, went } = outcome
  return (
    <>
      <div className="row">
        <span className={`chip ${added > 0 ? 'good' : ''}`}>
          {isDryRun ? words.wouldAdd(added) : words.added(added)}
        </span>
        <span className="chip">{words.known(duplicates)}</span>
        {redacted > 0 && <span className="chip warn">{words.redacted(redacted)}</span>}
        {failed > 0 && <span className="chip bad">{words.failed(failed)}</span>}
      </div>
      {went.length > 0 && (
        <p className="soft small">
          {went.map(({ what, to, count }) => `${words.went[what] ?? what}: ${count} → ${to}`).join(', ')}
        </p>
      )}
      {failures.length > 0 && (
        <details>
          <summary>{words.troubles(failures.length)}</summary>
          <ul className="troubles">
            {failures.map(trouble => (
              <li key={`${trouble.file} ${trouble.line ?? ''} ${trouble.message}`}>
                <code>
                  {visibleText(trouble.line === undefined ? trouble.file : `${trouble.file}:${trouble.line}`)}
                </code>{' '}
                <NoticeText notice={trouble} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}
