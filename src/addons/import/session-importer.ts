import { closeSession } from '../../features/learning/closing.ts'
import type { ClosingPorts } from '../../features/learning/decide/ports.ts'
import { captureHead, captureMessages } from '../../features/sessions/capture-session.ts'
import type { Memory } from '../../kernel/memory.ts'
import type { Config } from '../../kernel/model/config.ts'
import type { Message } from '../../kernel/model/message.ts'
import type { SessionHead } from '../../kernel/model/session.ts'

/** A conversation from another tool or another folder. */
interface ImportedSession {
  readonly head: SessionHead
  readonly messages: AsyncIterable<Message>
  /** The batch of the import; what closing the session writes is undone with it. */
  readonly batch: string
}

interface StoredSession {
  readonly isNew: boolean
  readonly messages: number
  readonly added: number
  readonly redacted: number
  /** Findings of the closed session, and the entries and handoffs made from them. */
  readonly findings: number
  readonly entries: number
  /** The session is too long to be closed during the import. */
  readonly isLeft: boolean
  readonly record: string | null
}

export type ImportSession = (session: ImportedSession) => Promise<StoredSession>

/** Messages for each write, so that memory use does not grow with the length of a conversation. */
const BATCH_MESSAGES = 200
const BATCH_CHARACTERS = 1_000_000
/** How often to check what other processes have closed in the meantime. */
const LOOKS_AROUND_EVERY = 50
/**
 * Closing reads the whole conversation. A longer one is closed by `cairn session pick-up` or by the next process that does
 * upkeep.
 */
const CLOSED_AT_ONCE = 8_000_000

/**
 * Stores a conversation as a session and closes it, which distills it. Messages that are stored already are skipped, so importing
 * a conversation again (because it grew, or after a crash) adds only what is missing. Once the session is `ending`, any process
 * can finish closing it.
 */
export function sessionImporter(memory: Memory & ClosingPorts, config: Config): ImportSession {
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
    // A session that was stored before but never distilled is closed as well.
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
