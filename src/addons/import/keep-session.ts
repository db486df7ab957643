import { closeSession } from '../../features/learning/closing.ts'
import type { ClosingPorts } from '../../features/learning/decide/ports.ts'
import { captureHead, captureMessages } from '../../features/sessions/capture-session.ts'
import type { Memory } from '../../kernel/memory.ts'
import type { Config } from '../../kernel/model/config.ts'
import type { Message } from '../../kernel/model/message.ts'
import type { SessionHead } from '../../kernel/model/session.ts'

/** A conversation that was had elsewhere. */
export interface ImportedSession {
  readonly head: SessionHead
  readonly messages: AsyncIterable<Message>
  /** Of the import: what closing it writes is taken back with the rest. */
  readonly batch: string
}

export interface KeptSession {
  readonly isNew: boolean
  readonly messages: number
  readonly added: number
  readonly redacted: number
  /** What closing it found, and how many entries and handoffs came of that. */
  readonly findings: number
  readonly entries: number
  /** It is too long to be closed on the way. */
  readonly isLeft: boolean
  readonly record: string | null
}

export type KeepSession = (session: ImportedSession) => Promise<KeptSession>

/** Written as one step; a conversation of any length takes no more memory than this. */
const BATCH_MESSAGES = 200
const BATCH_CHARACTERS = 1_000_000
/** What other processes closed meanwhile is looked for so often. */
const LOOKS_AROUND_EVERY = 50
/** Closing reads a conversation whole: a longer one is left to `cairn session pick-up`, or to whoever comes next. */
const CLOSED_AT_ONCE = 8_000_000

/**
 * Keeps a conversation as a session and closes it, which distils it. What is kept of it already is passed over, so that importing
 * it again, or when it has grown, or after a crash, adds what is missing. From `ending` on, whoever comes next closes it.
 */
export function keepSession(memory: Memory & ClosingPorts, config: Config): KeepSession {
  let closings = 0
  return async ({ head: told, messages, batch: imported }) => {
    const head = captureHead(told, config)
    const key = { session: head.session, agent: head.agent }
    const known = await memory.sessions.readEnd(key, 1)
    const options = { config, now: head.startedAt }
    let batch: { message: Message; number: number }[] = []
    let size = 0
    let characters = 0
    let count = 0
    let added = 0
    let redacted = 0
    let isStarted = false
    let activeAt = head.startedAt
    const start = async () => {
      if (!isStarted) await memory.sessions.start(head)
      isStarted = true
    }
    const flush = async () => {
      if (batch.length === 0) return
      await start()
      const appended = await memory.sessions.append(
        key,
        batch.map(({ message }) => message),
        { kind: 'numbered', numbers: batch.map(({ number }) => number) },
      )
      added += appended.added
      batch = []
      size = 0
    }
    for await (const message of messages) {
      const number = count++
      activeAt = message.at ?? activeAt
      characters += message.text.length
      if (known !== undefined && number < known.count) continue
      const captured = await captureMessages(memory, [message], options)
      redacted += captured.redacted
      for (const kept of captured.messages) {
        size += kept.text.length
        batch.push({ message: kept, number })
      }
      if (batch.length >= BATCH_MESSAGES || size >= BATCH_CHARACTERS) await flush()
    }
    await flush()
    // One that was kept before and never distilled is to be closed as well.
    const isForgotten = known !== undefined && (await memory.sessions.findMemory(key.session)) === undefined
    const kept = { isNew: known === undefined, messages: count, added, redacted }
    const isLeft = characters > CLOSED_AT_ONCE
    const nothing = { ...kept, findings: 0, entries: 0, isLeft, record: null }
    const isWaiting = known?.state === 'ending' && isLeft
    // A chat of which only the id is known.
    const isChat = count === 0 && head.chat !== undefined && known?.head.chat !== head.chat
    if (added === 0 && !isChat && (!isForgotten || isWaiting)) return nothing
    await start()
    await memory.sessions.setState(key, 'ending', activeAt)
    if (isLeft) return nothing
    const closed = await closeSession(memory, key.session, {
      knowsOthers: closings++ % LOOKS_AROUND_EVERY !== 0,
      batch: imported,
    })
    return {
      ...nothing,
      findings: closed.findings.length,
      entries: closed.added.length + closed.handoffs.length,
      record: closed.record,
    }
  }
}
