import type { HookEvent } from '../../hosts/hooks/decide/hook-event.ts'
import { asksAtStop } from '../../hosts/hooks/decide/print-answer.ts'
import type { RunSigns } from '../../hosts/host-adapter.ts'
import type { Memory } from '../../kernel/memory.ts'
import { isSuggestion } from '../../kernel/model/entry.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import { type Message, speakerOf } from '../../kernel/model/message.ts'
import type { SessionKey } from '../../kernel/model/session.ts'
import { essentialPart } from '../../kernel/text/essential-part.ts'
import { redactionOptions } from '../../kernel/text/redaction/redaction-options.ts'
import { estimateTokens } from '../../kernel/text/token-estimate.ts'
import { neutraliseName } from '../brief/decide/fence.ts'
import type { FullSearchPorts } from '../search/decide/ports.ts'
import { search } from '../search/search-memory.ts'
import type { SessionPorts } from '../sessions/decide/ports.ts'
import type { AskMoment, AskPorts, DueQuestion } from './decide/ports.ts'
import { isAttended, questionText, toolNameIn } from './decide/question-text.ts'
import { ASK_REASONS, type AskReason, reasonsToAsk } from './decide/worth-asking.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** The closing message of an older session is no longer used for a question. */
const UNASKED_DAYS = 7
/** Claude Code and Codex truncate context beyond 10,000 characters. */
const MAX_CONTEXT_CHARACTERS = 9_500

interface AskingContext {
  readonly signs: RunSigns
  /** The beginning of the host's transcript, if it can be read. */
  readonly transcript: () => string | undefined
  /** Characters that the answer already uses. */
  readonly used: number
}

/** The question to add to this prompt or session start; empty: none. */
export async function askWithContext(
  memory: Memory & AskPorts,
  event: HookEvent,
  asking: AskingContext,
): Promise<string> {
  const { host, purpose, session, agent, source } = event
  if (session === undefined || agent !== undefined || asking.signs.isCi) return ''
  const mode = (await memory.config()).agentSaves
  if (mode === 'off') return ''
  if (purpose === 'prompt') {
    if (event.prompt === undefined || (mode === 'stop' && asksAtStop(host))) return ''
    const due = await memory.asks.findDue(session)
    // The worker stored it for a session with a person; a headless run may have resumed the session since.
    if (due === undefined || isAttended(host, asking.signs, undefined) === false) return ''
    return ask(memory, { host, about: session, moment: 'prompt', due, used: asking.used })
  }
  if (purpose !== 'start' || (source !== 'new' && source !== 'clear')) return ''
  const nowMs = memory.clock.nowMs()
  const idleMs = (await memory.config())['session.idleHours'] * HOUR_MS
  const unasked = await memory.asks.findUnasked({
    not: session,
    silentSince: new Date(nowMs - idleMs).toISOString(),
    notBefore: new Date(nowMs - UNASKED_DAYS * DAY_MS).toISOString(),
  })
  if (unasked === undefined || isAttended(host, asking.signs, asking.transcript()) !== true) return ''
  // One question per session: this also counts for the new session.
  const at = new Date(nowMs).toISOString()
  const text = await ask(memory, {
    host,
    about: unasked.session,
    moment: 'start',
    due: unasked.due,
    used: asking.used,
  })
  if (text !== '') await memory.asks.claim(session, { at, host, moment: 'start', tokens: 0 })
  return text
}

export async function ask(
  memory: Memory & AskPorts,
  {
    host,
    about,
    moment,
    due,
    used,
  }: {
    readonly host: string
    readonly about: string
    readonly moment: AskMoment
    readonly due: Pick<DueQuestion, 'near' | 'rules' | 'closing'>
    readonly used: number
  },
): Promise<string> {
  const text = questionText({ moment, tool: toolNameIn(host), ...due })
  if (used + text.length > MAX_CONTEXT_CHARACTERS) return ''
  const at = new Date(memory.clock.nowMs()).toISOString()
  const isOurs = await memory.asks.claim(about, { at, host, moment, tokens: estimateTokens(text) })
  return isOurs ? text : ''
}

const MAX_NEAR = 6
const NEAR_CHARACTERS = 48
const MAX_RULES = 4
const RULE_CHARACTERS = 200
const CLOSING_CHARACTERS = 400
/** The first and the last requests describe the subject of a session. */
const LAST_REQUESTS = 3
const REQUEST_TOKENS = 32

/** The question for a conversation, independent of when it is asked. `messages` are those since the last save. */
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
  const { hits } = await search(memory, telling, { filter, limit: 2 * MAX_NEAR, wordsOnly: true })
  return hits
    .filter(({ entry }) => entry.category !== 'handoffs' && !isSuggestion(entry))
    .slice(0, MAX_NEAR)
    .map(({ entry }) => `[${neutraliseName(entry.id)}] ${neutraliseName(entry.content, NEAR_CHARACTERS)}`)
}

export interface SessionQuestion {
  /** False: nothing in the session suggests that its agent has something to save, so no host would ask. */
  readonly isWorthAsking: boolean
  readonly reasons: readonly AskReason[]
  /** The question as the agent would read it at the end of the session. */
  readonly text: string
  readonly tokens: number
}

/** The question for the agent of a session, asked or not. Throws `session_not_found`. */
export async function sessionQuestion(
  memory: Memory & FullSearchPorts & SessionPorts,
  key: SessionKey,
): Promise<SessionQuestion> {
  const conversation = await memory.sessions.read(key)
  if (conversation === undefined) {
    throw new CairnError({
      code: 'session_not_found',
      message: `${key.agent} has no session ${key.session.slice(0, 80)}.`,
      hint: '`cairn sessions` lists the sessions with their ids.',
    })
  }
  const { reasons, ...due } = await openQuestion(memory, conversation.messages)
  const tool = toolNameIn(conversation.head.host)
  const text = questionText({ moment: 'stop', tool, ...due })
  return { isWorthAsking: reasons.length > 0, reasons, text, tokens: estimateTokens(text) }
}
