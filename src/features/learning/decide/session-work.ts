import { type Message, speakerOf } from '../../../kernel/model/message.ts'
import { type Outcome, readRun } from '../../../kernel/text/runs/read-run.ts'
import { splitShellLine } from '../../../kernel/text/runs/shell-line.ts'
import { validationOf } from '../../../kernel/text/runs/validation-command.ts'
import { isShort } from './closing-message.ts'
import { isSkipped, ownText } from './spoken-text.ts'

/** The work done in a conversation, from its messages and tool runs. */
export interface SessionWork {
  readonly turns: readonly Turn[]
  /** Changed files: those of the last request with changes first, then by how often they changed. Paths as the host reported them. */
  readonly changed: readonly string[]
  /** Commands that may have changed something and are neither checks nor commits, in order. */
  readonly acts: readonly string[]
  /** The subjects of the commits, in order. */
  readonly commits: readonly string[]
  /** A file was edited after the last commit. */
  readonly isEditedSinceCommit: boolean
  /** The last state of each check, in the order of their last runs. */
  readonly checks: readonly CheckState[]
}

/** One request of the user and the replies to it. */
export interface Turn {
  readonly request: string | undefined
  /** The agent's replies, verbatim. */
  readonly replies: readonly string[]
  readonly edits: number
  readonly checks: number
  readonly runs: number
  /**
   * The last event: `run`, a tool run without a message of the agent after it; `settled`, the same, but the run wrote the files that the
   * agent's message shows, or committed.
   */
  readonly end: 'reply' | 'run' | 'settled'
}

interface CheckState {
  readonly command: string
  readonly outcome: Outcome
  readonly error?: string
  /** It ran after the last known change. */
  readonly isAfterEdits: boolean
}

/** Commands that change files without an edit tool. */
const CHANGING_COMMAND =
  /\bsed\s+(?:-\S+\s+)*-[a-zA-Z]*i|\bperl\s+-\S*i|\bgit\s+(?:apply|checkout(?!\s+-b)|restore|revert|merge|rebase|reset|cherry-pick|stash\s+pop)\b|(?:^|[;&|]\s*)(?:mv|cp|rm|patch)\s|\bcat\s*>{1,2}\s*\S+\s*<<|\bcat\s*<<[^\n]*>\s*\S|\btee\s[^\n]*<</m
const MAX_COMMAND = 90
const MAX_ERROR = 140
const MAX_SUBJECT = 72

export function readSessionWork(messages: readonly Message[]): SessionWork {
  const turns: Turn[] = []
  const editsByFile = new Map<string, { count: number; turn: number }>()
  const checks = new Map<
    string,
    CheckState & {
      readonly at: number
      readonly turn: number
      readonly check: string
      readonly isWhole: boolean
    }
  >()
  const acts = new Set<string>()
  const commits: string[] = []
  let isEditedSinceCommit = false
  let turn = emptyTurn(undefined)
  let lastChange = -1
  let lastChangeTurn = -1
  for (const [at, message] of messages.entries()) {
    const speaker = speakerOf(message.role)
    if (speaker === 'user' || speaker === 'agent') {
      const said = textOf(message)
      if (said === undefined) continue
      if (speaker === 'user') {
        turns.push(turn)
        turn = emptyTurn(said)
      } else turn = { ...turn, replies: [...turn.replies, said], end: 'reply' }
    } else if (message.run !== undefined && message.internal !== true) {
      const { run } = message
      const reading = readRun(run)
      const files = run.files ?? []
      // A note in the memory or a build output does not invalidate a check.
      const isOurs = files.length === 0 || pathsOf(files).size > 0
      const isEdit = run.isEdit === true && isOurs && reading.outcome !== 'failed'
      const isChange = isEdit || (run.command !== undefined && CHANGING_COMMAND.test(run.command))
      if (isEdit)
        for (const file of pathsOf(files))
          editsByFile.set(file, { count: (editsByFile.get(file)?.count ?? 0) + 1, turn: turns.length })
      if (isChange) {
        lastChange = at
        lastChangeTurn = turns.length
      }
      const isSuccess = (run.ok === true || run.exitCode === 0) && reading.outcome !== 'failed'
      const commit = isSuccess ? commitSubject(run.command) : undefined
      if (commit !== undefined) commits.push(commit)
      if (isEdit || commit !== undefined) isEditedSinceCommit = commit === undefined && commits.length > 0
      const isSettled = commit !== undefined || (isEdit && showsFile(turn.replies.at(-1), files))
      // Run again with an unknown outcome: the earlier result is out of date.
      if (reading.checks.length === 0)
        for (const { words } of splitShellLine(run.command ?? ''))
          checks.delete(validationOf(words)?.key ?? '')
      for (const { line } of reading.acts) {
        acts.delete(line)
        acts.add(line)
      }
      for (const { key, command, selection, outcome, check } of reading.checks) {
        const error = outcome === 'failed' ? reading.error?.line : undefined
        checks.delete(key)
        checks.set(key, {
          command: cut([command, ...selection].join(' '), MAX_COMMAND),
          outcome,
          ...(error !== undefined && { error: cut(error, MAX_ERROR) }),
          isAfterEdits: false,
          at,
          turn: turns.length,
          check,
          isWhole: selection.length === 0,
        })
      }
      turn = {
        ...turn,
        edits: turn.edits + Number(isChange),
        checks: turn.checks + reading.checks.length,
        runs: turn.runs + 1,
        end: isSettled ? 'settled' : 'run',
      }
    }
  }
  turns.push(turn)
  const all = [...checks.values()]
  const lastEdited = Math.max(...[...editsByFile.values()].map(({ turn: at }) => at))
  return {
    turns: turns.filter(isUsed),
    changed: [...editsByFile]
      .sort(
        ([, a], [, b]) => Number(b.turn === lastEdited) - Number(a.turn === lastEdited) || b.count - a.count,
      )
      .map(([file]) => file),
    commits,
    acts: [...acts].map(line => cut(line, MAX_COMMAND)),
    isEditedSinceCommit,
    checks: all
      // A failure is resolved when a later full run of the same kind does not show it, or by later edits for another request.
      .filter(
        one =>
          one.outcome === 'passed' ||
          ((one.at > lastChange || one.turn === lastChangeTurn) &&
            !all.some(
              later =>
                later.at > one.at && later.check === one.check && later.isWhole && later.outcome === 'passed',
            )),
      )
      .map(({ command, outcome, error, at }) => ({
        command,
        outcome,
        ...(error !== undefined && { error }),
        isAfterEdits: at > lastChange,
      })),
  }
}

/** `git commit -m "Fix the login"`, also with the message in a here-document. */
const COMMIT =
  /\bgit\s+commit\b[^\n]*?\s-\w*m\s*(?:"\$\(cat <<\s*['"]?\w+['"]?\s*\n\s*([^\n]+)|"([^"\n]+)|'([^'\n]+))/

function commitSubject(command: string | undefined): string | undefined {
  const match = command === undefined ? null : COMMIT.exec(command)
  const subject = match?.[1] ?? match?.[2] ?? match?.[3]
  return subject === undefined ? undefined : cut(subject.trim(), MAX_SUBJECT)
}

/** Some agents answer with the whole file, which is written afterwards. */
function showsFile(reply: string | undefined, files: readonly string[]): boolean {
  return reply?.includes('```') === true && files.some(file => reply.includes(file))
}

/** With `/` between folders, without duplicates. Some hosts append the written content to a path. */
function pathsOf(files: readonly string[]): Set<string> {
  const paths = files.map(file => file.replaceAll('\\', '/').replace(/^\.\/|(?<=\.\w{1,8})\s.*$/gs, ''))
  return new Set(paths.filter(path => path !== '' && path.length <= MAX_PATH && !NOT_OURS.test(path)))
}
const MAX_PATH = 300
/** Build output, dependencies, Cairn's own files, or code in place of a path. */
const NOT_OURS = /(?:^|\/)(?:node_modules|dist|build|target|\.git|\.memory|__pycache__)\/|[&<>;"]|:$/

function emptyTurn(request: string | undefined): Turn {
  return { request, replies: [], edits: 0, checks: 0, runs: 0, end: 'reply' }
}

function isUsed({ request, replies, runs }: Turn): boolean {
  return request !== undefined || replies.length > 0 || runs > 0
}

/** The text of a person or an agent, with its lines; undefined for internal, private, injected and skipped text. */
function textOf(message: Message): string | undefined {
  if (message.internal === true || isSkipped(message.text)) return undefined
  const said = ownText(message.text).trim()
  return said === '' ? undefined : said
}

/** How many substantial exchanges make a session without edits and checks more than a side question. */
const MIN_EXCHANGES = 6

/** Some hosts do not report which runs were edits: this many runs and a report after them count as work. */
const MIN_RUNS = 8

/**
 * Whether the next session must know about the work of this one: it changed files, ran a check, reports something after many tool runs,
 * or is a discussion of at least MIN_EXCHANGES requests with answers. Any other session is a side session and leaves no handoff.
 */
export function isRealWork({ turns }: SessionWork, hasReport: boolean): boolean {
  if (turns.some(({ edits, checks }) => edits > 0 || checks > 0)) return true
  if (hasReport && turns.reduce((sum, { runs }) => sum + runs, 0) >= MIN_RUNS) return true
  const exchanges = turns.filter(
    ({ request, replies }) =>
      request !== undefined && !isShort(request) && replies.some(reply => !isShort(reply)),
  )
  return exchanges.length >= MIN_EXCHANGES
}

function cut(text: string, characters: number): string {
  return text.length <= characters ? text : `${text.slice(0, characters - 1).trimEnd()}…`
}
