import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { Button } from './button.tsx'

/** Edits a text in place: Enter saves, Shift+Enter adds a line, Escape cancels. */
export function TextEditor({
  text,
  label,
  help,
  saveLabel,
  cancelLabel,
  onSave,
  onCancel,
}: {
  readonly text: string
  readonly label: string
  readonly help: string
  readonly saveLabel: string
  readonly cancelLabel: string
  onSave(text: string): void
  onCancel(): void
}) {
  const [draft, setDraft] = useState(text)
  const field = useRef<HTMLTextAreaElement>(null)
  const id = useId()
  useEffect(() => {
    field.current?.focus()
    field.current?.setSelectionRange(text.length, text.length)
  }, [text])
  const save = () => {
    if (draft.trim() !== '') onSave(draft.trim())
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter also confirms a character in an input method.
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') onCancel()
    else if (event.key === 'Enter' && !event.shiftKey) save()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div className="text-editor stack">
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        ref={field}
        rows={Math.min(12, Math.max(3, draft.split('\n').length + 1))}
        value={draft}
        aria-describedby={`${id}-help`}
        onChange={event => setDraft(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <p id={`${id}-help`} className="soft">
        {help}
      </p>
      <div className="row">
        <Button variant="primary" disabled={draft.trim() === ''} onClick={save}>
          {saveLabel}
        </Button>
        <Button onClick={onCancel}>{cancelLabel}</Button>
      </div>
    </div>
  )
}
