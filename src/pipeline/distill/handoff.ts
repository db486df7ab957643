import { type Message, speakerOf } from '../../model/message.ts'
import { cutToTokens } from '../../text/cut-to-tokens.ts'
import { estimateTokens } from '../../text/token-estimate.ts'
import { isShort, openQuestion, type Point, readClosingMessage } from './closing-message.ts'
import {
  chosenIn,
  isSlight,
  lastSentences,
  requestWords,
  shortRequest,
  wholeSentences,
} from './request-words.ts'
import { saidIn } from './said-in.ts'
import { isRealWork, readSessionWork, type SessionWork, type Turn } from './session-work.ts'
import { REMEMBER_LINE } from './spoken-text.ts'

const SUMMARY_CHARACTERS = 160

/** How many tokens each part of a handoff may have: about 60 to 200 together. */
const MAX_TOKENS = {
  whole: 220,
  requests: 100,
  first: 70,
  last: 55,
  reply: 22,
  claims: 80,
  claim: 40,
  earlier: 24,
  left: 60,
  step: 20,
} as const
const MAX_FILES = 3
const MAX_CHECKS = 2
const MAX_COMMITS = 2
const MAX_EARLIER = 2
/** How many short replies of the user, and steps of work that broke off, are named. */
const MAX_REPLIES = 2
const MAX_STEPS = 2
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
  for (const scale of [1, 0.7, 0.5, 0.25]) {
    const text = linesOf(work, closing, scale)
    const isCompact = scale < 1 || estimateTokens(text) <= MAX_TOKENS.whole
    if (isCompact && new TextEncoder().encode(text).length <= maxBytes) return text
  }
  return linesOf({ ...work, changed: [], commits: [], checks: [] }, undefined, 0.2)
}

function linesOf(work: SessionWork, closing: Closing | undefined, scale: number): string {
  const said = closing?.isLast === true ? readClosingMessage(closing.text) : undefined
  const verified = verifiedLine(work)
  const facts = [commitsMade(work), changedFiles(work)].filter(fact => fact !== '')
  const end = endOf(work)
  const earlier = earlierClaims(work, closing)
  const claims = [
    ...within(said?.claims ?? [], scale * MAX_TOKENS.claims).filter(
      claim => !end.some(text => text.includes(claim.slice(0, 60))),
    ),
    ...(earlier.length === 0 ? [] : [`Earlier: ${sentences(earlier)}`]),
    ...stalePasses(work),
    ...(verified === '' ? facts : []),
  ]
  const lines: [string, string][] = [
    [HANDOFF_LABELS.asked, askedLine(work, scale)],
    [HANDOFF_LABELS.verified, verified === '' ? '' : sentences([verified, ...facts])],
    [HANDOFF_LABELS.claimed, sentences(claims)],
    [
      HANDOFF_LABELS.left,
      sentences([
        ...end,
        ...failures(work),
        ...uncommitted(work),
        ...within(said?.left ?? [], lastly(scale) * MAX_TOKENS.left),
      ]),
    ],
  ]
  return lines.flatMap(([label, text]) => (text === '' ? [] : [`${label}${text}`])).join('\n')
}

/** The last request and what is left are shortened last: only where an entry has little room. */
function lastly(scale: number): number {
  return scale < 0.5 ? scale : 1
}

/** The first request, the last one that was worked on, and what the user replied after that: "works now", "still fails". */
function askedLine({ turns }: SessionWork, scale: number): string {
  // What they asked to remember is an entry of its own.
  const requested = turns.filter(({ request }) => request !== undefined && !REMEMBER_LINE.test(request))
  const answered = requested.slice(0, requested.findLastIndex(isAnswered) + 1)
  const asked = answered.filter(({ request }) => !isSlight(requestWords(request as string)))
  const first = asked[0] ?? answered[0] ?? requested[0] ?? turns.find(({ request }) => request !== undefined)
  if (first === undefined) return ''
  const last = asked.findLast(isWorked) ?? asked.at(-1) ?? first
  const ended = last === first ? '' : wordsOf(last, turns, lastly(scale) * MAX_TOKENS.last)
  const room = scale * Math.min(MAX_TOKENS.first, MAX_TOKENS.requests - estimateTokens(ended))
  const parts = [wordsOf(first, turns, room)]
  if (ended !== '') parts.push(`Last: ${ended}`)
  const replies = answered
    .slice(answered.indexOf(last) + 1)
    .slice(-MAX_REPLIES)
    .map(turn => wordsOf(turn, turns, MAX_TOKENS.reply))
  if (replies.length > 0) parts.push(`Then: ${replies.join('; ')}`)
  return parts.length === 1 ? (parts[0] as string) : parts.map(sentence).join(' ').replace(/\.$/, '')
}

/** A request in short. "Yes" or "option B" says little without what it answers. */
function wordsOf(turn: Turn, turns: readonly Turn[], tokens: number): string {
  const request = turn.request as string
  const words = shortRequest(request, Math.ceil(tokens))
  if (!isSlight(words)) return words
  const before = turns[turns.indexOf(turn) - 1]?.replies.at(-1)
  const meant = before === undefined ? undefined : (chosenIn(before, words) ?? openQuestion(before))
  return meant === undefined ? words : `${words} (to: ${cutToTokens(meant, MAX_TOKENS.reply, '…')})`
}

function isAnswered({ replies, runs }: Turn): boolean {
  return replies.length > 0 || runs > 0
}

function isWorked({ edits, checks, runs }: Turn): boolean {
  return edits > 0 || checks > 0 || runs >= 3
}

interface Closing {
  readonly text: string
  readonly turn: Turn
  /** No work was done after it: what it says is how things stand. */
  readonly isLast: boolean
}

/** The last message in which the agent says what it did: not the answer to a question that came after the work. */
function closingOf({ turns }: SessionWork): Closing | undefined {
  const lastWork = turns.findLastIndex(isWorked)
  for (let at = turns.length - 1; at >= 0; at--) {
    const turn = turns[at] as Turn
    const text =
      turn.end === 'run'
        ? turn.replies.findLast(reply => reply.length >= MIN_CLOSING_CHARACTERS)
        : closingReply(turn)
    if (text === undefined) continue
    if (
      lastWork === -1 ||
      isWorked(turn) ||
      goesOn(turn, text) ||
      readClosingMessage(text).headline !== undefined
    )
      return { text, turn, isLast: at >= lastWork }
  }
  return undefined
}

/** "We timed out", "yes please": the answer is about the work before it. */
function goesOn({ request }: Turn, text: string): boolean {
  return request !== undefined && isSlight(requestWords(request)) && text.length >= MIN_CLOSING_CHARACTERS
}

/** The last reply of a turn, or the longer one before it when the last only says goodbye. */
function closingReply({ replies }: Turn): string | undefined {
  const last = replies.at(-1)
  if (last === undefined || last.length >= MIN_CLOSING_CHARACTERS || replies.length === 1) return last
  return replies.slice(-3).findLast(reply => reply.length >= MIN_CLOSING_CHARACTERS) ?? last
}

/** In a session of several tasks: how the agent reported the ones before the last. */
function earlierClaims({ turns, commits }: SessionWork, closing: Closing | undefined): string[] {
  // Commits say it better.
  if (closing === undefined || commits.length > 0) return []
  const end = turns.indexOf(closing.turn) + (closing.isLast ? 0 : 1)
  return turns
    .slice(0, end)
    .filter(turn => turn === closing.turn || (turn.edits > 0 && turn.end !== 'run'))
    .flatMap(turn => {
      const reply = closingReply(turn)
      const claim =
        reply === undefined || reply.length < MIN_CLOSING_CHARACTERS
          ? undefined
          : readClosingMessage(reply).headline
      return claim === undefined ? [] : [wholeSentences(claim, MAX_TOKENS.earlier)]
    })
    .slice(closing.isLast ? -1 : -MAX_EARLIER)
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
      .slice(-1)
      .map(({ command }) => `\`${command}\``)
      .join(', ')} passed before the last edit`,
  ]
}

function commitsMade({ commits }: SessionWork): string {
  return commits.length === 0
    ? ''
    : `Committed ${commits
        .slice(-MAX_COMMITS)
        .map(subject => `“${subject}”`)
        .join(', ')}`
}

function changedFiles({ changed }: SessionWork): string {
  if (changed.length === 0) return ''
  const more = changed.length - MAX_FILES
  return `Changed ${changed.slice(0, MAX_FILES).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

function failures({ checks }: SessionWork): string[] {
  return checks
    .filter(({ outcome }) => outcome === 'failed')
    .slice(-2)
    .map(({ command, error }) => `\`${command}\` failed${error === undefined ? '' : `: ${error}`}`)
}

function uncommitted({ isEditedSinceCommit }: SessionWork): string[] {
  return isEditedSinceCommit ? ['The last edits are not in a commit of this session'] : []
}

/** A session that ended before the agent answered, in the middle of its work, or with its question. */
function endOf({ turns }: SessionWork): string[] {
  const answered = turns.findLastIndex(isAnswered)
  const last = turns[answered]
  // Some hosts send no messages of the agent.
  if (last === undefined || !turns.some(({ replies }) => replies.length > 0)) return []
  const open = turns
    .slice(answered + 1)
    .map(({ request }) => shortRequest(request ?? '', MAX_TOKENS.last))
    .filter(request => !isSlight(request))
  if (open.length > 0) return [`Not answered: ${sentences(open.slice(-MAX_REPLIES))}`]
  const reply = last.replies.at(-1)
  if (last.end === 'run' || (last.end === 'reply' && /[:：]$/.test(reply?.trim() ?? ''))) {
    const steps = last.replies
      .slice(-MAX_STEPS)
      .map((step, at, all) => lastSentences(step, MAX_TOKENS.step * (at === all.length - 1 ? 2 : 1)))
    const named = steps.some(step => step !== '')
      ? steps
      : [shortRequest(last.request ?? '', MAX_TOKENS.last)]
    return [`The session ended during: ${named.filter(step => step !== '').join('; ')}`]
  }
  const question = reply === undefined ? undefined : openQuestion(reply)
  return question === undefined ? [] : [`The agent asked: ${wholeSentences(question, MAX_TOKENS.claim)}`]
}

/** The points that fit, in their order; then their details, as long as there is room: the second of each after the first of each. */
function within(points: readonly Point[], tokens: number): string[] {
  const chosen: { readonly point: Point; readonly details: readonly string[] }[] = []
  let room = tokens
  const take = (text: string): string | undefined => {
    const short = wholeSentences(text, MAX_TOKENS.claim)
    const cost = estimateTokens(short)
    if (short === '' || cost > room) return undefined
    room -= cost
    return short
  }
  for (const point of points) {
    const [first, ...rest] = point.details
    const led = `${point.text}: ${first}`
    const isLed = point.needsDetail && estimateTokens(led) <= MAX_TOKENS.claim
    const text = take(isLed ? led : point.needsDetail ? (first as string) : point.text)
    if (text === undefined) break
    chosen.push({ point: { ...point, text }, details: point.needsDetail ? rest : point.details })
  }
  const added = chosen.map(() => [] as string[])
  for (let at = 0; chosen.some(({ details }) => at < details.length); at++)
    for (const [which, { details }] of chosen.entries()) {
      const detail = details[at]
      const text = detail === undefined || added[which]?.length !== at ? undefined : take(detail)
      if (text !== undefined) added[which]?.push(text)
    }
  const texts = chosen.map(({ point }, which) => {
    const details = added[which] as string[]
    if (details.length === 0) return point.text
    if (point.kind === 'sentence') return [point.text, ...details].map(sentence).join(' ')
    return `${point.text}${point.needsDetail ? ';' : ':'} ${details.join('; ')}`
  })
  return [...new Set(texts)]
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
