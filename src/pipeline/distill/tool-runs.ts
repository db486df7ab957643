import { homeOfKind } from '../../model/category.ts'
import type { Finding } from '../../model/finding.ts'
import type { Message, ToolRun } from '../../model/message.ts'
import { isConfigurationFile } from '../../text/entities/file-name.ts'
import { findMentions } from '../../text/entities/find-entities.ts'
import { fingerprint } from '../../text/fingerprint.ts'
import { type RedactOptions, redact } from '../../text/redaction/redact.ts'
import { keyPathsOf } from '../../text/runs/key-paths.ts'
import { type RunReading, readRun } from '../../text/runs/read-run.ts'
import { sameErrorKey, type TellingError } from '../../text/runs/telling-error.ts'

export interface FixOptions {
  /** However long the conversation. Default 5. */
  readonly mostFixes?: number
  readonly redaction?: RedactOptions
}

const MOST_FIXES = 5
const MOST_FILES_TOLD = 4
const MOST_ACTS_TOLD = 2
const LONGEST_ACT = 100
const LONGEST_TEXT = 500
/** Commands that change what the project stands on rather than the project. */
const SETUP =
  /^(?:npm|pnpm|yarn|bun|pip3?|pipx|poetry|uv|conda|cargo|go|gem|bundle|composer|brew|apt(?:-get)?|apk|dotnet|flutter|pod) (?:install|i|ci|add|get|update|upgrade|remove|uninstall|mod|sync|lock|require|restore|pip|rebuild|dedupe|cache|link|pub)|^(?:docker|podman|kubectl|helm|terraform|systemctl|service|supabase|prisma|alembic|rails|rake|mix|nvm|volta|asdf|mise|rustup|corepack|chmod|chown|ulimit|export|ssh-add|xcode-select|playwright|husky)\b|migrate/

/** A command that failed and has not passed since. */
interface OpenFailure {
  readonly command: string
  readonly isCheck: boolean
  selection: readonly string[]
  folder: string | undefined
  /** The line as it was run, to see whether the next one differs. */
  line: string
  tries: number
  readonly errors: Map<string, { error: TellingError; count: number }>
  /** Since the last try. */
  readonly files: Set<string>
  readonly acts: Set<string>
}

interface Fix {
  readonly message: number
  readonly failure: OpenFailure
  readonly passedLine: string
  readonly error: TellingError
  readonly sameTries: number
}

/**
 * Hard-won fixes: a command that failed, something that was changed, and the same command passing.
 *
 *   npm test ✗   edit a.ts   npm test ✗   npm install x   npm test ✓      → one finding: what failed, and what was done last
 *   npm test ✗   npm test ✓                                               → flaky: nothing
 *   npm test ✗ (assertion)   edit a.ts   npm test ✓                       → ordinary work: nothing
 */
export function findFixes(messages: readonly Message[], options: FixOptions = {}): Finding[] {
  const open = new Map<string, OpenFailure>()
  const fixes: Fix[] = []
  messages.forEach((message, at) => {
    if (message.run === undefined || message.internal === true) return
    const { run } = message
    const reading = readRun(run)
    const ended = endedCommands(reading, run)
    // What a run changed belongs to the failures that were open before it.
    noteChanges(open, run, reading, new Set(ended.map(({ key }) => key)))
    for (const command of ended) {
      const failure = open.get(command.key)
      if (command.outcome === 'failed') open.set(command.key, failedAgain(failure, command, reading))
      else if (failure !== undefined && covers(command, failure, reading.folder)) {
        open.delete(command.key)
        const fix = fixOf(failure, command.line, at)
        if (fix !== undefined) fixes.push(fix)
      }
    }
  })
  const { mostFixes = MOST_FIXES } = options
  const ranked = [...fixes].sort((a, b) => importanceOf(b) - importanceOf(a) || a.message - b.message)
  const kept = new Set(ranked.slice(0, mostFixes))
  const findings = fixes.filter(fix => kept.has(fix)).map(fix => findingOf(fix, options.redaction))
  return findings.filter(
    (finding, at) => findings.findIndex(other => other.fingerprint === finding.fingerprint) === at,
  )
}

interface EndedCommand {
  readonly key: string
  readonly command: string
  readonly line: string
  readonly outcome: 'passed' | 'failed'
  readonly isCheck: boolean
  readonly selection: readonly string[]
}

/** The checks of a run, or the one other command in it. */
function endedCommands(reading: RunReading, run: ToolRun): EndedCommand[] {
  const line = run.command ?? ''
  const checks = reading.checks.map(
    ({ key, command, outcome, selection }): EndedCommand => ({
      key,
      command,
      line,
      outcome,
      selection,
      isCheck: true,
    }),
  )
  if (checks.length > 0 || reading.outcome === undefined || reading.acts.length !== 1) return checks
  const [act] = reading.acts
  if (act === undefined || !act.name.includes(' ')) return []
  return [
    {
      key: `act ${act.name}`,
      command: act.name,
      line: act.line,
      outcome: reading.outcome,
      selection: [],
      isCheck: false,
    },
  ]
}

function noteChanges(
  open: ReadonlyMap<string, OpenFailure>,
  run: ToolRun,
  reading: RunReading,
  ended: ReadonlySet<string>,
): void {
  if (reading.outcome === 'failed') return
  const files = run.isEdit === true ? keyPathsOf(run.files ?? []) : []
  for (const [key, failure] of open) {
    for (const file of files) failure.files.add(file)
    // A retry is no change.
    for (const { name, line } of reading.acts)
      if (!ended.has(`act ${name}`) || key !== `act ${name}`) failure.acts.add(line)
  }
}

function failedAgain(
  before: OpenFailure | undefined,
  command: EndedCommand,
  { error, folder }: RunReading,
): OpenFailure {
  const failure: OpenFailure = before ?? {
    command: command.command,
    isCheck: command.isCheck,
    selection: command.selection,
    folder,
    line: command.line,
    tries: 0,
    errors: new Map(),
    files: new Set(),
    acts: new Set(),
  }
  failure.tries++
  failure.selection = command.selection
  failure.folder = folder
  failure.line = command.line
  failure.files.clear()
  failure.acts.clear()
  if (error !== undefined) {
    const key = sameErrorKey(error.line)
    failure.errors.set(key, { error, count: (failure.errors.get(key)?.count ?? 0) + 1 })
  }
  return failure
}

/** All of it passed, or at least what had failed, in the same folder. */
function covers(passed: EndedCommand, failure: OpenFailure, folder: string | undefined): boolean {
  if (folder !== undefined && failure.folder !== undefined && folder !== failure.folder) return false
  if (passed.selection.length === 0) return true
  return failure.selection.length > 0 && failure.selection.every(picked => passed.selection.includes(picked))
}

function fixOf(failure: OpenFailure, passedLine: string, message: number): Fix | undefined {
  const told = [...failure.errors.values()].sort((a, b) => b.count - a.count)[0]
  if (told === undefined) return undefined
  const changedCommand = !failure.isCheck && passedLine !== failure.line
  if (failure.files.size === 0 && failure.acts.size === 0 && !changedCommand) return undefined
  const fix: Fix = { message, failure, passedLine, error: told.error, sameTries: told.count }
  return isHardWon(fix) ? fix : undefined
}

/**
 * An assertion or an error in the code that goes away with the next edit is ordinary work. It was hard when the same error
 * came again after a try, or three tries failed. What the surroundings lacked is worth knowing after one, and so is what was
 * mended by installing or configuring something.
 */
function isHardWon({ failure, error, sameTries }: Fix): boolean {
  if (sameTries >= 2 || failure.tries >= 3) return true
  const setUp =
    [...failure.acts].some(line => SETUP.test(line)) || [...failure.files].some(isConfigurationFile)
  return setUp || error.kind === 'environment' || (error.kind === 'other' && failure.isCheck)
}

/** 0.6 + 0.1 a failed try beyond the first, 0.05 for what the surroundings lacked; at most 0.9. From 0.7 on a fix is promoted by itself. */
function importanceOf({ failure, error }: Fix): number {
  const base = 0.6 + 0.1 * (failure.tries - 1) + (error.kind === 'environment' ? 0.05 : 0)
  return Math.round(Math.min(0.9, base) * 100) / 100
}

function findingOf(fix: Fix, redaction: RedactOptions | undefined): Finding {
  const text = redact(textOf(fix), redaction).text.slice(0, LONGEST_TEXT)
  const entities = findMentions(text).filter(({ type }) => type === 'package' || type === 'service')
  return {
    text,
    message: fix.message,
    speaker: 'agent',
    kind: 'error',
    category: homeOfKind('error'),
    importance: importanceOf(fix),
    confidence: fix.failure.tries >= 2 ? 0.8 : 0.7,
    files: [...fix.failure.files],
    tags: [...new Set(entities.map(entity => entity.name))].slice(0, 8),
    isErrorResolution: true,
    fingerprint: fingerprint(text),
  }
}

function textOf({ failure, error, passedLine }: Fix): string {
  const tries = failure.tries === 1 ? '' : ` (${failure.tries} tries)`
  const changed =
    !failure.isCheck && passedLine !== failure.line ? `run as \`${shortened(passedLine)}\`` : undefined
  const files = [...failure.files]
  const more = files.length > MOST_FILES_TOLD ? ` and ${files.length - MOST_FILES_TOLD} more` : ''
  const done = [
    files.length === 0 ? undefined : `after changing ${files.slice(0, MOST_FILES_TOLD).join(', ')}${more}`,
    failure.acts.size === 0
      ? undefined
      : `after ${[...failure.acts]
          .slice(-MOST_ACTS_TOLD)
          .map(act => `\`${shortened(act)}\``)
          .join(' and ')}`,
    changed,
  ].filter(part => part !== undefined)
  return `\`${failure.command}\` failed with "${error.line}"${tries}. It passed ${done.join(', ')}.`
}

function shortened(line: string): string {
  return line.length <= LONGEST_ACT ? line : `${line.slice(0, LONGEST_ACT - 1)}…`
}
