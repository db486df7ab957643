import { type ReactNode, useEffect, useState } from 'react'
import { ApiError } from '../api/client.ts'
import { callHub, hubProject, setSelf, useSelf } from '../api/hub.ts'
import { startLive } from '../api/live.ts'
import { setToken, token, useTokenState } from '../api/token.ts'
import { useLanguage, useWords } from '../language/language.tsx'
import { oneLine, translateFailure } from '../language/server-messages.ts'
import { HubHome } from './hub-home.tsx'
import { hubWords } from './words.ts'
import './hub.css'
import { TokenForm } from '../frame/token-form.tsx'

let isListening = false

/** The page of a hub: sign-in without a token, then the project list or the frame of one project. */
export function HubPage({ frame }: { readonly frame: ReactNode }) {
  const words = useWords(hubWords)
  const { language } = useLanguage()
  const tokenState = useTokenState()
  const self = useSelf()
  const [failure, setFailure] = useState<string>()
  const needsSelf = tokenState === 'present' && self === undefined
  useEffect(() => {
    if (!needsSelf) return
    const ending = new AbortController()
    callHub('hubMe', {}, { signal: ending.signal }).then(setSelf, (error: unknown) => {
      if (ending.signal.aborted) return
      if (!(error instanceof ApiError)) throw error
      setFailure(oneLine(translateFailure(error, language)))
    })
    return () => ending.abort()
  }, [needsSelf, language])
  const isReadable = self?.projects.some(({ name }) => name === hubProject) === true
  useEffect(() => {
    document.title = hubProject === undefined ? `${words.title} – Cairn` : document.title
    if (!isReadable || isListening) return
    isListening = true
    startLive()
  }, [isReadable, words])
  if (tokenState !== 'present' || token() === undefined)
    return <SignIn isRefused={tokenState === 'refused'} />
  if (self === undefined)
    return failure === undefined ? null : (
      <main className="hub-gate">
        <p className="notice bad" role="alert">
          {failure}
        </p>
      </main>
    )
  if (hubProject === undefined || !isReadable)
    return <HubHome self={self} isLost={hubProject !== undefined} />
  return frame
}

const TOKEN = /(?:^|token=)(cairn_[0-9a-f]{16}_[0-9a-f]{64})$/

/** Accepts a token and checks it with the hub. */
function SignIn({ isRefused }: { readonly isRefused: boolean }) {
  const words = useWords(hubWords)
  return (
    <main className="hub-gate">
      <div className="panel stack">
        <h1>
          <img src="/cairn.svg" alt="" width="28" height="28" /> {words.signIn}
        </h1>
        <p>{words.why}</p>
        <TokenForm
          words={words}
          firstFailure={isRefused ? words.refusedNow : undefined}
          read={given => TOKEN.exec(given)?.[1]}
          explain={({ code }) => (code === 'token_refused' ? words.refused : undefined)}
          onEnter={async token => {
            const self = await callHub('hubMe', {}, { token })
            setToken(token)
            setSelf(self)
            return undefined
          }}
        />
      </div>
    </main>
  )
}
