import { useState } from 'react'
import { type Answered as AnswerOf, call } from '../../api/client.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { useWords } from '../../language/language.tsx'
import { linkToEntry } from '../../router.ts'
import { AnswerView } from '../../ui/answer-view.tsx'
import { Button } from '../../ui/button.tsx'
import { EntryEditor } from '../../ui/entry-editor.tsx'
import { EntryFacts } from '../../ui/entry-facts.tsx'
import { Markdown } from '../../ui/markdown.tsx'
import { showFailure } from '../../ui/toasts.tsx'
import { undoToast } from '../../ui/undo-toast.ts'
import { visibleText } from '../../ui/visible-text.ts'
import { FileDiff } from './file-diff.tsx'
import { freshnessWords } from './words.ts'

type Found = AnswerOf<'fresh'>['entries'][number]
type Change = Found['freshness']['files'][number]
type Words = (typeof freshnessWords)['en']

const VARIANT = { fresh: 'chip', drifted: 'chip warn', orphaned: 'chip bad' } as const
const SIGN = { fresh: '✓', drifted: '≠', orphaned: '∅' } as const

/** An entry whose files changed, with the possible actions. */
export function DriftedEntry({
  found: { entry, freshness },
  isFirst,
  isSplit,
  onChanged,
}: {
  readonly found: Found
  readonly isFirst: boolean
  readonly isSplit: boolean
  onChanged(): void
}) {
  const words = useWords(freshnessWords)
  const [isEditing, setIsEditing] = useState(false)
  const [isOpen, setIsOpen] = useState(isFirst)
  const [isBusy, setIsBusy] = useState(false)
  const act = async (work: () => Promise<void>) => {
    setIsBusy(true)
    try {
      await work()
    } catch (error) {
      showFailure(error)
    } finally {
      setIsBusy(false)
      onChanged()
    }
  }
  const confirm = () =>
    act(async () => {
      const { record } = await call('confirm', { target: entry.id })
      undoToast(words.confirmed, record)
    })
  const forget = () =>
    act(async () => {
      const { record } = await call('forget', { target: entry.id })
      undoToast(words.deleted, record)
    })
  return (
    <li className="panel stack">
      <div className="row">
        <span className={VARIANT[freshness.state]}>
          <span aria-hidden="true">{SIGN[freshness.state]} </span>
          {words.states[freshness.state]}
        </span>
        <EntryFacts entry={entry} />
      </div>
      {isEditing ? (
        <EntryEditor
          entry={entry}
          saved={words.edited}
          onLeave={() => {
            setIsEditing(false)
            onChanged()
          }}
        />
      ) : (
        <Markdown text={entry.content} />
      )}
      <ul className="changes">
        {freshness.files.map(change => (
          <li key={change.file}>
            <code>{visibleText(change.file)}</code> {changeText(change, words)}
          </li>
        ))}
      </ul>
      <div className="row">
        <Button variant="primary" disabled={isBusy} onClick={() => void confirm()}>
          {words.stillTrue}
        </Button>
        <Button disabled={isBusy || isEditing} onClick={() => setIsEditing(true)}>
          {words.edit}
        </Button>
        <Button variant="danger" disabled={isBusy} onClick={() => void forget()}>
          {words.forget}
        </Button>
        <a href={linkToEntry(entry.id)}>{words.open}</a>
      </div>
      <details open={isOpen} onToggle={event => setIsOpen(event.currentTarget.open)}>
        <summary>{words.diff}</summary>
        {isOpen && <Drift target={entry.id} isSplit={isSplit} />}
      </details>
    </li>
  )
}

function Drift({ target, isSplit }: { readonly target: string; readonly isSplit: boolean }) {
  const words = useWords(freshnessWords)
  const answer = useAnswer('drift', { target }, ['entries'])
  return (
    <AnswerView answer={answer}>
      {({ commit, files }) => (
        <div className="stack">
          {commit !== undefined && <p className="soft">{words.since(commit.slice(0, 12))}</p>}
          {files.length === 0 && <p>{words.noFiles}</p>}
          {files.map(file => (
            <FileDiff key={file.file} file={file} isSplit={isSplit} />
          ))}
        </div>
      )}
    </AnswerView>
  )
}

function changeText(change: Change, words: Words): string {
  if (!('to' in change) || change.to === undefined) return words.whats[change.what] ?? change.what
  const to = visibleText(change.to)
  return change.what === 'changed' ? words.movedAndChanged(to) : words.movedTo(to)
}
