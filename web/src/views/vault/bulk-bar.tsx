import { useRef, useState } from 'react'
import type { ApiError } from '../../api/client.ts'
import { notifyChange } from '../../api/live.ts'
import { currentLanguage, useLanguage, useWords } from '../../language/language.tsx'
import { translateFailure } from '../../language/server-messages.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { showFailure, showToast } from '../../ui/toasts.tsx'
import { undoAll, undoToast } from '../../ui/undo-toast.ts'
import { type BulkAction, runInBulk } from './bulk.ts'
import { bulkWords } from './bulk-words.ts'
import { readList } from './edits.ts'
import { asJson, asMarkdown, download } from './export-entries.ts'
import { TABS } from './list-params.ts'
import type { Entry } from './pages.ts'
import { AGENTS_LIST, KINDS_LIST } from './suggestions.tsx'
import { vaultWords } from './words.ts'

/** The actions for all selected entries. */
export function BulkBar({
  selected,
  total,
  isReadOnly,
  onAll,
  onNone,
  onRemoved,
}: {
  readonly selected: ReadonlyMap<string, Entry>
  readonly total: number
  readonly isReadOnly: boolean
  onAll(): void
  onNone(): void
  onRemoved(ids: readonly string[]): void
}) {
  const words = useWords(bulkWords)
  const { language } = useLanguage()
  const [progress, setProgress] = useState<{
    readonly done: number
    readonly total: number
    readonly what: string
  }>()
  const [isChanging, setChanging] = useState(false)
  const stopping = useRef<AbortController>(undefined)
  const number = (value: number) => value.toLocaleString(language)
  const entries = [...selected.values()]
  const isOff = isReadOnly || progress !== undefined

  const undoRecords = async (records: readonly string[]) => {
    const step = (done: number) => setProgress({ done, total: records.length, what: words.undoing })
    step(0)
    try {
      const { undone, failures } = await undoAll(records, step)
      showToast(words.undone(number(undone)))
      if (failures.length > 0)
        showToast(words.notUndone(number(failures.length), whyOf(failures)), { variant: 'bad' })
    } catch (error) {
      showFailure(error)
    } finally {
      setProgress(undefined)
      notifyChange()
    }
  }

  const run = async (action: BulkAction, what: string) => {
    stopping.current = new AbortController()
    const step = (done: number) => setProgress({ done, total: entries.length, what })
    step(0)
    try {
      const { done, records, failures } = await runInBulk(entries, action, {
        signal: stopping.current.signal,
        onProgress: step,
      })
      const count = number(done.length)
      undoToast(action.kind === 'remove' ? words.removed(count) : words.done(count), records, {
        undo: undoRecords,
      })
      if (failures.length > 0)
        showToast(words.failed(number(failures.length), whyOf(failures)), { variant: 'bad' })
      if (action.kind === 'remove') onRemoved(done)
      else onNone()
    } catch (error) {
      showFailure(error)
    } finally {
      setProgress(undefined)
      notifyChange()
    }
  }

  if (selected.size === 0 && progress === undefined) return null
  return (
    <section className="bulk" aria-label={words.bulk}>
      {progress === undefined ? (
        <>
          <strong>{words.selected(number(selected.size))}</strong>
          {selected.size < total && (
            <Button variant="plain" onClick={onAll}>
              {words.all(number(total))}
            </Button>
          )}
          <Button variant="plain" onClick={onNone}>
            {words.none}
          </Button>
          <span className="spring" />
          <Button disabled={isOff} onClick={() => void run({ kind: 'pin', isPinned: true }, words.pin)}>
            {words.pin}
          </Button>
          <Button disabled={isOff} onClick={() => void run({ kind: 'pin', isPinned: false }, words.unpin)}>
            {words.unpin}
          </Button>
          <Button disabled={isOff} onClick={() => setChanging(true)}>
            {words.change}
          </Button>
          <Button onClick={() => download('memories.md', 'text/markdown', asMarkdown(entries))}>
            {words.exportMarkdown}
          </Button>
          <Button onClick={() => download('memories.json', 'application/json', asJson(entries))}>
            {words.exportJson}
          </Button>
          <Button
            variant="danger"
            disabled={isOff}
            onClick={() => void run({ kind: 'remove' }, words.remove)}
          >
            {words.remove}
          </Button>
        </>
      ) : (
        <div className="row" role="status">
          <strong>{progress.what}</strong>
          <progress max={Math.max(1, progress.total)} value={progress.done} aria-label={progress.what} />
          <span className="soft">{words.progress(number(progress.done), number(progress.total))}</span>
          <Button onClick={() => stopping.current?.abort()}>{words.stop}</Button>
        </div>
      )}
      {isChanging && (
        <ChangeDialog
          onClose={() => setChanging(false)}
          onApply={action => {
            setChanging(false)
            void run(action, words.changeTitle)
          }}
        />
      )}
    </section>
  )
}

function ChangeDialog({ onApply, onClose }: { onApply(action: BulkAction): void; onClose(): void }) {
  const words = useWords(bulkWords)
  const vault = useWords(vaultWords)
  const [addTags, setAddTags] = useState('')
  const [removeTags, setRemoveTags] = useState('')
  const [newKind, setNewKind] = useState('')
  const [agent, setAgent] = useState('')
  const [category, setCategory] = useState('')
  const isEmpty = [addTags, removeTags, newKind, agent, category].every(value => value.trim() === '')
  const field = (label: string, value: string, set: (value: string) => void, list?: string) => (
    <Field label={label} {...(list === undefined && { hint: words.tagsHint })}>
      {ids => (
        <input
          {...ids}
          value={value}
          {...(list !== undefined && { list, placeholder: words.noChange })}
          onChange={event => set(event.target.value)}
        />
      )}
    </Field>
  )
  return (
    <Dialog title={words.changeTitle} onClose={onClose}>
      <form
        className="stack"
        onSubmit={event => {
          event.preventDefault()
          onApply({
            kind: 'change',
            addTags: readList(addTags).map(tag => tag.replace(/^#/, '')),
            removeTags: readList(removeTags).map(tag => tag.replace(/^#/, '')),
            newKind: newKind.trim(),
            agent: agent.trim(),
            category,
          })
        }}
      >
        <div className="editor-fields">
          {field(words.addTags, addTags, setAddTags)}
          {field(words.removeTags, removeTags, setRemoveTags)}
          {field(words.kind, newKind, setNewKind, KINDS_LIST)}
          {field(words.agent, agent, setAgent, AGENTS_LIST)}
          <Select
            label={words.category}
            value={category}
            choices={[
              { value: '', label: words.noChange },
              ...TABS.map(value => ({ value: value as string, label: vault[value] })),
            ]}
            onChoose={setCategory}
          />
        </div>
        <div className="row">
          <Button variant="primary" type="submit" disabled={isEmpty}>
            {words.apply}
          </Button>
          <Button onClick={onClose}>{words.cancel}</Button>
        </div>
      </form>
    </Dialog>
  )
}

/** The reason of the first failure. */
function whyOf([first]: readonly ApiError[]): string {
  return first === undefined ? '' : translateFailure(first, currentLanguage()).text
}
