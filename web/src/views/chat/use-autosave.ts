import { useEffect, useRef, useState } from 'react'
import { token } from '../../api/token.ts'
import type { Chat } from './use-chat.ts'

/** Save interval: at most this much is lost if the page dies. */
const EVERY_MS = 30_000
/** The maximum number of messages in a checkpoint. */
const MAX_MESSAGES = 50
/** The maximum body size of a beacon. */
const MAX_BEACON_BYTES = 60_000

interface SavedMessage {
  readonly role: string
  readonly text: string
}

/**
 * The messages of a chat that a checkpoint stores: those of users and agents, without internal ones. An answer in progress is left out,
 * because the server saves it and would have it twice.
 */
function savedMessages({ messages }: Chat): readonly SavedMessage[] {
  return messages
    .filter(({ internal, text, run }) => internal !== true && run === undefined && text !== '')
    .map(({ role, text }) => ({ role, text }))
    .slice(-MAX_MESSAGES)
}

interface Autosave {
  readonly agent: string
  readonly chat: Chat
  readonly model: string
}

/** Saves the chat every 30 s if it changed, and when the page closes, by a beacon. Returns the time of the last save. */
export function useAutosave(saving: Autosave): { readonly savedAt: string | undefined; saveNow(): void } {
  const [savedAt, setSavedAt] = useState<string>()
  const current = useRef(saving)
  current.current = saving
  const lastSaved = useRef('')
  const save = useRef(() => {
    const { agent, chat, model } = current.current
    const messages = savedMessages(chat)
    const fingerprint = JSON.stringify([agent, chat.chatId, messages])
    if (chat.session === undefined || messages.length === 0 || fingerprint === lastSaved.current) return
    if (!sendCheckpoint({ agent, session: chat.session, chatId: chat.chatId, model, messages })) return
    lastSaved.current = fingerprint
    setSavedAt(new Date().toISOString())
  })
  useEffect(() => {
    const timer = setInterval(() => save.current(), EVERY_MS)
    const leave = () => save.current()
    const hide = () => {
      if (document.hidden) save.current()
    }
    addEventListener('pagehide', leave)
    document.addEventListener('visibilitychange', hide)
    return () => {
      clearInterval(timer)
      removeEventListener('pagehide', leave)
      document.removeEventListener('visibilitychange', hide)
      // Another view is shown, and this one may never come back.
      leave()
    }
  }, [])
  return { savedAt, saveNow: save.current }
}

/**
 * Sends a beacon, with the token in the body because a beacon has no headers. The server adds missing messages and saves the checkpoint.
 * Returns false if the browser rejected it.
 */
function sendCheckpoint({
  agent,
  session,
  chatId,
  model,
  messages,
}: {
  readonly agent: string
  readonly session: string
  readonly chatId: string | undefined
  readonly model: string
  readonly messages: readonly SavedMessage[]
}): boolean {
  const given = token()
  const fits = newestThatFit(messages)
  if (given === undefined || fits.length === 0) return false
  const body = {
    agentId: agent,
    session,
    messages: fits,
    ...(chatId !== undefined && { chatId }),
    ...(model !== '' && { modelId: model }),
    token: given,
  }
  return navigator.sendBeacon(
    '/api/memory/checkpoint',
    new Blob([JSON.stringify(body)], { type: 'text/plain' }),
  )
}

/** The newest messages that fit. None is shortened, because the server would treat it as a new message. */
function newestThatFit(messages: readonly SavedMessage[]): readonly SavedMessage[] {
  const newest: SavedMessage[] = []
  let bytes = 0
  for (const message of [...messages].reverse()) {
    bytes += new TextEncoder().encode(JSON.stringify(message)).length + 1
    if (bytes > MAX_BEACON_BYTES) break
    newest.push(message)
  }
  return newest.reverse()
}
