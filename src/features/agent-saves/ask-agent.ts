import type { HookEvent } from '../../hosts/hooks/decide/hook-event.ts'
import { asksAtStop } from '../../hosts/hooks/decide/print-answer.ts'
import type { RunSigns } from '../../hosts/host-adapter.ts'
import type { Memory } from '../../kernel/memory.ts'
import { estimateTokens } from '../../kernel/text/token-estimate.ts'
import type { AskMoment, DueQuestion } from './decide/ask-marks.ts'
import { isAttended } from './decide/attendance.ts'
import type { AskPorts } from './decide/ports.ts'
import { questionText, toolNameIn } from './decide/question-text.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** An older session's closing message is not asked about any more. */
const UNASKED_DAYS = 7
/** Claude Code and Codex cut what is longer than 10,000 characters. */
export const MAX_CONTEXT_CHARACTERS = 9_500

export interface AskingContext {
  readonly signs: RunSigns
  /** The beginning of the host's transcript, where it can be read. */
  readonly transcript: () => string | undefined
  /** Characters that the answer has already. */
  readonly used: number
}

/** The question that goes with this prompt or start; empty: none. */
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
    // The worker made it for a session with a person; a headless run may have taken it up since.
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
  // One question in a session: this is the one of the new session too.
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
