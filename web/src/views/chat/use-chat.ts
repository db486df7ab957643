import { useCallback, useEffect, useRef, useState } from 'react'
import { type Answered, ApiError, call, listenTo } from '../../api/client.ts'
import { affects, notifyChange, onMemoryChange } from '../../api/live.ts'
import { showFailure } from '../../ui/toasts.tsx'
import { type AgentEvent, type InjectedBrief, type Turn, type Usage, withEvent } from './turn.ts'

export type Message = Answered<'sessionShow'>['conversations'][number]['messages'][number]

/** The open conversation. Without a session, the first command starts one. */
export interface Chat {
  readonly session: string | undefined
  readonly chatId: string | undefined
  readonly host: string | undefined
  readonly messages: readonly Message[]
  readonly trimmed: number
  readonly turn: Turn | undefined
  readonly injected: InjectedBrief | undefined
  readonly usage: Usage | undefined
}

export interface Command {
  readonly agentId: string
  readonly command: string
  readonly host?: string
  readonly model?: string
}

/** The maximum number of shown messages. Older ones are on the page of the session. */
const SHOWN = 200
const NOTHING: Chat = {
  session: undefined,
  chatId: undefined,
  host: undefined,
  messages: [],
  trimmed: 0,
  turn: undefined,
  injected: undefined,
  usage: undefined,
}

/** A conversation with one agent. The server stores all messages in the session; the page stores only the turn in progress. */
export function useChat(agent: string, session: string | undefined, onSession: (session: string) => void) {
  const [chat, setChat] = useState<Chat>(NOTHING)
  const open = useRef({ agent, session })
  open.current = { agent, session }
  const running = useRef<AbortController>(undefined)

  const load = useCallback(async (id: string) => {
    try {
      const read = await readConversation(id, open.current.agent)
      // Another conversation may have been opened in the meantime.
      if (open.current.session === id) {
        setChat(before => ({ ...before, ...read, session: id, turn: keptTurn(before, read.messages) }))
      }
    } catch (error) {
      // A new session is not stored yet.
      if (error instanceof ApiError && error.code === 'session_not_found') return
      showFailure(error)
    }
  }, [])

  useEffect(() => {
    setChat(before => (before.session === session ? before : { ...NOTHING, session }))
    if (session !== undefined && running.current === undefined) void load(session)
  }, [session, load])

  useEffect(
    () =>
      onMemoryChange(changed => {
        const { session: id } = open.current
        if (id !== undefined && running.current === undefined && affects(changed, ['sessions'])) void load(id)
      }),
    [load],
  )

  const send = useCallback(
    async (command: Command, resume: { readonly chatId?: string } = {}) => {
      const ending = new AbortController()
      running.current = ending
      setChat(before => ({ ...before, turn: { command: command.command, parts: [], state: 'running' } }))
      let id = open.current.session
      try {
        const events = listenTo<AgentEvent>(
          'agentCommand',
          { ...command, ...(id !== undefined && { session: id }), ...resume },
          { signal: ending.signal, last: 'done' },
        )
        for await (const one of events) {
          if (one.event === 'chat') {
            id = one.data.session
            open.current = { ...open.current, session: id }
            onSession(id)
          }
          setChat(before => afterEvent(before, one))
        }
        running.current = undefined
        if (id !== undefined) {
          const read = await readConversation(id, command.agentId)
          setChat(before => ({ ...before, ...read, turn: undefined }))
        }
        notifyChange(new Set(['sessions']))
      } catch (error) {
        running.current = undefined
        if (ending.signal.aborted) return
        if (!(error instanceof ApiError)) throw error
        setChat(before => ({ ...before, turn: failed(before.turn, command.command, error) }))
      }
    },
    [onSession],
  )

  const stop = useCallback(async () => {
    const { session: id } = open.current
    if (id === undefined) return
    try {
      await call('agentStop', { session: id })
    } catch (error) {
      showFailure(error)
    }
  }, [])

  // The agent continues without the page.
  useEffect(() => () => running.current?.abort(), [])

  const forgetTurn = useCallback(() => setChat(before => ({ ...before, turn: undefined })), [])
  return { chat, send, stop, forgetTurn }
}

async function readConversation(session: string, agent: string) {
  const { conversations } = await call('sessionShow', { session, limit: SHOWN })
  const one = conversations.find(conversation => conversation.agent === agent) ?? conversations[0]
  return {
    messages: (one?.messages ?? []).filter(({ internal }) => internal !== true),
    trimmed: (one?.trimmed ?? 0) + Math.max(0, (one?.total ?? 0) - (one?.messages.length ?? 0)),
    chatId: one?.chat,
    host: one?.host,
  }
}

/** A turn with a lost connection is in the session once the session has a newer command. */
function keptTurn({ turn, messages }: Chat, read: readonly Message[]): Turn | undefined {
  if (turn?.error?.code !== 'unreachable' || commandsIn(read) <= commandsIn(messages)) return turn
  return { ...turn, parts: [], isKept: true }
}

function commandsIn(messages: readonly Message[]): number {
  return messages.filter(({ role }) => role === 'user').length
}

function afterEvent(chat: Chat, event: AgentEvent): Chat {
  if (event.event === 'chat')
    return {
      ...chat,
      session: event.data.session,
      host: event.data.host,
      chatId: event.data.chatId ?? chat.chatId,
    }
  if (event.event === 'brief') return { ...chat, injected: event.data }
  const turn = chat.turn === undefined ? undefined : withEvent(chat.turn, event)
  if (event.event !== 'done') return { ...chat, turn }
  return {
    ...chat,
    chatId: event.data.chatId ?? chat.chatId,
    usage: event.data.usage,
    turn,
  }
}

function failed(turn: Turn | undefined, command: string, { code, message, hint }: ApiError): Turn {
  return {
    ...(turn ?? { command, parts: [] }),
    state: 'failed',
    error: { code, message, hint },
  }
}
