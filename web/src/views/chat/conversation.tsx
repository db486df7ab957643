import { useEffect, useRef } from 'react'
import { useWords } from '../../language/language.tsx'
import { linkToEntry } from '../../router.ts'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { Markdown } from '../../ui/markdown.tsx'
import { Moment } from '../../ui/moment.tsx'
import { FailureText, NoticeText } from '../../ui/server-message.tsx'
import { showFailure, showToast } from '../../ui/toasts.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import type { InjectedBrief, Turn, TurnPart } from './turn.ts'
import type { Chat, Message } from './use-chat.ts'
import { chatWords } from './words.ts'

/** Within this distance from the end of the page, in pixels, the page follows new messages. */
const NEAR_END = 300

/** The messages and the turn in progress. */
export function Conversation({
  agent,
  chat,
  onRetry,
}: {
  readonly agent: string
  readonly chat: Chat
  onRetry(command: string): void
}) {
  const words = useWords(chatWords)
  const { messages, turn, trimmed, injected } = chat
  const end = useRef<HTMLDivElement>(null)
  const isAtEnd = useRef(true)
  useEffect(() => {
    const variant = () => {
      isAtEnd.current = innerHeight + scrollY > document.documentElement.scrollHeight - NEAR_END
    }
    addEventListener('scroll', variant)
    return () => removeEventListener('scroll', variant)
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: new messages keep the scroll position at the end.
  useEffect(() => {
    if (isAtEnd.current) end.current?.scrollIntoView({ block: 'end' })
  }, [messages.length, turn])
  if (messages.length === 0 && turn === undefined) return <p className="soft">{words.empty}</p>
  const last = messages.at(-1)
  // The server saves a command immediately, so it may be in the session even if its answer failed.
  const isKept = turn?.isKept === true || (last?.role === 'user' && last.text === turn?.command)
  return (
    <>
      {trimmed > 0 && <p className="soft small">{words.trimmed(trimmed)}</p>}
      {injected !== undefined && <InjectedItems injected={injected} />}
      <ol className="conversation" aria-label={words.conversation}>
        {messages.map((message, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: messages do not move.
          <li key={at} className={message.run === undefined ? `message ${message.role}` : 'ran'}>
            {message.run === undefined ? (
              <Said agent={agent} message={message} />
            ) : (
              <Ran name={message.run.tool} input={message.run.command} output={message.run.output} />
            )}
          </li>
        ))}
        {turn !== undefined && !isKept && (
          <li className="message user">
            <Said agent={agent} message={{ role: 'user', text: turn.command }} />
          </li>
        )}
        {turn !== undefined && (
          <li className="message agent">
            <Answering agent={agent} turn={turn} onRetry={() => onRetry(turn.command)} />
          </li>
        )}
      </ol>
      <div ref={end} className="conversation-end" />
    </>
  )
}

function Said({ agent, message }: { readonly agent: string; readonly message: Message }) {
  const words = useWords(chatWords)
  return (
    <>
      <div className="message-head">
        <span>
          <strong>{message.role === 'user' ? words.you : visibleText(agent)}</strong>{' '}
          {message.at !== undefined && <Moment at={message.at} />}
        </span>
        {message.text !== '' && (
          <Button variant="plain" onClick={() => copy(message.text, words.copied)}>
            {words.copy}
          </Button>
        )}
      </div>
      <Markdown text={message.text} isWide />
    </>
  )
}

function Answering({
  agent,
  turn,
  onRetry,
}: {
  readonly agent: string
  readonly turn: Turn
  onRetry(): void
}) {
  const words = useWords(chatWords)
  return (
    <>
      <div className="message-head">
        <span>
          <strong>{visibleText(agent)}</strong> {turn.state === 'running' && words.working}
        </span>
      </div>
      <div aria-live="polite" aria-busy={turn.state === 'running'}>
        {turn.parts.map((part, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts are only appended.
          <Part key={at} part={part} />
        ))}
      </div>
      {turn.error !== undefined && (
        <div className="notice bad stack" role="alert">
          <div>
            <strong>{words.failed}:</strong>{' '}
            <FailureText
              failure={turn.error}
              next={turn.error.code === 'unreachable' ? words.continuesLater : undefined}
            />
          </div>
          <div>
            <Button onClick={onRetry}>{words.retry}</Button>
          </div>
        </div>
      )}
    </>
  )
}

function Part({ part }: { readonly part: TurnPart }) {
  if (part.kind === 'text') return <Markdown text={part.text} isWide />
  if (part.kind === 'tool') return <Ran name={part.name} input={part.input} />
  return <p className="ran">{visibleText(part.text)}</p>
}

/** A tool run of the agent, on one line. */
function Ran({
  name,
  input,
  output,
}: {
  readonly name: string
  readonly input: string | undefined
  readonly output?: string | undefined
}) {
  const words = useWords(chatWords)
  return (
    <div className="ran">
      <span aria-hidden="true">▸ </span>
      {words.tool} {visibleText(name)}{' '}
      {input !== undefined && <code>{visibleText(input.slice(0, 200))}</code>}
      {output !== undefined && output !== '' && (
        <details>
          <summary>{words.output}</summary>
          <CodeBlock code={output} language="" />
        </details>
      )}
    </div>
  )
}

function InjectedItems({ injected }: { readonly injected: InjectedBrief }) {
  const words = useWords(chatWords)
  return (
    <details className="small">
      <summary>{words.injected(injected.tokens, injected.items.length)}</summary>
      {injected.items.length === 0 && <p className="soft">{words.injectedNothing}</p>}
      {injected.persona != null && (
        <p>
          {words.persona}: <code>{visibleText(injected.persona)}</code>
        </p>
      )}
      <ul>
        {injected.items.map(({ id, tier, tokens }, at) => (
          <li key={id ?? `${tier}-${at}`}>
            {id === undefined ? (words.tiers[tier] ?? tier) : <a href={linkToEntry(id)}>{visibleText(id)}</a>}{' '}
            <span className="soft">
              {words.tiers[tier] ?? tier}, {tokens}
            </span>
          </li>
        ))}
      </ul>
      {(injected.degraded ?? []).map(notice => (
        <div key={notice.code} className="notice warn">
          <NoticeText notice={notice} />
        </div>
      ))}
    </details>
  )
}

function copy(text: string, copied: string): void {
  navigator.clipboard.writeText(text).then(() => showToast(copied), showFailure)
}
