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
import { hostVariables, readEnvironment } from '../../kernel/system/environment.ts'
import { readBoundedInput, writeStandardOutput } from '../../kernel/system/standard-input.ts'
import { hookInput } from './hook-input.ts'
import { walkHookPaths } from './warm-up.ts'

/** A host that waits longer has a person waiting. */
const PROMPT_DEADLINE_MS = CONFIG_KEYS['hooks.promptDeadlineMs'].default
const DEADLINE_MS = 1_000
const STOP_QUESTION_MS = 4_000
const UNHURRIED_MS = 60_000
/** So long Node may take to start before it counts: on a machine with nothing to spare, the person has waited for that too. */
const START_MS = 100
/** Kept back for what is written after the answer. */
const RESERVE_MS = 40
/** A locked index is not waited for any longer. */
const PATIENCE_MS = 60
/** Of the time for an answer: so much may go into files that the index does not know yet. */
const TAKE_IN_SHARE = 0.4
/** Larger than what hosts send; the rest of a longer one is not read, and it is no JSON then. */
const MAX_INPUT_BYTES = 32 * 1_048_576

/**
 * `cairn hook <host> <event>`: what every host calls, with its payload on standard input. It prints what the host injects and nothing
 * else, ends with 0 whatever happens, and in time. What goes wrong is written where `cairn status` and `cairn doctor` show it.
 */
export function main(argv: readonly string[]): Promise<number> {
  // The clock began when the process did.
  const beganMs = Math.min(performance.now(), START_MS)
  return answerCall(argv, purpose => beganMs + deadlineOf(purpose))
}

export function warmUp(): Promise<void> {
  // Nobody waits, and a process that ended itself would leave no code behind.
  return walkHookPaths(argv => answerCall(argv, () => performance.now() + UNHURRIED_MS))
}

function deadlineOf(purpose: HookPurpose): number {
  return purpose === 'prompt' ? PROMPT_DEADLINE_MS : DEADLINE_MS
}

async function answerCall(argv: readonly string[], endOf: (purpose: HookPurpose) => number): Promise<number> {
  const [, host = '', name = ''] = argv
  // A person typed it: the whole command line knows how to help.
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
  /** The time is up, and the timer ends the process. */
  isOver?: boolean
  /** The index has to be read by a background process. */
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
    takeInMs: TAKE_IN_SHARE * call.deadlineMs,
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

/** The project says how long a prompt may wait. Where its settings cannot be read, the answer will say so. */
async function takeTimeOf(memory: ComposedCheckout, call: Call): Promise<void> {
  const deadlineMs = await memory.config().then(
    config => config['hooks.promptDeadlineMs'],
    () => PROMPT_DEADLINE_MS,
  )
  call.endsMs += deadlineMs - call.deadlineMs
  call.deadlineMs = deadlineMs
}

/** Where the user chose to be asked at the end of a turn, the question may take longer to make; hosts wait for 5 s. */
async function takeTimeToAsk(memory: ComposedCheckout, call: Call): Promise<void> {
  const mode = await memory.config().then(
    config => config.agentSaves,
    () => 'off',
  )
  if (mode !== 'stop') return
  call.endsMs += STOP_QUESTION_MS - call.deadlineMs
  call.deadlineMs = STOP_QUESTION_MS
}

/** Without a payload there is no session and no prompt. What is in it is not repeated: it may be a secret. */
function unreadable(text: string): { readonly code: string; readonly message: string } {
  const isEmpty = text.trim() === ''
  return {
    code: isEmpty ? 'payload_missing' : 'payload_unreadable',
    message: isEmpty
      ? 'Nothing came on standard input in time, so nothing was injected or captured.'
      : `The ${text.length} characters on standard input are not a JSON object, so nothing was injected or captured.`,
  }
}

async function inputOf(call: Call): Promise<string> {
  const limits = { maxBytes: MAX_INPUT_BYTES, withinMs: Math.max(1, leftMs(call) / 2) }
  hookInput.text ??= (await readBoundedInput(limits)).toString('utf8')
  return hookInput.text.replace(/^\ufeff/, '')
}

/** Without an answer the event is stored all the same. */
async function contextFor(memory: ComposedCheckout, call: Call, event: HookEvent): Promise<string> {
  // A timer is not heard before the next pause: what begins now would be late.
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

/** With the question for the agent, where one is due and there is time; whatever goes wrong with it, the context is printed. */
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
    const isBehind = call.behind !== undefined && !(await memory.hookSpool.isWorked())
    if (!isDue && !isBehind) return
    const { startCommand } = await import('../../kernel/system/start-command.ts')
    await startCommand(['hook', '--worker', memory.root])
  } catch (error) {
    if (error instanceof Error && 'handOver' in error) throw error
    note(call, error)
  }
}

/** The time is up: no answer, and the event is stored. */
function endNow(memory: ComposedCheckout, call: Call, event: HookEvent): void {
  call.isOver = true
  noteDeadline(call)
  captured(memory, call, event, false)
    .then(line => leave(memory, call, line))
    .catch(error => note(call, error))
    .finally(() => process.exit(0))
}

function noteDeadline(call: Call): void {
  const message = `It was not done after ${call.deadlineMs} ms; nothing was told.`
  noteHookFailure({ ...placeOf(call), code: 'deadline', message })
}

function note(call: Call, error: unknown): void {
  noteHookError(placeOf(call), error)
}

function placeOf({ host, name, root }: Call) {
  return { at: new Date().toISOString(), host, event: name, ...(root !== undefined && { root }) }
}
