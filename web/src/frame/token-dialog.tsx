import { isTokenKnown } from '../api/client.ts'
import { notifyChange } from '../api/live.ts'
import { setToken, stayReadOnly } from '../api/token.ts'
import { useWords } from '../language/language.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { showToast } from '../ui/toasts.tsx'
import { TokenForm } from './token-form.tsx'
import { tokenWords } from './token-words.ts'

/** Accepts the output of `cairn token` and checks the token with the server. */
export function TokenDialog({ isRefused, onClose }: { readonly isRefused: boolean; onClose(): void }) {
  const words = useWords(tokenWords)
  const leave = () => {
    stayReadOnly()
    onClose()
  }
  const enter = async (token: string) => {
    if (!(await isTokenKnown(token))) return words.wrong
    setToken(token)
    showToast(words.welcome)
    notifyChange()
    onClose()
    return undefined
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
      <TokenForm words={words} read={readToken} onEnter={enter}>
        <Button onClick={leave}>{words.stay}</Button>
      </TokenForm>
    </Dialog>
  )
}

/** Accepts the token itself, or an address that contains it. */
function readToken(given: string): string | undefined {
  return /(?:^|token=)([0-9a-f]{32,})\s*$/i.exec(given.trim())?.[1]?.toLowerCase()
}
