interface CommitText {
  readonly author: string
  readonly email: string
  readonly message: string
}

/** What a future reader can learn from a commit. */
export interface CommitLesson {
  readonly kind: 'decision' | 'error' | 'warning'
  readonly content: string
  readonly importance: number
  readonly tags: readonly string[]
}

const MAX_SUBJECT_LENGTH = 300
/** A shorter subject cannot contain a reason. */
const TELLING_SUBJECT = 60
const MAX_REASON_LENGTH = 700
/** A shorter body gives no reason. */
const MIN_WORDS = 6

const BOT =
  /\[bot\]|\b(?:dependabot|renovate|greenkeeper|github-actions|semantic-release|snyk|mergify|pre-commit-ci)\b/i
const TRIVIAL =
  /^(?:wip\b|fixup!|squash!|amend!|merge\b|bump\b|release\b|typos?\b|v?\d+\.\d+|initial commit\b|first commit\b|update (?:readme|changelog|deps|dependencies)\b|formatt?(?:ing)?\b|lint\b|(?:chore|style|docs?|ci|build|tests?)(?:\([^)]*\))?!?:)/i
const CONVENTIONAL = /^([a-z]{2,12})(?:\(([^)\n]{1,40})\))?(!)?:[ \t]+/i
const REVERT = /^revert\b[:\s]*["“]?(.+?)["”]?$/i
const REVERTED = /\bThis reverts commit ([0-9a-f]{7,64})/
const FIX =
  /^(?:hot)?fix(?:e[sd])?\b|\b(?:fix(?:es|ed)?|bug|regression|crash(?:es|ed)?|deadlock|race condition|leak(?:s|ed)?|corrupt\w*|workaround)\b/i
const DECISION =
  /\b(?:switch(?:ed|es)?|mov(?:e|ed|es)|migrat(?:e|ed|es)|replac(?:e|ed|es)|adopt(?:ed|s)?|drop(?:ped|s)?|choos(?:e|es)|chose|decid(?:e|ed|es)|instead of|rather than|no longer|deprecat(?:e|ed|es)|use[sd]? .{1,60} (?:for|instead|rather|over))\b/i
/** Text after one of these is a reason, not a description. */
const REASON =
  /\b(?:because|since (?!v?\d|\w+ \d{4}|yesterday|then)|due to|so that|in order to|otherwise|turned out|turns out|root cause|caused by|the (?:cause|reason|problem|issue) (?:is|was)|as (?:it|they|this|we) (?:would|could|can|cannot|does|did)|to avoid|to prevent|to make sure|which (?:means|meant|broke|breaks|caused|causes|led|leads)|would (?:have|otherwise)|prevents? |rather than|instead of|fails? (?:when|if|because|with)|failed (?:when|because|with)|breaks? (?:when|if|because))\b/i
const TRAILER =
  /^(?:[A-Z][A-Za-z]*(?:-[A-Za-z]+)+|Bug|Closes|Fixes|Refs?|Cc|Issue|Resolves|PR):?\s+\S|^(?:\(cherry picked from|git-svn-id:)|^https?:\/\/\S+$|^🤖/

/**
 * undefined for what teaches nothing: it was a bot's, trivial, or gives no reason. What was done stands in the code; a history is worth asking
 * for why. So a body with a reason is asked for, and few commits are taken.
 *
 *   fix with its cause → error     revert with its reason → warning     change of course with its reason → decision
 */
export function lessonOfCommit({ author, email, message }: CommitText): CommitLesson | undefined {
  if (BOT.test(author) || BOT.test(email)) return undefined
  const [first = '', ...rest] = message.replaceAll('\r\n', '\n').trim().split('\n')
  const subject = first.trim().slice(0, MAX_SUBJECT_LENGTH)
  // Some authors write the reason into the subject line.
  const reason =
    reasonIn(rest) ?? (subject.length >= TELLING_SUBJECT && REASON.test(subject) ? '' : undefined)
  const revert = REVERT.exec(subject)
  if (subject === '' || reason === undefined || (TRIVIAL.test(subject) && revert === null)) return undefined
  if (revert !== null)
    return {
      kind: 'warning',
      content: `Reverted: ${withoutPrefix(revert[1] ?? '').text}\n\n${reason}`.trim(),
      importance: 0.7,
      tags: ['revert'],
    }
  const { text, type, scope, isBreaking } = withoutPrefix(subject)
  const tags = scope === undefined ? [] : [scope]
  const isFix = type === undefined ? FIX.test(subject) : /^(?:hot)?fix$/i.test(type)
  if (isFix)
    return { kind: 'error', content: `${text}\n\n${reason}`.trim(), importance: 0.6, tags: ['fix', ...tags] }
  if (isBreaking || DECISION.test(subject) || DECISION.test(reason))
    return {
      kind: 'decision',
      content: `${text}\n\n${reason}`.trim(),
      importance: isBreaking ? 0.7 : 0.6,
      tags,
    }
  return undefined
}

/** The commit that a revert message names. */
export function revertedBy(message: string): string | undefined {
  return REVERTED.exec(message)?.[1]
}

function withoutPrefix(subject: string): {
  readonly text: string
  readonly type?: string
  readonly scope?: string
  readonly isBreaking: boolean
} {
  const match = CONVENTIONAL.exec(subject)
  if (match === null) return { text: subject, isBreaking: false }
  const [prefix, type = '', scope, mark] = match
  const text = subject.slice(prefix.length)
  return {
    text: text.charAt(0).toUpperCase() + text.slice(1),
    type,
    ...(scope !== undefined && { scope }),
    isBreaking: mark === '!',
  }
}

/**
 * The paragraphs from the first one that gives a reason, as far as they fit. Lists, code, quotations and trailers are not prose.
 */
function reasonIn(lines: readonly string[]): string | undefined {
  const paragraphs = lines
    .join('\n')
    .split(/\n[ \t]*\n/)
    .map(paragraph => {
      const prose = paragraph
        .split('\n')
        .filter(line => !TRAILER.test(line) && !REVERTED.test(line) && !/^(?: {4}|\t|>|```|#)/.test(line))
      const isList = prose.filter(line => /^\s*[-*+]\s/.test(line)).length > 1
      // Joins wrapped lines; list items stay separate.
      return isList ? prose.join('\n').trim() : prose.join(' ').replace(/\s+/g, ' ').trim()
    })
    .filter(paragraph => paragraph !== '')
  const from = paragraphs.findIndex(
    paragraph => REASON.test(paragraph) && paragraph.split(/\s+/).length >= MIN_WORDS,
  )
  if (from < 0) return undefined
  // The paragraph before the reason says what is explained.
  const wanted = paragraphs.slice(Math.max(0, from - 1), from + 2)
  while (wanted.length > 1 && wanted.join('\n\n').length > MAX_REASON_LENGTH)
    wanted.splice(REASON.test(wanted[0] ?? '') ? wanted.length - 1 : 0, 1)
  return wanted.join('\n\n').slice(0, MAX_REASON_LENGTH * 2)
}
