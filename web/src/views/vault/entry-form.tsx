import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import type { Category } from '../../../../src/kernel/model/category.ts'
import type { Status } from '../../../../src/kernel/model/entry.ts'
import { call } from '../../api/client.ts'
import { notifyChange } from '../../api/live.ts'
import { useWords } from '../../language/language.tsx'
import { Button } from '../../ui/button.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { showFailure, showToast } from '../../ui/toasts.tsx'
import { undoToast } from '../../ui/undo-toast.ts'
import { CompareVersions } from './compare-versions.tsx'
import { type Draft, draftOf, dropDraft, saveDraft } from './drafts.ts'
import { editWords } from './edit-words.ts'
import { changedFields, readList, saveEdit } from './edits.ts'
import { STATUSES, TABS } from './list-params.ts'
import type { Entry } from './pages.ts'
import { AGENTS_LIST, KINDS_LIST } from './suggestions.tsx'
import { vaultWords } from './words.ts'

function draftFrom(entry: Entry): Draft {
  return {
    seen: entry.content,
    content: entry.content,
    kind: entry.kind,
    tags: entry.tags.join(', '),
    files: entry.files.join(', '),
    status: entry.status,
    category: entry.category,
    agent: entry.agent,
  }
}

/** Edits an entry in the list. The draft is stored until it is saved or discarded. */
export function EntryForm({
  entry,
  isGone = false,
  onLeave,
  onSaved,
}: {
  /** The current version, changed by anyone. */
  readonly entry: Entry
  readonly isGone?: boolean
  onLeave(): void
  onSaved(entry: Entry): void
}) {
  const words = useWords(editWords)
  const vault = useWords(vaultWords)
  const [draft, setDraft] = useState(() => draftOf(entry.id) ?? draftFrom(entry))
  const [theirs, setTheirs] = useState<string>()
  const [isMissing, setMissing] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const isChangedUnder = entry.content !== draft.seen
  const gone = isGone || isMissing

  const change = (part: Partial<Draft>) => {
    const next = { ...draft, ...part }
    setDraft(next)
    if (JSON.stringify(next) === JSON.stringify(draftFrom(entry))) dropDraft(entry.id)
    else saveDraft(entry.id, next)
  }

  const finish = (text: string, record: string | null, saved: Entry) => {
    dropDraft(entry.id)
    undoToast(text, record)
    onSaved(saved)
    onLeave()
    notifyChange()
  }

  const save = async (content: string, seen: string) => {
    if (content.trim() === '') return showToast(words.needed, { variant: 'bad' })
    const edited = { ...fieldsOf(draft, entry), content }
    const changed = changedFields({ ...entry, content: seen }, edited)
    // A new kind alone would move the entry to the default category of that kind. It stays in the category of the form.
    const fields = changed.kind === undefined ? changed : { ...changed, category: edited.category }
    if (Object.keys(fields).length === 0) {
      dropDraft(entry.id)
      return onLeave()
    }
    setBusy(true)
    try {
      const saved = await saveEdit(entry.id, fields, seen)
      if (saved.kind === 'changed') setTheirs(saved.current)
      else if (saved.kind === 'gone') setMissing(true)
      else {
        const { redacted } = saved.answer
        const text = redacted.length > 0 ? `${vault.saved} ${vault.redacted(redacted.length)}` : vault.saved
        finish(text, saved.answer.record, saved.answer.entry)
      }
    } catch (error) {
      showFailure(error)
    } finally {
      setBusy(false)
    }
  }

  const keepAsNew = async () => {
    setBusy(true)
    try {
      const { agent, category, kind, content } = draft
      const answer = await call('remember', {
        content,
        agent,
        category: category as Category,
        kind,
        tags: readList(draft.tags),
        files: readList(draft.files),
      })
      finish(vault.created, answer.record, answer.entry)
    } catch (error) {
      showFailure(error)
    } finally {
      setBusy(false)
    }
  }

  const keys = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') {
      event.preventDefault()
      event.stopPropagation()
      onLeave()
    } else if (event.key === 'Enter' && !event.shiftKey && isTextual(event.target)) {
      event.preventDefault()
      void save(draft.content, draft.seen)
    }
  }

  useEffect(() => {
    form.current?.querySelector('textarea')?.focus({ preventScroll: true })
    form.current?.scrollIntoView({ block: 'nearest' })
  }, [])

  if (theirs !== undefined && !gone) {
    return (
      <CompareVersions
        mine={draft.content}
        theirs={theirs}
        isBusy={isBusy}
        onMine={text => {
          change({ content: text, seen: theirs })
          void save(text, theirs)
        }}
        onTheirs={() => {
          dropDraft(entry.id)
          onLeave()
        }}
      />
    )
  }
  return (
    <form
      ref={form}
      className="editor stack"
      aria-label={vault.edit}
      onKeyDown={keys}
      onSubmit={event => {
        event.preventDefault()
        void save(draft.content, draft.seen)
      }}
    >
      {gone ? (
        <p className="notice bad row" role="alert">
          {words.goneUnder}
          <Button disabled={isBusy} onClick={() => void keepAsNew()}>
            {words.saveAsNew}
          </Button>
        </p>
      ) : (
        isChangedUnder && (
          <p className="notice warn row" role="alert">
            {words.changedUnder}
            <Button onClick={() => setTheirs(entry.content)}>{words.compare}</Button>
          </p>
        )
      )}
      <Field label={words.content} hint={words.editHint}>
        {ids => <GrowingText {...ids} value={draft.content} onType={content => change({ content })} />}
      </Field>
      <div className="editor-fields">
        <Field label={words.kind}>
          {ids => (
            <input
              {...ids}
              list={KINDS_LIST}
              value={draft.kind}
              onChange={event => change({ kind: event.target.value })}
            />
          )}
        </Field>
        <Select
          label={words.status}
          value={draft.status}
          choices={STATUSES.map(value => ({ value: value as string, label: vault[value] }))}
          onChoose={status => change({ status })}
        />
        <Select
          label={words.category}
          value={draft.category}
          choices={TABS.map(value => ({ value: value as string, label: vault[value] }))}
          onChoose={category => change({ category })}
        />
        <Field label={words.agent}>
          {ids => (
            <input
              {...ids}
              list={AGENTS_LIST}
              value={draft.agent}
              onChange={event => change({ agent: event.target.value })}
            />
          )}
        </Field>
        <Field label={words.tags} hint={words.tagsHint}>
          {ids => (
            <input {...ids} value={draft.tags} onChange={event => change({ tags: event.target.value })} />
          )}
        </Field>
        <Field label={words.files} hint={words.filesHint}>
          {ids => (
            <input {...ids} value={draft.files} onChange={event => change({ files: event.target.value })} />
          )}
        </Field>
      </div>
      <div className="row">
        <Button variant="primary" type="submit" disabled={isBusy || gone}>
          {words.save}
        </Button>
        <Button onClick={onLeave}>{words.cancel}</Button>
      </div>
    </form>
  )
}

function fieldsOf(draft: Draft, entry: Entry) {
  return {
    content: draft.content,
    kind: draft.kind.trim() === '' ? entry.kind : draft.kind.trim(),
    tags: readList(draft.tags),
    files: readList(draft.files),
    status: draft.status as Status,
    category: draft.category as Category,
    agent: draft.agent.trim() === '' ? entry.agent : draft.agent.trim(),
    importance: entry.importance,
  }
}

/** Enter in a select or on a button keeps its default action. */
function isTextual(target: EventTarget): boolean {
  return target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement
}

/** Grows with its content. */
function GrowingText({
  value,
  onType,
  ...ids
}: {
  readonly id: string
  readonly 'aria-describedby'?: string
  readonly value: string
  onType(value: string): void
}) {
  const area = useRef<HTMLTextAreaElement>(null)
  const label = useId()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height depends on the value.
  useLayoutEffect(() => {
    const element = area.current
    if (element === null) return
    element.style.height = 'auto'
    element.style.height = `${element.scrollHeight + 2}px`
  }, [value])
  return (
    <textarea
      {...ids}
      key={label}
      ref={area}
      className="growing"
      value={value}
      onChange={event => onType(event.target.value)}
    />
  )
}
