import { type FormEvent, useState } from 'react'
import { ApiError, isTokenKnown } from '../api/client.ts'
import { tellLive } from '../api/live.ts'
import { leaveReadOnly, setToken } from '../api/token.ts'
import { useLanguage, useWords } from '../language/language.tsx'
import { oneLine, toldFailure } from '../language/told.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { say } from '../ui/toasts.tsx'
import { tokenWords } from './token-words.ts'

/** Takes what `cairn token` prints, and looks at once whether the server knows it. */
export function TokenDialog({ isRefused, onClose }: { readonly isRefused: boolean; onClose(): void }) {
  const words = useWords(tokenWords)
  const { language } = useLanguage()
  const [given, setGiven] = useState('')
  const [failure, setFailure] = useState<string>()
  const [isTrying, setTrying] = useState(false)
  const leave = () => {
    leaveReadOnly()
    onClose()
  }
  const enter = async (event: FormEvent) => {
    event.preventDefault()
    const token = readToken(given)
    if (token === undefined) return setFailure(words.notAToken)
    setTrying(true)
    setFailure(undefined)
    try {
      if (!(await isTokenKnown(token))) return setFailure(words.wrong)
      setToken(token)
      say(words.welcome)
      tellLive()
      onClose()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      setFailure(oneLine(toldFailure(error, language)))
    } finally {
      setTrying(false)
    }
  }
  return (
    <Dialog title={words.title} onClose={leave}>
      {isRefused && <p className="notice warn">{words.refused}</p>}
      <p>{words.why}</p>
      <ol>
        <li>
          {words.step1} <code>cairn token</code>
        </li>
        <li>{words.step2}</li>
      </ol>
      <form className="stack" onSubmit={enter}>
        <Field label={words.token}>
          {ids => (
            <input
              {...ids}
              type="password"
              autoComplete="off"
              spellCheck={false}
              value={given}
              aria-invalid={failure !== undefined}
              onChange={event => setGiven(event.target.value)}
            />
          )}
        </Field>
        {failure !== undefined && (
          <p className="notice bad" role="alert">
            {failure}
          </p>
        )}
        <div className="row end">
          <Button onClick={leave}>{words.stay}</Button>
          <Button look="primary" type="submit" disabled={isTrying || given.trim() === ''}>
            {words.enter}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

/** The token itself, or the address that holds it. */
export function readToken(given: string): string | undefined {
  return /(?:^|token=)([0-9a-f]{32,})\s*$/i.exec(given.trim())?.[1]?.toLowerCase()
}
