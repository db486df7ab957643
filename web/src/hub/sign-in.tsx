import { callHub, setSelf } from '../api/hub.ts'
import { setToken } from '../api/token.ts'
import { TokenForm } from '../frame/token-form.tsx'
import { useWords } from '../language/language.tsx'
import { hubWords } from './words.ts'

const TOKEN = /(?:^|token=)(cairn_[0-9a-f]{16}_[0-9a-f]{64})$/

/** Takes a token, and looks at once whether the hub does. */
export function SignIn({ isRefused }: { readonly isRefused: boolean }) {
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
