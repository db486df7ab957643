import type { NoticeCode } from '../../../kernel/model/notice-codes.ts'
import type { Problem } from '../../../kernel/model/search.ts'
import type { Checkpoint, SessionKey } from '../../../kernel/model/session.ts'
import { parseObject } from './closed-conversation.ts'
import { problemList } from './conversation-lines.ts'
import { parseMessage } from './parse-message.ts'

const CLOCK_SKEW_MS = 3_600_000

interface SavedText {
  /** As it is called in messages, relative to `.memory/`. */
  readonly name: string
  /** Whose it is where it does not say so itself. */
  readonly key: SessionKey
  readonly writtenMs: number
  readonly nowMs: number
}

export function parseSavedCheckpoint(
  text: string,
  { name, key, writtenMs, nowMs }: SavedText,
): { readonly checkpoint: Checkpoint | undefined; readonly problems: readonly Problem[] } {
  const fields = parseObject(text)
  if (fields === undefined || !Array.isArray(fields.messages) || !isTime(fields.savedAt))
    return {
      checkpoint: undefined,
      problems: [damagedCheckpoint(name, 'is not a checkpoint, or half of one')],
    }
  const problems = problemList(name)
  const messages = fields.messages.flatMap((value: unknown, at) => {
    const { message, trouble } = parseMessage(value, nowMs)
    if (trouble !== undefined)
      problems.add({ ...trouble, message: `has a message (${at + 1}) that ${trouble.message}` })
    return message === undefined ? [] : [message]
  })
  let savedAt = fields.savedAt
  if (savedAt > nowMs + CLOCK_SKEW_MS) {
    // It would be valid for ever; when it was written is the better guess.
    savedAt = Math.min(writtenMs, nowMs)
    problems.add({ code: 'checkpoint_in_future', message: 'is dated in the future' })
  }
  const { agentId, sessionId, chatId, modelId } = fields
  const checkpoint: Checkpoint = {
    version: 1,
    agentId: typeof agentId === 'string' && typeof sessionId === 'string' ? agentId : key.agent,
    sessionId: typeof sessionId === 'string' ? sessionId : key.session,
    savedAt: Math.round(savedAt),
    messages,
    ...(typeof chatId === 'string' && { chatId }),
    ...(typeof modelId === 'string' && { modelId }),
  }
  return { checkpoint, problems: problems.all() }
}

export function damagedCheckpoint(
  path: string,
  what: string,
  code: NoticeCode = 'checkpoint_damaged',
): Problem {
  return {
    code,
    path,
    message: `${path} ${what}.`,
    hint: 'The others are used. Upkeep moves it to the archive.',
  }
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}
