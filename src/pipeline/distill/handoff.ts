import { type Message, speakerOf } from '../../model/message.ts'
import { cutToTokens } from '../../text/cut-to-tokens.ts'
import { estimateTokens } from '../../text/token-estimate.ts'
import { isShort, openQuestion, readClosingMessage } from './closing-message.ts'
import { saidIn } from './said-in.ts'
import { isRealWork, readSessionWork, type SessionWork, type Turn } from './session-work.ts'
import { REMEMBER_LINE, saidLines } from './spoken-text.ts'

const SUMMARY_CHARACTERS = 160

/** How many tokens each part of a handoff may have: about 100 to 400 together. */
const MAX_TOKENS = { request: 60, claims: 220, claim: 60, earlier: 32, left: 90 } as const
const MAX_FILES = 5
const MAX_CLAIMS = 16
const MAX_CHECKS = 3
const MAX_EARLIER = 2
/** A reply of this length says what happened; shorter ones between tool runs are narration. */
const MIN_CLOSING_CHARACTERS = 160

/** How a handoff composed from a session begins its lines. Empty lines are left out. */
export const HANDOFF_LABELS = {
  asked: 'Asked: ',
  verified: 'Done and verified: ',
  claimed: 'Claimed, not verified: ',
  left: 'Left: ',
} as const

/**
 * What the next session has to know, from the conversation and its tool runs (ADR 58):
 *
 *   Asked: Add retries to the upload. Last: Make the limit configurable.
 *   Done and verified: `npm test` passed after the last edit. Changed src/upload.ts, src/config.ts.
 *   Claimed, not verified: The upload retries up to 5 times.
 *   Left: Document the new option. `npm run lint` failed: 2 problems
 *
 * "Done and verified" is what a check proved that passed after the last edit. What the agent says is a claim. Empty for a side
 * session.
 */
export function composeHandoff(
  messages: readonly Message[],
  { always = false, maxBytes = Number.POSITIVE_INFINITY } = {},
): string {
  const work = readSessionWork(messages)
  const closing = closingOf(work)
  const said = closing === undefined ? undefined : readClosingMessage(closing.text)
  if (!always && !isRealWork(work, said?.headline !== undefined)) return ''
  for (const scale of [1, 0.5, 0.25]) {
    const text = linesOf(work, closing, scale)
    if (new TextEncoder().encode(text).length <= maxBytes) return text
  }
  return linesOf({ ...work, changed: [], checks: [] }, undefined, 0.2)
}

function linesOf(work: SessionWork, closing: Closing | undefined, scale: number): string {
  const said = closing === undefined ? undefined : readClosingMessage(closing.text)
  const verified = verifiedLine(work)
  const changed = changedFiles(work)
  const end = endOf(work)
  const claims = [
    ...(closing === undefined ? [] : earlierClaims(work, closing.turn)),
    ...within((said?.claims ?? []).slice(0, MAX_CLAIMS), scale * MAX_TOKENS.claims),
    ...stalePasses(work),
    ...(verified === '' && changed !== '' ? [`Changed ${changed}`] : []),
  ]
  const lines: [string, string][] = [
    [HANDOFF_LABELS.asked, askedLine(work, scale)],
    [
      HANDOFF_LABELS.verified,
      verified === '' ? '' : sentences([verified, changed === '' ? '' : `Changed ${changed}`]),
    ],
    [
      HANDOFF_LABELS.claimed,
      sentences([...new Set(claims)].filter(claim => !end.some(text => text.includes(claim.slice(0, 60))))),
    ],
    [
      HANDOFF_LABELS.left,
      sentences(within([...end, ...failures(work), ...(said?.left ?? [])], scale * MAX_TOKENS.left)),
    ],
  ]
  return lines.flatMap(([label, text]) => (text === '' ? [] : [`${label}${text}`])).join('\n')
}

function askedLine({ turns }: SessionWork, scale: number): string {
  // What they asked to remember is an entry of its own.
  const asked = turns.filter(
    ({ request }) => request !== undefined && !isSlight(request) && !REMEMBER_LINE.test(request),
  )
  const first = asked[0]?.request ?? turns.find(({ request }) => request !== undefined)?.request
  if (first === undefined) return ''
  const last = (asked.filter(isWorked).at(-1) ?? asked.at(-1))?.request
  const began = shortRequest(first, scale)
  const ended = last === undefined || last === first ? '' : shortRequest(last, scale)
  const parts = ended === '' || ended === began ? [began] : [began, `Last: ${ended}`]
  // A short reply after that often settles things: "works now", "still fails".
  const final = turns.findLast(({ request, replies }) => request !== undefined && replies.length > 0)?.request
  if (final !== undefined && final !== first && final !== last && isSlight(final))
    parts.push(`Then: ${final.replace(/\s+/g, ' ').trim()}`)
  return parts.length === 1 ? began : parts.map(sentence).join(' ').replace(/\.$/, '')
}

/** "Yes, go ahead": it asks for nothing by itself. */
function isSlight(request: string): boolean {
  const dense = request.match(/[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/g)?.length ?? 0
  return dense < 8 && (request.match(/[\p{L}\p{N}'’]+/gu)?.length ?? 0) < 6
}

/** Words with which people ask for something: the sentence that has one says more than what leads to it. */
const ASKS =
  /\b(?:can you|could you|would you|please|i(?:'d| would) like|i want|we want|let's|help me|i need|we need|make sure|pode|poderia|preciso|quero|vamos|por favor|necesito|quiero|puedes?|podr[ií]as)\b|请|我想|需要|帮我|\?$/i

/** A request on one line. Of a message with pasted text, what the person said; of a long one, from the sentence that asks. */
function shortRequest(request: string, scale = 1): string {
  const tokens = Math.ceil(scale * MAX_TOKENS.request)
  const said = saidLines(request)
    .split('\n')
    .filter(line => line.trim() !== '' && !line.endsWith(':'))
  const own = (said.length === 0 ? request : said.join(' ')).replace(/\*\*/g, '').replace(/\s+/g, ' ').trim()
  const whole = cutToTokens(own, tokens, '…')
  if (whole === own || ASKS.test(whole.replace(/\s*…$/, ''))) return whole
  const parts = own.split(/(?<=[.!?])\s+|(?<=[。！？])/)
  const asking = parts.slice(1).find(part => ASKS.test(part))
  if (asking === undefined) return whole
  const half = Math.ceil(tokens / 2)
  return `${cutToTokens(parts[0] as string, half, '…')} ${cutToTokens(asking, half, '…')}`.trim()
}

function isWorked({ edits, checks, runs }: Turn): boolean {
  return edits > 0 || checks > 0 || runs >= 3
}

interface Closing {
  readonly text: string
  readonly turn: Turn
}

/** The last message in which the agent says what it did: not the answer to a question that came after the work. */
function closingOf({ turns }: SessionWork): Closing | undefined {
  const hasWork = turns.some(isWorked)
  for (const turn of [...turns].reverse()) {
    const text = turn.endsWithRun
      ? turn.replies.findLast(reply => reply.length >= MIN_CLOSING_CHARACTERS)
      : closingReply(turn)
    if (text === undefined) continue
    if (!hasWork || isWorked(turn) || readClosingMessage(text).headline !== undefined) return { text, turn }
  }
  return undefined
}

/** The last reply of a turn, or the longer one before it when the last only says goodbye. */
function closingReply({ replies }: Turn): string | undefined {
  const last = replies.at(-1)
  if (last === undefined || last.length >= MIN_CLOSING_CHARACTERS || replies.length === 1) return last
  return replies.slice(-3).findLast(reply => reply.length >= MIN_CLOSING_CHARACTERS) ?? last
}

/** In a session of several tasks: how the agent reported the ones before the last. */
function earlierClaims({ turns }: SessionWork, closing: Turn): string[] {
  const before = turns.slice(0, turns.indexOf(closing)).filter(turn => turn.edits > 0 && !turn.endsWithRun)
  return before
    .flatMap(turn => {
      const reply = closingReply(turn)
      const claim =
        reply === undefined || reply.length < MIN_CLOSING_CHARACTERS
          ? undefined
          : readClosingMessage(reply).headline
      return claim === undefined ? [] : [cutToTokens(claim, MAX_TOKENS.earlier, '…')]
    })
    .slice(-MAX_EARLIER)
}

function verifiedLine({ checks }: SessionWork): string {
  const passed = checks.filter(({ outcome, isAfterEdits }) => outcome === 'passed' && isAfterEdits)
  if (passed.length === 0) return ''
  const named = passed.slice(-MAX_CHECKS).map(({ command }) => `\`${command}\``)
  return `${named.join(', ')} passed after the last edit`
}

function stalePasses({ checks }: SessionWork): string[] {
  const passed = checks.filter(({ outcome, isAfterEdits }) => outcome === 'passed' && !isAfterEdits)
  if (passed.length === 0) return []
  return [
    `${passed
      .slice(-2)
      .map(({ command }) => `\`${command}\``)
      .join(', ')} passed before the last edit`,
  ]
}

function changedFiles({ changed }: SessionWork): string {
  const more = changed.length - MAX_FILES
  return changed.slice(0, MAX_FILES).join(', ') + (more > 0 ? ` and ${more} more` : '')
}

function failures({ checks }: SessionWork): string[] {
  return checks
    .filter(({ outcome }) => outcome === 'failed')
    .slice(-2)
    .map(({ command, error }) => `\`${command}\` failed${error === undefined ? '' : `: ${error}`}`)
}

/** A session that ended before the agent answered, in the middle of its work, or with its question. */
function endOf({ turns }: SessionWork): string[] {
  const last = turns.at(-1)
  if (last === undefined || !turns.some(({ replies }) => replies.length > 0)) return []
  const reply = last.replies.at(-1)
  if (reply === undefined && last.runs === 0)
    return last.request === undefined || isSlight(last.request)
      ? []
      : [`Not answered: ${shortRequest(last.request)}`]
  if (last.endsWithRun || /[:：]$/.test(reply?.trim() ?? ''))
    return [
      `The session ended during: ${shortRequest((reply ?? last.request ?? '').replace(/[:：]\s*$/, ''))}`,
    ]
  const question = reply === undefined ? undefined : openQuestion(reply)
  return question === undefined ? [] : [`The agent asked: ${question}`]
}

/** The first texts that fit, each cut. */
function within(texts: readonly string[], tokens: number): string[] {
  const chosen: string[] = []
  let left = tokens
  for (const text of texts) {
    const short = cutToTokens(text.replace(/\s+/g, ' ').trim(), MAX_TOKENS.claim, '…')
    const cost = estimateTokens(short)
    if (short === '' || (cost > left && chosen.length > 0)) break
    chosen.push(short)
    left -= cost
  }
  return chosen
}

function sentences(texts: readonly string[]): string {
  return texts
    .filter(text => text !== '')
    .map(sentence)
    .join(' ')
}

function sentence(text: string): string {
  return /[.!?…。！？]$/.test(text) ? text : `${text}.`
}

/**
 * Seed A, section 7: how a session ended, in its last messages. Its REST route leaves this form.
 *
 *   [User]: Does the retry back off?
 *   [Agent]: Yes, from 200 ms, doubled up to 30 s.
 *
 * Without internal, injected, printed or skipped text. Empty when nothing was said.
 */
export function lastMessages(
  messages: readonly Message[],
  { last, characters }: { readonly last: number; readonly characters: number },
): string {
  const lines: string[] = []
  for (let at = messages.length - 1; at >= 0 && lines.length < last; at--) {
    const message = messages[at] as Message
    const said = saidIn(message)
    if (said === undefined) continue
    const who = speakerOf(message.role) === 'user' ? 'User' : 'Agent'
    lines.push(`[${who}]: ${cut(said, characters)}`)
  }
  return lines.reverse().join('\n')
}

/** The files that a session changed, those changed most often first. */
export function changedIn(messages: readonly Message[]): readonly string[] {
  return readSessionWork(messages).changed
}

/** One line for lists of sessions: what was asked. Empty when the user said nothing. */
export function composeSummary(messages: readonly Message[]): string {
  const asked = messages.flatMap(message =>
    speakerOf(message.role) === 'user' ? (saidIn(message) ?? []) : [],
  )
  return cut(asked.find(text => !isShort(text)) ?? asked[0] ?? '', SUMMARY_CHARACTERS)
}

function cut(text: string, characters: number): string {
  if (text.length <= characters) return text
  const kept = text.slice(0, characters - 1)
  // Not through the middle of a character.
  return `${/[\ud800-\udbff]$/.test(kept) ? kept.slice(0, -1) : kept}…`
}
