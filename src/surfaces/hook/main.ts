import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import * as path from 'node:path'
import { composeEngine } from '../../compose/compose.ts'
import type { ComposedCheckout } from '../../compose/composed.ts'
import { resolveProject } from '../../features/projects/resolve-project.ts'
import { answerHook } from '../../hosts/hooks/answer-hook.ts'
import { printWithQuestion } from '../../hosts/hooks/ask-in-hook.ts'
import { captureOf, leaveForWorker } from '../../hosts/hooks/capture-hook.ts'
import { contextLeft } from '../../hosts/hooks/context-left.ts'
import type { HookEvent, HookPurpose } from '../../hosts/hooks/decide/hook-event.ts'
import { parseFields } from '../../hosts/hooks/decide/payload-fields.ts'
import { printAnswer } from '../../hosts/hooks/decide/print-answer.ts'
import { purposeOf, readPayload } from '../../hosts/hooks/decide/read-payload.ts'
import { noteHookError, noteHookFailure } from '../../hosts/hooks/hook-failures.ts'
import { hasIntegration } from '../../hosts/hooks/own-integration.ts'
import { HOSTS } from '../../hosts/hosts.ts'
import { CONFIG_KEYS } from '../../kernel/model/config-keys.ts'
import { type HostId, isHostId } from '../../kernel/model/host.ts'
import type { Degradation } from '../../kernel/model/search.ts'
import { hostVariables, readEnvironment, setUserFolder } from '../../kernel/system/environment.ts'
import { readBoundedInput, writeStandardOutput } from '../../kernel/system/standard-input.ts'

/** The maximum wait of a host, because a user waits too. */
const PROMPT_DEADLINE_MS = CONFIG_KEYS['hooks.promptDeadlineMs'].default
const DEADLINE_MS = 1_000
const STOP_QUESTION_MS = 4_000
const UNHURRIED_MS = 60_000
/** The start of Node counts up to this time: on a busy machine the user has waited for that too. */
const START_MS = 100
/** Reserved for writing after the answer. */
const RESERVE_MS = 40
/** The maximum wait for a locked index. */
const PATIENCE_MS = 60
/** The share of the time that may be spent on indexing new files. */
const READING_SHARE = 0.4
/** Larger than what hosts send. The rest of a longer input is not read, so it is not valid JSON. */
const MAX_INPUT_BYTES = 32 * 1_048_576

/**
 * `cairn hook <host> <event>`: every host calls this, with its payload on standard input. It prints only what the host injects, always
 * exits with 0, and in time. Failures are recorded where `cairn status` and `cairn doctor` show them.
 */
export function main(argv: readonly string[]): Promise<number> {
  // Measured from the start of the process.
  const beganMs = Math.min(performance.now(), START_MS)
  return answerCall(argv, purpose => beganMs + deadlineOf(purpose))
}

export function warmUp(): Promise<void> {
  // No caller waits here, and a process that exited would not produce a cache.
  return walkHookPaths(argv => answerCall(argv, () => performance.now() + UNHURRIED_MS))
}

function deadlineOf(purpose: HookPurpose): number {
  return purpose === 'prompt' ? PROMPT_DEADLINE_MS : DEADLINE_MS
}

async function answerCall(argv: readonly string[], endOf: (purpose: HookPurpose) => number): Promise<number> {
  const [, host = '', name = ''] = argv
  // A user typed it; the whole command line can show help.
  if (name === '') throw Object.assign(new Error('not in this bundle'), { handOver: true })
  if (host === '--worker') {
    const { runWorker } = await import('./run-worker.ts')
    return runWorker(name)
  }
  if (!isHostId(host) || readEnvironment().isInternal) return 0
  const purpose = purposeOf(host, name)
  if (purpose === undefined) return 0
  const deadlineMs = deadlineOf(purpose)
  const call = { host, name, purpose, deadlineMs, endsMs: endOf(purpose) - RESERVE_MS }
  try {
    await answer(call)
  } catch (error) {
    if (error instanceof Error && 'handOver' in error) throw error
    note(call, error)
  }
  return 0
}

interface Call {
  readonly host: HostId
  readonly name: string
  readonly purpose: HookPurpose
  deadlineMs: number
  endsMs: number
  root?: string
  /** The time limit was reached, and the timer ends the process. */
  isOver?: boolean
  /** A background process must update the index. */
  behind?: Degradation | undefined
}

const leftMs = ({ endsMs }: Call) => endsMs - performance.now()

async function answer(call: Call): Promise<void> {
  const { host, name, purpose } = call
  const payload = parseFields(await inputOf(call))
  const read = readPayload(host, name, purpose, payload)
  const { root, standing } = resolveProject(read.cwd ?? process.cwd())
  if (standing !== 'trusted') return
  call.root = root
  if (payload === undefined) return noteHookFailure({ ...placeOf(call), ...unreadable(hookInput.text ?? '') })
  const otherHost = HOSTS[host].hooks.otherCaller?.(payload, hostVariables())
  if (otherHost !== undefined && hasIntegration(otherHost, root)) return
  if (read.command !== undefined) {
    const { answerTyped } = await import('./answer-typed.ts')
    return answerTyped(read, read.command, {
      root,
      note: (code, message) => noteHookFailure({ ...placeOf(call), code, message }),
    })
  }
  const remainingContext = read.remainingContext ?? contextLeft(read)
  const event: HookEvent = remainingContext === undefined ? read : { ...read, remainingContext }
  const { agent } = readEnvironment()
  const memory = composeEngine({
    root,
    patienceMs: PATIENCE_MS,
    indexingLimitMs: READING_SHARE * call.deadlineMs,
    actor: {
      host,
      ...(agent !== undefined && { agent }),
      ...(event.session !== undefined && { session: event.session }),
    },
  })
  if (purpose === 'prompt') await takeTimeOf(memory, call)
  if (purpose === 'turn-end') await takeTimeToAsk(memory, call)
  const ending = leftMs(call) <= 0 ? undefined : setTimeout(() => endNow(memory, call, event), leftMs(call))
  try {
    const context = await contextFor(memory, call, event)
    const line = await captured(memory, call, event, purpose !== 'prompt')
    const text = await printed(memory, call, event, context)
    if (call.isOver === true) return await new Promise<never>(() => undefined)
    clearTimeout(ending)
    writeStandardOutput(text, Math.max(1, leftMs(call)))
    if (call.behind !== undefined) noteHookFailure({ ...placeOf(call), ...call.behind })
    await leave(memory, call, line)
  } finally {
    clearTimeout(ending)
    await memory.close()
  }
}

/** The project sets how long a prompt may wait. If its settings cannot be read, the answer says so. */
async function takeTimeOf(memory: ComposedCheckout, call: Call): Promise<void> {
  const deadlineMs = await memory.config().then(
    config => config['hooks.promptDeadlineMs'],
    () => PROMPT_DEADLINE_MS,
  )
  call.endsMs += deadlineMs - call.deadlineMs
  call.deadlineMs = deadlineMs
}

/** If the user chose to be asked at the end of a turn, the question may take longer; hosts wait for 5 s. */
async function takeTimeToAsk(memory: ComposedCheckout, call: Call): Promise<void> {
  const mode = await memory.config().then(
    config => config.agentSaves,
    () => 'off',
  )
  if (mode !== 'stop') return
  call.endsMs += STOP_QUESTION_MS - call.deadlineMs
  call.deadlineMs = STOP_QUESTION_MS
}

/** Without a payload there is no session and no prompt. The payload is not repeated, because it may contain a secret. */
function unreadable(text: string): { readonly code: string; readonly message: string } {
  const isEmpty = text.trim() === ''
  return {
    code: isEmpty ? 'payload_missing' : 'payload_unreadable',
    message: isEmpty
      ? 'No input arrived on standard input in time, so nothing was injected or captured.'
      : `The ${text.length} characters on standard input are not a JSON object, so nothing was injected or captured.`,
  }
}

async function inputOf(call: Call): Promise<string> {
  const limits = { maxBytes: MAX_INPUT_BYTES, withinMs: Math.max(1, leftMs(call) / 2) }
  hookInput.text ??= (await readBoundedInput(limits)).toString('utf8')
  return hookInput.text.replace(/^\ufeff/, '')
}

/** The event is stored even without an answer. */
async function contextFor(memory: ComposedCheckout, call: Call, event: HookEvent): Promise<string> {
  // A timer only runs at the next pause, so work that begins now would be late.
  if (leftMs(call) <= 0) {
    noteDeadline(call)
    return ''
  }
  try {
    const { context, degraded } = await answerHook(memory, event, { withinMs: leftMs(call) })
    call.behind = degraded.find(({ code }) => code === 'index_behind')
    return context
  } catch (error) {
    if (error instanceof Error && 'handOver' in error) throw error
    note(call, error)
    return ''
  }
}

/**
 * Prints the context, with the question for the agent if one is due and there is time. If the question fails, the context is printed
 * anyway.
 */
async function printed(
  memory: ComposedCheckout,
  call: Call,
  event: HookEvent,
  context: string,
): Promise<string> {
  try {
    if (leftMs(call) > 0) return await printWithQuestion(memory, event, context)
  } catch (error) {
    if (error instanceof Error && 'handOver' in error) throw error
    note(call, error)
  }
  return printAnswer(call.host, call.name, context)
}

type Line = NonNullable<Awaited<ReturnType<typeof captureOf>>>

async function captured(
  memory: ComposedCheckout,
  call: Call,
  event: HookEvent,
  mayScan: boolean,
): Promise<Line | undefined> {
  try {
    return await captureOf(memory, event, { mayScan })
  } catch (error) {
    if (error instanceof Error && 'handOver' in error) throw error
    note(call, error)
    return undefined
  }
}

async function leave(memory: ComposedCheckout, call: Call, line: Line | undefined): Promise<void> {
  try {
    const isDue = line !== undefined && (await leaveForWorker(memory, line))
    const isBehind = call.behind !== undefined && !(await memory.hookQueue.isWorked())
    if (!isDue && !isBehind) return
    const { startCommand } = await import('../../kernel/system/start-command.ts')
    await startCommand(['hook', '--worker', memory.root])
  } catch (error) {
    if (error instanceof Error && 'handOver' in error) throw error
    note(call, error)
  }
}

/** The time limit was reached: no answer, but the event is stored. */
function endNow(memory: ComposedCheckout, call: Call, event: HookEvent): void {
  call.isOver = true
  noteDeadline(call)
  captured(memory, call, event, false)
    .then(line => leave(memory, call, line))
    .catch(error => note(call, error))
    .finally(() => process.exit(0))
}

function noteDeadline(call: Call): void {
  const message = `Timed out after ${call.deadlineMs} ms; nothing was injected.`
  noteHookFailure({ ...placeOf(call), code: 'deadline', message })
}

function note(call: Call, error: unknown): void {
  noteHookError(placeOf(call), error)
}

function placeOf({ host, name, root }: Call) {
  return { at: new Date().toISOString(), host, event: name, ...(root !== undefined && { root }) }
}

type Main = (argv: readonly string[]) => Promise<number>

const WRITING = [
  ['remember', 'The worker retries failed webhooks with a back-off. #queue', '--files', 'src/worker.ts'],
  ['remember', 'Webhooks carry a signature in `X-Signature`.', '--session', 's1'],
  ['remember', 'The worker checks it before a webhook is queued.', '--session', 's1'],
  ['remember', 'As sessões ficam no Redis por uma hora.', '--kind', 'decision', '--session', 's1'],
  ['task', 'add', 'Move the queue'],
  ['embed'],
  ['status'],
  ['search', 'webhooks'],
]
const OF_THE_USER = [
  ['remember', '--user', 'Answer in short sentences.'],
  ['remember', '--user', 'Prefer tabs.'],
]
const COMMON = { session_id: 's9', hook_event_name: '' }
const CALLS: readonly (readonly [event: string, payload: object])[] = [
  ['UserPromptSubmit', { ...COMMON, prompt: 'how does the worker check webhooks?' }],
  ['UserPromptSubmit', { ...COMMON, prompt: 'why are sessions in Redis? see src/worker.ts' }],
  ['UserPromptSubmit', { ...COMMON, prompt: 'how does the worker check webhooks?' }],
  [
    'PostToolUse',
    {
      ...COMMON,
      tool_name: 'Bash',
      tool_input: { command: 'npm test' },
      tool_response: { stdout: 'Tests 3 passed (3)', stderr: '' },
    },
  ],
]

/**
 * Runs the paths of a prompt and of a tool run in a scratch project. Another process writes, so that no code for writing is in the cache.
 */
async function walkHookPaths(main: Main): Promise<void> {
  const { tmpdir } = await import('node:os')
  const { execFileSync } = await import('node:child_process')
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'cairn-build-')))
  const [root, user] = [path.join(folder, 'project'), path.join(folder, 'user')]
  mkdirSync(path.join(root, 'src'), { recursive: true })
  mkdirSync(user)
  setUserFolder(user)
  writeFileSync(path.join(root, 'src', 'worker.ts'), 'export const retries = 5\n')
  const write = (argv: readonly string[]) =>
    execFileSync(process.execPath, [process.argv[1] ?? '', ...argv], { stdio: 'ignore' })
  try {
    for (const argv of WRITING) write([...argv, '--root', root])
    for (const argv of OF_THE_USER) write(argv)
    write(['brief', '--prompt', 'tabs', '--root', root])
    const at = '2026-01-01T00:00:00.000Z'
    const project = { id: 'p', name: 'p', root, trustedAt: at, firstSeenAt: at, lastSeenAt: at }
    writeFileSync(path.join(user, 'projects.json'), JSON.stringify({ version: 1, projects: [project] }))
    // The index is then as new as the files, and nothing needs to be compared.
    await new Promise(resolve => setTimeout(resolve, 100))
    for (const [event, payload] of CALLS) {
      hookInput.text = JSON.stringify({ ...payload, cwd: root })
      await main(['hook', 'claude-code', event])
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const PLACE = Symbol.for('cairn.hook.input')

/** Standard input can be read only once; another bundle that takes over in this process reads it from here. */
const hookInput = {
  get text(): string | undefined {
    return (globalThis as { [PLACE]?: string })[PLACE]
  },
  set text(text: string | undefined) {
    ;(globalThis as { [PLACE]?: string | undefined })[PLACE] = text
  },
}
