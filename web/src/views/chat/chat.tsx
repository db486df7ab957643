import { useCallback, useState } from 'react'
import { call } from '../../api/client.ts'
import { notifyChange } from '../../api/live.ts'
import { useTokenState } from '../../api/token.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { useVault } from '../../api/vault.ts'
import { useWords } from '../../language/language.tsx'
import { goTo, linkTo, useViewLocation } from '../../router.ts'
import { AnswerView } from '../../ui/answer-view.tsx'
import { Button } from '../../ui/button.tsx'
import { Moment } from '../../ui/moment.tsx'
import { showFailure, showToast } from '../../ui/toasts.tsx'
import './chat.css'
import { visibleText } from '../../ui/visible-text.ts'
import { ChatList, type KnownChat } from './chat-list.tsx'
import { ChatSetup, EnableFirst, type Host } from './chat-setup.tsx'
import { Composer } from './composer.tsx'
import { Conversation } from './conversation.tsx'
import { useAutosave } from './use-autosave.ts'
import { useChat } from './use-chat.ts'
import { chatWords } from './words.ts'

/** A conversation with an agent, through its host's own program. */
export default function ChatView() {
  const words = useWords(chatWords)
  const hosts = useAnswer('agentHosts', {}, ['config'])
  return (
    <div className="stack">
      <h1>{words.title}</h1>
      <p className="soft">{words.intro}</p>
      <AnswerView answer={hosts}>{data => <Talk hosts={data.hosts} />}</AnswerView>
    </div>
  )
}

const KEY = 'cairn-chat-with'
interface With {
  readonly agent: string
  readonly host: string
  readonly model: string
}

/** The agent and host used last in this tab. */
function keptWith(): Partial<With> {
  return JSON.parse(sessionStorage.getItem(KEY) ?? '{}') as Partial<With>
}

/** On screens where the setup would leave no room for the messages. */
function isNarrow(): boolean {
  return matchMedia('(max-width: 860px)').matches
}

function Talk({ hosts }: { readonly hosts: readonly Host[] }) {
  const words = useWords(chatWords)
  const { params } = useViewLocation()
  const { session } = params
  const tokenState = useTokenState()
  const vault = useVault()
  const chats = useAnswer('agentChats', {}, ['sessions'])
  const agents = vault.state === 'loaded' ? vault.data.agents.map(one => one.agent) : []
  const enabled = hosts.filter(({ isEnabled }) => isEnabled)
  const [chosen, setChosen] = useState<Partial<With>>(keptWith)
  const choose = (next: Partial<With>) => {
    setChosen({ ...chosen, ...next })
    sessionStorage.setItem(KEY, JSON.stringify({ ...chosen, ...next }))
  }
  const agent = params.agent ?? chosen.agent ?? agents[0] ?? 'shared'
  const model = chosen.model ?? ''
  const host = enabled.find(one => one.host === chosen.host)?.host ?? enabled[0]?.host

  const onSession = useCallback(
    (begun: string) => {
      // Replaces the address, so that Back leaves the chat instead of showing an empty one.
      history.replaceState(null, '', linkTo('chat', { session: begun, agent }))
      dispatchEvent(new HashChangeEvent('hashchange'))
    },
    [agent],
  )
  const { chat, send, stop, forgetTurn } = useChat(agent, session, onSession)
  const { savedAt, saveNow } = useAutosave({ agent, chat, model })
  const isRunning = chat.turn?.state === 'running'
  const ask = (command: string) => {
    forgetTurn()
    void send({
      agentId: agent,
      command,
      // A chat keeps its first host.
      ...(chat.host === undefined && host !== undefined && { host }),
      ...(model !== '' && { model }),
    })
  }
  const close = async () => {
    if (session === undefined) return
    saveNow()
    try {
      const { added, findings, handoffs } = await call('sessionClose', { session })
      const text =
        handoffs.length + added.length + findings.length === 0
          ? words.nothingToClose
          : words.closed(added.length, findings.length)
      showToast(text, { action: { label: words.toReview, run: () => goTo('review') } })
      notifyChange()
      goTo('chat')
    } catch (error) {
      showFailure(error)
    }
  }

  return (
    <div className="chat">
      <details key={session ?? ''} className="panel chat-side" open={session === undefined || !isNarrow()}>
        <summary>{words.side}</summary>
        <div className="stack">
          <ChatSetup
            agents={agents}
            agent={agent}
            onAgent={name => {
              choose({ agent: name })
              if (session !== undefined || params.agent !== undefined) goTo('chat')
            }}
            hosts={hosts}
            host={host ?? ''}
            onHost={name => choose({ host: name })}
            model={model}
            onModel={name => choose({ model: name })}
          />
          {session !== undefined && <a href={linkTo('chat')}>{words.newChat}</a>}
          <AnswerView answer={chats}>{data => <ChatList chats={data.chats} open={session} />}</AnswerView>
        </div>
      </details>
      <section className="stack" aria-label={words.conversation}>
        {session === undefined && chats.state === 'loaded' && (
          <Recovery agent={agent} chats={chats.data.chats} />
        )}
        {session !== undefined && (
          <div className="chat-head">
            <span className="soft small row">
              {savedAt !== undefined && (
                <span>
                  {words.savedAt} <Moment at={savedAt} />
                </span>
              )}
              {chat.usage !== undefined && (
                <span>{words.tokens(chat.usage.inputTokens, chat.usage.outputTokens)}</span>
              )}
            </span>
            <Button onClick={() => void close()} disabled={isRunning} aria-label={words.close}>
              <span aria-hidden="true">×</span>
            </Button>
          </div>
        )}
        <Conversation agent={agent} chat={chat} onRetry={ask} />
        <Composer
          isRunning={isRunning}
          {...(tokenState !== 'present'
            ? { hindrance: words.needsToken }
            : enabled.length === 0 && { hindrance: <EnableFirst hosts={hosts} /> })}
          onSend={ask}
          onStop={() => void stop().then(() => showToast(words.stopped))}
        />
      </section>
    </div>
  )
}

/** Offers to continue an interrupted chat from its checkpoint. */
function Recovery({ agent, chats }: { readonly agent: string; readonly chats: readonly KnownChat[] }) {
  const words = useWords(chatWords)
  const [left, setLeft] = useState<number>()
  const recovered = useAnswer('seedRecover', agent === '' ? undefined : { agentId: agent }, ['sessions'])
  if (recovered.state !== 'loaded') return null
  const { checkpoint } = recovered.data
  if (checkpoint === null || checkpoint.savedAt === left) return null
  const known = chats.find(chat => chat.session === checkpoint.session && chat.agent === agent)
  // A closed chat cannot be continued.
  if (known === undefined || known.state === 'closed') return null
  const last = checkpoint.messages.at(-1)
  return (
    <div className="notice stack">
      <div>
        {words.recover} <Moment at={new Date(checkpoint.savedAt).toISOString()} />.
        {last !== undefined && <blockquote>{visibleText(last.text.slice(0, 300))}</blockquote>}
      </div>
      <div className="row">
        <Button variant="primary" onClick={() => goTo('chat', { session: known.session, agent })}>
          {words.continueChat}
        </Button>
        <Button onClick={() => setLeft(checkpoint.savedAt)}>{words.dismiss}</Button>
      </div>
    </div>
  )
}
