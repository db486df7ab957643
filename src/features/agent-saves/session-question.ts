import type { Memory } from '../../kernel/memory.ts'
import { isSuggestion } from '../../kernel/model/entry.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import { type Message, speakerOf } from '../../kernel/model/message.ts'
import type { SessionKey } from '../../kernel/model/session.ts'
import { essentialPart } from '../../kernel/text/essential-part.ts'
import { redactionOptions } from '../../kernel/text/redaction/redaction-options.ts'
import { estimateTokens } from '../../kernel/text/token-estimate.ts'
import { neutraliseName } from '../brief/decide/fence.ts'
import type { FullSearchPorts } from '../entries/decide/ports.ts'
import { search } from '../entries/engine.ts'
import type { SessionPorts } from '../sessions/decide/ports.ts'
import type { DueQuestion } from './decide/ask-marks.ts'
import { questionText, toolNameIn } from './decide/question-text.ts'
import { ASK_REASONS, type AskReason, reasonsToAsk } from './decide/worth-asking.ts'

const MAX_NEAR = 6
const NEAR_CHARACTERS = 48
const MAX_RULES = 4
const RULE_CHARACTERS = 200
const CLOSING_CHARACTERS = 400
/** The first request and the last ones say what a session was about. */
const LAST_REQUESTS = 3
const REQUEST_TOKENS = 32

/** The question that a conversation leaves open, without the moment at which it is asked. `messages` are those since the last save. */
export async function openQuestion(
  memory: Memory & FullSearchPorts,
  messages: readonly Message[],
  { agent }: { readonly agent?: string } = {},
): Promise<Pick<DueQuestion, 'reasons' | 'near' | 'rules' | 'closing'>> {
  const said = messages.filter(({ internal, run }) => internal !== true && run === undefined)
  const closing = said.findLast(({ role }) => speakerOf(role) === 'agent')?.text ?? ''
  const reasons = reasonsToAsk(messages)
  const rules = await lastRules(memory, said)
  return {
    reasons: ASK_REASONS.filter(each => reasons.includes(each) || (each === 'rule' && rules.length > 0)),
    near: await nearEntries(memory, said, agent),
    rules,
    closing: neutraliseName(closing, CLOSING_CHARACTERS),
  }
}

async function lastRules(memory: Memory, said: readonly Message[]): Promise<readonly string[]> {
  const { statedRules } = await import('../learning/decide/distil.ts')
  return statedRules(said, { redaction: redactionOptions(await memory.config()) })
    .slice(-MAX_RULES)
    .map(rule => neutraliseName(rule.replaceAll("'", '’'), RULE_CHARACTERS))
}

async function nearEntries(
  memory: Memory & FullSearchPorts,
  said: readonly Message[],
  agent: string | undefined,
): Promise<readonly string[]> {
  const requests = said.filter(({ role }) => speakerOf(role) === 'user').map(({ text }) => text)
  const telling = [...requests.slice(0, 1), ...requests.slice(1).slice(-LAST_REQUESTS)]
    .map(text => essentialPart(text, REQUEST_TOKENS))
    .join('\n')
  if (telling.trim() === '') return []
  const filter = agent === undefined ? {} : { reader: agent }
  const { hits } = await search(memory, telling, { filter, limit: 2 * MAX_NEAR, byWordsAlone: true })
  return hits
    .filter(({ entry }) => entry.category !== 'handoffs' && !isSuggestion(entry))
    .slice(0, MAX_NEAR)
    .map(({ entry }) => `[${neutraliseName(entry.id)}] ${neutraliseName(entry.content, NEAR_CHARACTERS)}`)
}

export interface SessionQuestion {
  /** False: nothing in the session says that its agent has something to save, and no host would ask. */
  readonly isWorthAsking: boolean
  readonly reasons: readonly AskReason[]
  /** As the agent would read it at the end of the session. */
  readonly text: string
  readonly tokens: number
}

/** The question for the agent of a session, whether or not it was asked. Throws `session_not_found`. */
export async function sessionQuestion(
  memory: Memory & FullSearchPorts & SessionPorts,
  key: SessionKey,
): Promise<SessionQuestion> {
  const conversation = await memory.sessions.read(key)
  if (conversation === undefined) {
    throw new CairnError({
      code: 'session_not_found',
      message: `There is no session ${key.session.slice(0, 80)} of ${key.agent}.`,
      hint: '`cairn sessions` lists the sessions with their ids.',
    })
  }
  const { reasons, ...due } = await openQuestion(memory, conversation.messages)
  const tool = toolNameIn(conversation.head.host)
  const text = questionText({ moment: 'stop', tool, ...due })
  return { isWorthAsking: reasons.length > 0, reasons, text, tokens: estimateTokens(text) }
}
