import type { Answered } from '../../api/client.ts'
import { useWords } from '../../language/language.tsx'
import { linkTo } from '../../router.ts'
import { Moment } from '../../ui/moment.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import { chatWords } from './words.ts'

export type KnownChat = Answered<'agentChats'>['chats'][number]

/** Chats that can be continued. */
export function ChatList({
  chats,
  open,
}: {
  readonly chats: readonly KnownChat[]
  readonly open: string | undefined
}) {
  const words = useWords(chatWords)
  return (
    <section className="stack">
      <h2>{words.sessions}</h2>
      {chats.length === 0 && <p className="soft">{words.noSessions}</p>}
      <ul className="chat-sessions">
        {chats.map(({ session, agent, host, activeAt, messages, doing, isRunning }) => (
          <li key={`${session} ${agent}`}>
            <a href={linkTo('chat', { session, agent })} aria-current={session === open ? 'true' : undefined}>
              <span className="doing">{visibleText(doing ?? session)}</span>
              <span className="soft small">
                {visibleText(agent)} · {host} · {words.messages(messages)} ·{' '}
                {isRunning ? words.working : <Moment at={activeAt} />}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
