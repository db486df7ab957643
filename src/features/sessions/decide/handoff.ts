import { type Message, speakerOf } from '../../../kernel/model/message.ts'
import { keyPathsOf } from '../../../kernel/text/named-files.ts'
import { isSilentPrompt } from '../../../kernel/text/silent-prompt.ts'
import { estimateTokens } from '../../../kernel/text/token-estimate.ts'
import {
  endOfReport,
  isShort,
  openQuestion,
  type Report,
  readReport,
} from '../../learning/decide/closing-message.ts'
import {
  chosenIn,
  clip,
  clippedRequest,
  isSlight,
  lastSentences,
  requestWords,
} from '../../learning/decide/request-words.ts'
import {
  isRealWork,
  readSessionWork,
  type SessionWork,
  type Turn,
} from '../../learning/decide/session-work.ts'
import { REMEMBER_LINE, spokenTextOf } from '../../learning/decide/spoken-text.ts'

const SUMMARY_CHARACTERS = 160

const MAX_TOKENS = { whole: 250, claims: 110 } as const
/** Maximum lengths. All requests share theirs, so that a few are quoted at length and six are short. */
const MAX_CHARACTERS = {
  requests: 560,
  request: 240,
  last: 160,
  meant: 80,
  open: 160,
  step: 110,
  left: 240,
} as const
/** The first request, the one with most changes, and the last ones. */
const MAX_REQUESTS = 6
const MAX_FILES = 3
const MAX_CHECKS = 2
const MAX_COMMITS = 2
const MAX_ACTS = 2
/** Interrupted steps, and requests without an answer. */
const MAX_STEPS = 2
/** A reply of this length is a report; shorter replies between tool runs are narration. */
const MIN_REPORT_CHARACTERS = 160

/** The labels of the lines of a composed handoff. Empty lines are left out. */
const HANDOFF_LABELS = {
  asked: 'Asked: ',
  verified: 'Done and verified: ',
  claimed: 'Claimed, not verified: ',
  left: 'Left: ',
} as const

/** Between two requests, in order. */
export const THEN = ' → '

/**
 * What the next session must know, from the conversation and its tool runs (ADR 58):
 *
 *   Asked: Add retries to the upload → Only for attachments → … → Make the limit configurable
 *   Done and verified: `npm test` passed after the last edit. Changed src/upload.ts, src/config.ts.
 *   Claimed, not verified: The upload retries up to 5 times.
 *   Left: `npm run lint` failed: 2 problems. Document the new option.
 *
 * "Done and verified" lists only what a check proved that passed after the last edit. A statement of the agent is a claim. Empty for a
 * side session.
 */
export function composeHandoff(
  messages: readonly Message[],
  { always = false, maxBytes = Number.POSITIVE_INFINITY } = {},
): string {
  const work = readSessionWork(messages)
  if (!always && !isRealWork(work, closingOf(work) !== undefined)) return ''
  for (const scale of [1, 0.8, 0.6, 0.45, 0.3, 0.2]) {
    const text = linesOf(work, scale)
    if (estimateTokens(text) <= MAX_TOKENS.whole && new TextEncoder().encode(text).length <= maxBytes)
      return text
  }
  return linesOf({ ...work, changed: [], commits: [], checks: [], acts: [] }, 0.1)
}

function linesOf(work: SessionWork, scale: number): string {
  const verified = verifiedLine(work)
  const last = closingOf(work)
  // After a report, commits describe the work better.
  const closing = last?.isLast === true || work.commits.length === 0 ? last : undefined
  const end = endOf(work)
  const points = closing?.report.points.filter(
    ({ text }) => !end.some(open => open.includes(text.slice(0, 60))),
  )
  const claimed = endOfReport(points ?? [], scale * MAX_TOKENS.claims)
  const facts = [
    commitsMade(work),
    changedFiles(work),
    claimed === '' && work.commits.length === 0 ? actsDone(work) : '',
  ]
  const claims = [
    claimed === '' || closing?.isLast === true ? claimed : `Earlier: ${claimed}`,
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
        ...fitting(leftIn(work, closing), scale * MAX_CHARACTERS.left),
      ]),
    ],
  ]
  return lines.flatMap(([label, text]) => (text === '' ? [] : [`${label}${text}`])).join('\n')
}

/** Short forms of the requests in order, without "yes, go on" and without unanswered ones, which are left. */
function askedLine({ turns }: SessionWork, scale: number): string {
  // A text to remember is an entry of its own.
  const requested = turns.filter(({ request }) => request !== undefined && !REMEMBER_LINE.test(request))
  const answered = requested.slice(0, requested.findLastIndex(isAnswered) + 1)
  const asked = answered.filter(turn => saysSomething(turn, turns))
  const all = asked.length > 0 ? asked : requested.length > 0 ? requested : turns.filter(hasRequest)
  const named = all.length <= MAX_REQUESTS ? all : chosenRequests(all)
  const room = (turn: Turn) =>
    named.length < 3
      ? MAX_CHARACTERS.request
      : turn === named.at(-1)
        ? MAX_CHARACTERS.last
        : Math.min(MAX_CHARACTERS.last, (MAX_CHARACTERS.requests - MAX_CHARACTERS.last) / (named.length - 1))
  return named
    .map((turn, at) => {
      const words = wordsOf(turn, turns, Math.ceil(lastly(scale) * room(turn)))
      const before = named[at - 1]
      const isGap = before !== undefined && all.indexOf(turn) > all.indexOf(before) + 1
      return isGap ? `…${THEN}${words}` : words
    })
    .join(THEN)
}

/** Requests are shortened last, only if the entry has little space. */
function lastly(scale: number): number {
  return scale < 0.3 ? scale : (1 + scale) / 2
}

function hasRequest({ request }: Turn): boolean {
  return request !== undefined
}

/** If there are too many: drops short remarks first, then all but the first, the one with most changes and the last ones. */
function chosenRequests(all: readonly Turn[]): Turn[] {
  const last = all.at(-1) as Turn
  const weighty = all.filter(turn => turn === last || !isSlight(requestWords(turn.request as string)))
  const [first, ...rest] = weighty
  const ending = rest.slice(-(MAX_REQUESTS - 2))
  const middle = rest.slice(0, -ending.length)
  const most = middle.reduce<Turn | undefined>(
    (best, turn) => (best === undefined || turn.edits > best.edits ? turn : best),
    undefined,
  )
  return [first, most, ...ending].filter(turn => turn !== undefined)
}

/** "Yes" has no content; "option B" does if the offer is known. */
function saysSomething(turn: Turn, turns: readonly Turn[]): boolean {
  const request = turn.request as string
  const words = requestWords(request)
  if (words !== '' && !isSilentPrompt(words)) return !HOST_COMMAND.test(words)
  return isSlight(words) && offeredTo(turn, turns) !== undefined
}

/** `/exit` is a command for the host. */
const HOST_COMMAND = /^\/\w+$/

/** The text of "option B". */
function offeredTo(turn: Turn, turns: readonly Turn[]): string | undefined {
  const offer = turns[turns.indexOf(turn) - 1]?.replies.at(-1)
  return offer === undefined ? undefined : chosenIn(offer, requestWords(turn.request as string))
}

function wordsOf(turn: Turn, turns: readonly Turn[], characters: number): string {
  const words = clippedRequest(turn.request as string, characters)
  const meant = isSlight(words) ? offeredTo(turn, turns) : undefined
  return meant === undefined ? words : `${words} (${clip(meant, Math.min(MAX_CHARACTERS.meant, characters))})`
}

function isAnswered({ replies, runs }: Turn): boolean {
  return replies.length > 0 || runs > 0
}

function isWorked({ edits, checks, runs }: Turn): boolean {
  return edits > 0 || checks > 0 || runs >= 3
}

interface Closing {
  readonly report: Report
  /** No work followed, so the message describes the current state. */
  readonly isLast: boolean
}

/** The last message that is a report, ignoring answers to questions after the work. */
function closingOf({ turns }: SessionWork): Closing | undefined {
  const lastWork = turns.findLastIndex(isWorked)
  const reports = turns.flatMap((turn, at) => {
    const goesOn = turn.request !== undefined && isSlight(requestWords(turn.request))
    const isReport = lastWork === -1 || at <= lastWork || goesOn
    const text = isReport ? reportIn(turn, at < lastWork) : undefined
    const report = text === undefined ? undefined : readReport(text)
    return report === undefined || report.points.length === 0 ? [] : [{ report, at, turn }]
  })
  // In an interrupted turn, the longer replies are diagnoses and plans.
  const last = reports.findLast(({ turn }) => turn.end !== 'run') ?? reports.at(-1)
  if (last === undefined) return undefined
  return { report: last.report, isLast: last.at >= lastWork && last.turn.end !== 'run' }
}

/** The end of a turn. If it was interrupted, ended with a goodbye or came before other work: its last longer reply. */
function reportIn({ replies, end }: Turn, isEarlier: boolean): string | undefined {
  const last = replies.at(-1)
  const longer = replies.findLast(reply => reply.length >= MIN_REPORT_CHARACTERS)
  if (end === 'run' || isEarlier) return longer
  return last !== undefined && !isSlight(last) ? last : (longer ?? last)
}

/** The next steps listed by the closing message and the last message. */
function leftIn({ turns }: SessionWork, closing: Closing | undefined): string[] {
  const last = turns.at(-1)
  const reply = last?.end === 'run' ? undefined : last?.replies.at(-1)
  const own = closing?.isLast === true ? closing.report.left : []
  return [...new Set([...own, ...(reply === undefined ? [] : readReport(reply).left)])]
}

function verifiedLine({ checks }: SessionWork): string {
  const passed = checks.filter(({ outcome, isAfterEdits }) => outcome === 'passed' && isAfterEdits)
  if (passed.length === 0) return ''
  return `${quoted(passed.slice(-MAX_CHECKS).map(({ command }) => command))} passed after the last edit`
}

function stalePasses({ checks }: SessionWork): string[] {
  const passed = checks.filter(({ outcome, isAfterEdits }) => outcome === 'passed' && !isAfterEdits)
  return passed.slice(-1).map(({ command }) => `${quoted([command])} passed before the last edit`)
}

function quoted(commands: readonly string[]): string {
  return commands.map(command => `\`${command}\``).join(', ')
}

function commitsMade({ commits }: SessionWork): string {
  const named = commits.slice(-MAX_COMMITS).map(subject => `“${subject}”`)
  return named.length === 0 ? '' : `Committed ${named.join(', ')}`
}

function changedFiles({ changed }: SessionWork): string {
  if (changed.length === 0) return ''
  const more = changed.length - MAX_FILES
  const named = changed.slice(0, MAX_FILES).map(shortPath)
  return `Changed ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

/** The last folders of a path that is not relative to the project. */
function shortPath(path: string): string {
  return /^(?:\/|~|[A-Za-z]:)/.test(path) ? `…/${path.split('/').slice(-3).join('/')}` : path
}

/** The commands that ran, if the agent does not report its work. */
function actsDone({ acts }: SessionWork): string {
  return acts.length === 0 ? '' : `Ran ${quoted(acts.slice(-MAX_ACTS))}`
}

function failures({ checks }: SessionWork): string[] {
  return checks
    .filter(({ outcome }) => outcome === 'failed')
    .slice(-MAX_CHECKS)
    .map(({ command, error, isAfterEdits }) => {
      const when = isAfterEdits ? '' : ' before the last edit'
      return `${quoted([command])} failed${when}${error === undefined ? '' : `: ${error}`}`
    })
}

function uncommitted({ isEditedSinceCommit }: SessionWork): string[] {
  return isEditedSinceCommit ? ['The last edits are not in a commit of this session'] : []
}

/** A session that ended before the agent answered, during its work, or with its question. */
function endOf({ turns }: SessionWork): string[] {
  const answered = turns.findLastIndex(isAnswered)
  const last = turns[answered]
  // Some hosts do not send the agent's messages.
  if (last === undefined || !turns.some(({ replies }) => replies.length > 0)) return []
  const open = turns
    .slice(answered + 1)
    .filter(turn => hasRequest(turn) && saysSomething(turn, turns))
    .map(({ request }) => clippedRequest(request as string, MAX_CHARACTERS.open))
  if (open.length > 0) return [`Not answered: ${sentences(open.slice(-MAX_STEPS))}`]
  const reply = last.replies.at(-1)
  if (last.end === 'run' || (last.end === 'reply' && /[:：]$/.test(reply?.trim() ?? ''))) {
    const steps = last.replies
      .slice(-MAX_STEPS)
      .map(step => lastSentences(step, MAX_CHARACTERS.step))
      .filter(step => step !== '')
    const named = steps.length > 0 ? steps : [clippedRequest(last.request ?? '', MAX_CHARACTERS.open)]
    return [`The session ended during: ${named.join('; ')}`]
  }
  const question = reply === undefined ? undefined : openQuestion(reply)
  return question === undefined ? [] : [`The agent asked: ${clip(question, MAX_CHARACTERS.open)}`]
}

/** As many short texts as fit. */
function fitting(texts: readonly string[], characters: number): string[] {
  let room = characters
  return texts
    .map(text => clip(text, MAX_CHARACTERS.step))
    .filter(text => {
      room -= text.length
      return room >= 0
    })
}

function sentences(texts: readonly string[]): string {
  return texts
    .filter(text => text !== '')
    .map(text => (/[.!?…。！？]$/.test(text) ? text : `${text}.`))
    .join(' ')
}

/**
 * Seed A, section 7: the end of a session, as its last messages. The seed's REST route returns this form.
 *
 *   [User]: Does the retry back off?
 *   [Agent]: Yes, from 200 ms, doubled up to 30 s.
 *
 * Without internal, injected, printed or skipped text. Empty without such messages.
 */
export function lastMessages(
  messages: readonly Message[],
  { last, characters }: { readonly last: number; readonly characters: number },
): string {
  const lines: string[] = []
  for (let at = messages.length - 1; at >= 0 && lines.length < last; at--) {
    const message = messages[at] as Message
    const said = spokenTextOf(message)
    if (said === undefined) continue
    const who = speakerOf(message.role) === 'user' ? 'User' : 'Agent'
    lines.push(`[${who}]: ${cut(said, characters)}`)
  }
  return lines.reverse().join('\n')
}

/** The changed files of a session, most often changed first. */
export function changedIn(messages: readonly Message[]): readonly string[] {
  return keyPathsOf(readSessionWork(messages).changed)
}

/** One line for lists of sessions: the request. Empty without a message of the user. */
export function composeSummary(messages: readonly Message[]): string {
  const asked = messages.flatMap(message =>
    speakerOf(message.role) === 'user' ? (spokenTextOf(message) ?? []) : [],
  )
  return cut(asked.find(text => !isShort(text)) ?? asked[0] ?? '', SUMMARY_CHARACTERS)
}

function cut(text: string, characters: number): string {
  if (text.length <= characters) return text
  const start = text.slice(0, characters - 1)
  // Never inside a character.
  return `${/[\ud800-\udbff]$/.test(start) ? start.slice(0, -1) : start}…`
}
