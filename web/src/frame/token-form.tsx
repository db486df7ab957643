import { type FormEvent, type ReactNode, useState } from 'react'
import { ApiError } from '../api/client.ts'
import { useLanguage } from '../language/language.tsx'
import { oneLine, translateFailure } from '../language/server-messages.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'

interface TokenFormProps {
  readonly words: {
    readonly token: string
    readonly tokenHint?: string
    readonly enter: string
    readonly notAToken: string
  }
  readonly firstFailure?: string | undefined
  /** The token in the pasted text; undefined if there is none. */
  readonly read: (given: string) => string | undefined
  /** Tries the token. Returns the reason if it is rejected. */
  readonly onEnter: (token: string) => Promise<string | undefined>
  /** The text for a server failure, where the general text does not fit. */
  readonly explain?: (error: ApiError) => string | undefined
  /** Other actions next to the button. */
  readonly children?: ReactNode
}

/** A form that accepts a token and immediately shows whether it is valid. */
export function TokenForm({
  words,
  firstFailure,
  read,
  onEnter,
  explain = () => undefined,
  children,
}: TokenFormProps) {
  const { language } = useLanguage()
  const [given, setGiven] = useState('')
  const [failure, setFailure] = useState(firstFailure)
  const [isTrying, setTrying] = useState(false)
  const enter = async (event: FormEvent) => {
    event.preventDefault()
    const token = read(given.trim())
    if (token === undefined) return setFailure(words.notAToken)
    setTrying(true)
    setFailure(undefined)
    try {
      setFailure(await onEnter(token))
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      setFailure(explain(error) ?? oneLine(translateFailure(error, language)))
    } finally {
      setTrying(false)
    }
  }
  return (
    <form className="stack" onSubmit={enter}>
      <Field label={words.token} {...(words.tokenHint !== undefined && { hint: words.tokenHint })}>
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
        {children}
        <Button variant="primary" type="submit" disabled={isTrying || given.trim() === ''}>
          {words.enter}
        </Button>
      </div>
    </form>
  )
}
