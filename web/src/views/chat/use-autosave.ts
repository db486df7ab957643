import { useEffect, useRef, useState } from 'react'
import { token } from '../../api/token.ts'
import type { Chat } from './use-chat.ts'

/** As the seed has it: whatever happens to the page, at most this much is not in a checkpoint. */
const EVERY_MS = 30_000
/** A checkpoint holds no more. */
const MAX_MESSAGES = 50
/** What browsers take for a request that outlives its page. */
const MAX_BEACON_BYTES = 60_000

interface SavedMessage {
  readonly role: string
  readonly text: string
}

/**
 * What a checkpoint holds of a chat: what people and agents said to each other, and not what is internal. An answer that is still coming is
 * not in it: the server keeps that itself, and would have it twice.
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

/**
 * Saves the chat every 30 s where something was said, and when the page is left: by a beacon, which the browser sends even when the page
 * is gone. Tells when it was saved last.
 */
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
      // Another view is shown: nothing says when this one comes back.
      leave()
    }
  }, [])
  return { savedAt, saveNow: save.current }
}

/**
 * Through a beacon, with the token in its body: it can carry no header. The server adds to the conversation what it has not kept, and saves
 * the checkpoint. False: the browser did not take it.
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

/** The newest messages that fit. None is cut: the server would take it for another one than the one it keeps. */
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
