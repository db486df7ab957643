import { useEffect, useState } from 'react'
import type { Category } from '../../../../src/kernel/model/category.ts'
import { call } from '../../api/client.ts'
import { notifyChange } from '../../api/live.ts'
import { useWords } from '../../language/language.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { Markdown } from '../../ui/markdown.tsx'
import { showFailure, showToast } from '../../ui/toasts.tsx'
import { undoToast } from '../../ui/undo-toast.ts'
import { editWords } from './edit-words.ts'
import { readList } from './edits.ts'
import { TABS } from './list-params.ts'
import type { Entry } from './pages.ts'
import { AGENTS_LIST, KINDS_LIST } from './suggestions.tsx'
import { vaultWords } from './words.ts'

/** An unsaved draft is restored when the dialog opens again. */
const KEY = 'cairn-new-entry'

/** The dialog for a new entry. */
export function NewEntry({
  agent: chosenAgent,
  category: chosenCategory,
  onCreated,
  onClose,
}: {
  readonly agent: string
  readonly category: Category
  onCreated(entry: Entry): void
  onClose(): void
}) {
  const words = useWords(editWords)
  const vault = useWords(vaultWords)
  const [content, setContent] = useState(
    () => sessionStorage.getItem(KEY) ?? (chosenCategory === 'tasks' ? '- [ ] ' : ''),
  )
  const [kind, setKind] = useState('')
  const [agent, setAgent] = useState(chosenAgent)
  const [category, setCategory] = useState<Category | ''>(chosenCategory)
  const [tags, setTags] = useState('')
  const [files, setFiles] = useState('')
  const [isPinned, setPinned] = useState(false)
  const [isPrivate, setPrivate] = useState(false)
  const [isPreview, setPreview] = useState(false)
  const [isBusy, setBusy] = useState(false)
  useEffect(() => {
    if (content.trim() === '') sessionStorage.removeItem(KEY)
    else sessionStorage.setItem(KEY, content)
  }, [content])

  const save = async () => {
    if (content.replace(/^- \[ \]/, '').trim() === '') return showToast(words.needed, { variant: 'bad' })
    setBusy(true)
    try {
      const answer = await call('remember', {
        content,
        ...(kind.trim() !== '' && { kind: kind.trim() }),
        ...(category !== '' && { category }),
        ...(agent.trim() !== '' && !isPrivate && { agent: agent.trim() }),
        ...(isPrivate && { private: true }),
        ...(isPinned && { status: 'pinned' as const }),
        tags: readList(tags),
        files: readList(files),
      })
      sessionStorage.removeItem(KEY)
      const redacted = answer.redacted.length > 0 ? ` ${vault.redacted(answer.redacted.length)}` : ''
      if (answer.duplicate) showToast(`${vault.duplicate}${redacted}`)
      else undoToast(`${vault.created}${redacted}`, answer.record)
      onCreated(answer.entry)
      onClose()
      notifyChange()
    } catch (error) {
      showFailure(error)
    } finally {
      setBusy(false)
    }
  }

  return (
    <Dialog title={words.newEntry} onClose={onClose}>
      <form
        className="stack"
        onSubmit={event => {
          event.preventDefault()
          void save()
        }}
        onKeyDown={event => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
          event.preventDefault()
          void save()
        }}
      >
        {isPreview ? (
          <section className="preview panel" aria-label={words.preview}>
            <Markdown text={content} />
          </section>
        ) : (
          <Field label={words.content} hint={`${words.contentHint} ${words.newHint}`}>
            {ids => (
              <textarea
                {...ids}
                rows={7}
                value={content}
                autoFocus
                // The text of a task starts after its checkbox.
                onFocus={({ target }) => target.setSelectionRange(target.value.length, target.value.length)}
                onChange={event => setContent(event.target.value)}
              />
            )}
          </Field>
        )}
        <div className="editor-fields">
          <Select<Category | ''>
            label={words.category}
            value={category}
            choices={[
              { value: '', label: words.byKind },
              ...TABS.map(value => ({ value, label: vault[value] })),
            ]}
            onChoose={setCategory}
          />
          <Field label={words.kind}>
            {ids => (
              <input
                {...ids}
                list={KINDS_LIST}
                value={kind}
                onChange={event => setKind(event.target.value)}
              />
            )}
          </Field>
          <Field label={words.agent}>
            {ids => (
              <input
                {...ids}
                list={AGENTS_LIST}
                placeholder={words.defaultAgent}
                value={isPrivate ? 'private' : agent}
                disabled={isPrivate}
                onChange={event => setAgent(event.target.value)}
              />
            )}
          </Field>
          <Field label={words.tags} hint={words.tagsHint}>
            {ids => <input {...ids} value={tags} onChange={event => setTags(event.target.value)} />}
          </Field>
          <Field label={words.files} hint={words.filesHint}>
            {ids => <input {...ids} value={files} onChange={event => setFiles(event.target.value)} />}
          </Field>
        </div>
        <label className="check">
          <input type="checkbox" checked={isPinned} onChange={() => setPinned(!isPinned)} /> {words.pin}
        </label>
        <label className="check">
          <input type="checkbox" checked={isPrivate} onChange={() => setPrivate(!isPrivate)} />{' '}
          {words.private}
        </label>
        <div className="row">
          <Button variant="primary" type="submit" disabled={isBusy}>
            {words.save}
          </Button>
          <Button aria-pressed={isPreview} onClick={() => setPreview(!isPreview)}>
            {isPreview ? words.write : words.preview}
          </Button>
          <Button variant="plain" onClick={onClose}>
            {words.cancel}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
