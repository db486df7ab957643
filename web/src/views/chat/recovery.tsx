import { useState } from 'react'
import { useAnswer } from '../../api/use-answer.ts'
import { useWords } from '../../language/language.tsx'
import { goTo } from '../../router.ts'
import { Button } from '../../ui/button.tsx'
import { Moment } from '../../ui/moment.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import type { KnownChat } from './chat-list.tsx'
import { chatWords } from './words.ts'

/** A chat that broke off can be gone on with: its checkpoint says how far it had come. */
export function Recovery({ agent, chats }: { readonly agent: string; readonly chats: readonly KnownChat[] }) {
  const words = useWords(chatWords)
  const [left, setLeft] = useState<number>()
  const recovered = useAnswer('seedRecover', agent === '' ? undefined : { agentId: agent }, ['sessions'])
  if (recovered.state !== 'loaded') return null
  const { checkpoint } = recovered.data
  if (checkpoint === null || checkpoint.savedAt === left) return null
  const known = chats.find(chat => chat.session === checkpoint.session && chat.agent === agent)
  // One that was closed is finished.
  if (known === undefined || known.state === 'closed') return null
  const last = checkpoint.messages.at(-1)
  return (
    <div className="notice stack">
      <div>
        {words.recover} <Moment at={new Date(checkpoint.savedAt).toISOString()} />.
        {last !== undefined && <blockquote>{visibleText(last.text.slice(0, 300))}</blockquote>}
      </div>
      <div className="row">
        <Button look="primary" onClick={() => goTo('chat', { session: known.session, agent })}>
          {words.continueChat}
        </Button>
        <Button onClick={() => setLeft(checkpoint.savedAt)}>{words.dismiss}</Button>
      </div>
    </div>
  )
}
