import { type KeyboardEvent, type ReactNode, useEffect, useId, useState } from 'react'
import { useWords } from '../../language/language.tsx'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { chatWords } from './words.ts'

const KEY = 'cairn-chat-draft'

/** The message field. Its text survives a reload of the page. */
export function Composer({
  isRunning,
  hindrance,
  onSend,
  onStop,
}: {
  readonly isRunning: boolean
  /** Why sending is disabled, and what to do about it. */
  readonly hindrance?: ReactNode
  onSend(text: string): void
  onStop(): void
}) {
  const words = useWords(chatWords)
  const hindranceId = useId()
  const isHindered = hindrance !== undefined
  const [text, setText] = useState(() => sessionStorage.getItem(KEY) ?? '')
  useEffect(() => sessionStorage.setItem(KEY, text), [text])
  const maySend = !isRunning && !isHindered && text.trim() !== ''
  const send = () => {
    if (!maySend) return
    onSend(text.trim())
    setText('')
  }
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    send()
  }
  return (
    <form
      className="composer stack"
      onSubmit={event => {
        event.preventDefault()
        send()
      }}
    >
      <Field label={words.field} hint={words.fieldHint}>
        {ids => (
          <textarea
            {...ids}
            rows={3}
            placeholder={words.placeholder}
            value={text}
            onChange={event => setText(event.target.value)}
            onKeyDown={press}
          />
        )}
      </Field>
      <div className="row end">
        {isHindered && (
          <p id={hindranceId} className="hindrance small">
            {hindrance}
          </p>
        )}
        {isRunning && (
          <Button variant="danger" onClick={onStop}>
            {words.stop}
          </Button>
        )}
        <Button
          variant="primary"
          type="submit"
          disabled={!maySend}
          {...(isHindered && { 'aria-describedby': hindranceId })}
        >
          {words.send}
        </Button>
      </div>
    </form>
  )
}
