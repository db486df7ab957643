import type { ToolRun } from '../../model/message.ts'
import { commandName } from '../entities/commands.ts'
import { type MainError, mainError } from './main-error.ts'
import { type ShellCommand, splitShellLine } from './shell-line.ts'
import { type CheckCommand, type CheckKind, validationOf } from './validation-command.ts'

export type Outcome = 'passed' | 'failed'

/** The classification of a tool run by its command and its output. */
export interface RunReading {
  readonly outcome: Outcome | undefined
  /** The checks in it whose outcome is known. */
  readonly checks: readonly (CheckCommand & { readonly outcome: Outcome })[]
  /** Its working directory, if the command has one. */
  readonly folder?: string
  /** The commands that may have changed something; not those that only read, nor the checks. */
  readonly acts: readonly { readonly name: string; readonly line: string }[]
  readonly error?: MainError
}

/** The result of a run is at the end of its output. */
const READ_CHARACTERS = 16_000
/** They prepare the environment; the actual command comes after them. */
const STAGE = new Set(
  'cd pushd popd export set unset source . echo printf true : sleep mkdir alias trap wait clear'.split(' '),
)
/** They only read, and a non-zero exit code is one of their answers. */
const LOOKS = new Set(
  `ls ll tree cat bat head tail less more wc grep rg ag ack egrep fgrep find fd locate which whereis type stat file du df ps top pgrep lsof
   diff cmp test [ [[ pwd whoami id date uname env printenv hostname history man sort uniq cut awk jq yq tr column xxd od strings nl basename
   dirname realpath readlink sha256sum md5sum curl wget ping dig nslookup netstat ss tee xargs true false kill pkill sqlite3 psql open`
    .split(/\s+/)
    .filter(word => word !== ''),
)
const LOOKING_GIT =
  /^(?:status|diff|log|show|branch|blame|ls-files|rev-parse|grep|remote|describe|shortlog|reflog|stash list|config --get|add|commit|push|fetch)$/
const LOOKING_DOCKER = /^(?:ps|logs|images|inspect|stats|version|info|port|top)$/
const LOOKING_NPM = /^(?:ls|list|view|outdated|why|info|show|root|bin|config|pack)$/

const SAYS_FAILED =
  /\b[1-9]\d* (?:failed|failing|failures?|errors?)\b|^[ \t]*(?:FAILED|FAIL|BUILD FAILED|--- FAIL|✗|✕)|error TS\d+|\berror\[E\d+\]|test result: FAILED|Traceback \(most recent|panicked at|npm (?:ERR!|error)|\u2716 \d+ problem|^[ \t]*(?:fatal|panic): |could not compile|Compilation failed/m
const SAYS_PASSED =
  /\b\d+ (?:passed|passing)\b|\b0 (?:failed|failures|errors|problems)\b|^(?:ok|PASS)\s|test result: ok|BUILD SUCCESS|All (?:tests|checks|files) (?:passed|pass|use)|No (?:errors|issues|problems) found|Success: no issues|Found 0 errors|All matched files use|Checked \d+ files? in|compiled successfully|\bOK \(/m
/** The output of each check when it fails: identifies the check that failed in a chain. */
const FAILS_LIKE: Readonly<Record<CheckKind, RegExp>> = {
  test: /\b\d+ (?:failed|failing|failures?)\b|^[ \t]*(?:FAILED|FAIL|--- FAIL|✗|✕)|AssertionError|test result: FAILED|not ok \d/m,
  types: /error TS\d+|\berror\[E\d+\]|: error: /,
  lint: /\d+ problems?|\u2716|lint\/|warning: |clippy::|\b[EFW]\d{3,4}\b/,
  build: /build failed|could not compile|compilation failed|cannot find symbol|undefined reference/i,
  format: /code style issues|would reformat|not formatted|Format(?:ting)? /i,
}

export function readRun(run: ToolRun): RunReading {
  const output = (run.output ?? '').slice(-READ_CHARACTERS)
  const told = toldOutcome(run)
  if (run.command === undefined) {
    const error = told === 'failed' ? mainError(output) : undefined
    return { outcome: told, checks: [], acts: [], ...(error !== undefined && { error }) }
  }
  const commands = splitShellLine(run.command)
  const real = commands.filter(
    ({ words }, at) => !STAGE.has(words[0] ?? '') && commands[at - 1]?.then !== '|',
  )
  const checks = real.flatMap(({ words }) => validationOf(words) ?? [])
  const outcome = isHidden(commands) ? saidOutcome(output, told) : (told ?? saidOutcome(output, undefined))
  const error = outcome === 'failed' ? mainError(output) : undefined
  const folder = commands.find(({ words }) => words[0] === 'cd')?.words[1]
  return {
    outcome,
    checks: judged(checks, real.length, outcome, output),
    acts: real.filter(({ words }) => isAct(words)).map(actOf),
    ...(folder !== undefined && { folder }),
    ...(error !== undefined && { error }),
  }
}

function toldOutcome({ ok, exitCode }: ToolRun): Outcome | undefined {
  if (exitCode !== undefined) return exitCode === 0 ? 'passed' : 'failed'
  return ok === undefined ? undefined : ok ? 'passed' : 'failed'
}

/** `npm test | tail`, `npm test || true` and `npm test; echo done` succeed whatever the tests do. */
function isHidden(commands: readonly ShellCommand[]): boolean {
  const pipefail = commands.some(
    ({ words }) => words[0] === 'set' && words.some(word => word.includes('pipefail')),
  )
  return commands.some(({ then }, at) => {
    if (at === commands.length - 1) return false
    if (then === '|') return !pipefail
    return (then === '||' || then === ';') && !STAGE_BEFORE.has(commands[at]?.words[0] ?? '')
  })
}
const STAGE_BEFORE = new Set(['cd', 'export', 'set', 'source', '.', 'unset', 'mkdir'])

/** The outcome according to the output. A reported failure is a failure: the end of a pipe seldom fails for another reason. */
function saidOutcome(output: string, told: Outcome | undefined): Outcome | undefined {
  if (SAYS_FAILED.test(output)) return 'failed'
  if (SAYS_PASSED.test(output)) return 'passed'
  return told === 'failed' && output === '' ? undefined : told === 'failed' ? 'failed' : undefined
}

/** If `a && b` failed, one of them did: the one whose failure looks like the output, else the first. */
function judged(
  checks: readonly CheckCommand[],
  commands: number,
  outcome: Outcome | undefined,
  output: string,
): RunReading['checks'] {
  if (outcome === undefined || checks.length === 0) return []
  if (outcome === 'passed') return checks.map(check => ({ ...check, outcome }))
  const guilty =
    checks.find(({ check }) => FAILS_LIKE[check].test(output)) ??
    (commands === checks.length ? checks[0] : undefined)
  return guilty === undefined ? [] : [{ ...guilty, outcome }]
}

function isAct(words: readonly string[]): boolean {
  const [program = '', second = ''] = words
  const name = program.split('/').pop() ?? ''
  if (LOOKS.has(name) || validationOf(words) !== undefined) return false
  if (name === 'sed') return words.some(word => /^-[a-z]*i|^--in-place/.test(word))
  if (name === 'git') return !LOOKING_GIT.test(second)
  if (name === 'docker' || name === 'podman' || name === 'kubectl') return !LOOKING_DOCKER.test(second)
  if (name === 'npm' || name === 'pnpm' || name === 'yarn' || name === 'pip') return !LOOKING_NPM.test(second)
  return true
}

function actOf(command: ShellCommand): { name: string; line: string } {
  const words = command.words[0] === 'sudo' ? command.words.slice(1) : command.words
  const line = words
    .map(word => (/\s/.test(word) ? `'${word}'` : word))
    .join(' ')
    .slice(0, 300)
  return { name: commandName(line)?.name ?? words[0] ?? '', line }
}
