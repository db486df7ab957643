import { type FormEvent, useState } from 'react'
import { ApiError } from '../api/client.ts'
import { callHub, setSelf } from '../api/hub.ts'
import { setToken } from '../api/token.ts'
import { useLanguage, useWords } from '../language/language.tsx'
import { oneLine, toldFailure } from '../language/told.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { hubWords } from './words.ts'

const TOKEN = /(?:^|token=)(cairn_[0-9a-f]{16}_[0-9a-f]{64})$/

/** Takes a token, and looks at once whether the hub does. */
export function SignIn({ isRefused }: { readonly isRefused: boolean }) {
  const words = useWords(hubWords)
  const { language } = useLanguage()
  const [given, setGiven] = useState('')
  const [failure, setFailure] = useState(isRefused ? words.refusedNow : undefined)
  const [isTrying, setTrying] = useState(false)
  const enter = async (event: FormEvent) => {
    event.preventDefault()
    const token = TOKEN.exec(given.trim())?.[1]
    if (token === undefined) return setFailure(words.notAToken)
    setTrying(true)
    setFailure(undefined)
    try {
      const self = await callHub('hubMe', {}, { token })
      setToken(token)
      setSelf(self)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      setFailure(error.code === 'token_refused' ? words.refused : oneLine(toldFailure(error, language)))
    } finally {
      setTrying(false)
    }
  }
  return (
    <main className="hub-gate">
      <div className="panel stack">
        <h1>
          <img src="/cairn.svg" alt="" width="28" height="28" /> {words.signIn}
        </h1>
        <p>{words.why}</p>
        <form className="stack" onSubmit={enter}>
          <Field label={words.token} hint={words.tokenHint}>
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
            <Button look="primary" type="submit" disabled={isTrying || given.trim() === ''}>
              {words.enter}
            </Button>
          </div>
        </form>
      </div>
    </main>
  )
}
