import type { HostId } from '../../../kernel/model/host.ts'
import { isFields, numberField, ownField, textField } from './payload-fields.ts'

/** How a run ended, as far as its host tells. */
export interface ToolOutcome {
  /** Absent: the host does not tell, or it has not ended. A guess would become an event that is not true. */
  readonly ok?: boolean
  readonly exitCode?: number
  /** What it printed, without what the host put around it. */
  readonly output: string
}

export interface ToldRun {
  readonly host: HostId
  /** The moment, as the host names it. */
  readonly event: string
  readonly isCommand: boolean
  readonly response: unknown
  /** The text in the response. */
  readonly output: string
  /** What the host says of its failure. */
  readonly error?: string
  /** A person stopped it. */
  readonly isInterrupted: boolean
}

const READERS: Readonly<Record<HostId, (told: ToldRun) => ToolOutcome>> = {
  'claude-code': claudeOutcome,
  codex: codexOutcome,
  gemini: geminiOutcome,
  copilot: copilotOutcome,
  opencode: otherOutcome,
  cursor: otherOutcome,
}

export function toolOutcome(told: ToldRun): ToolOutcome {
  return READERS[told.host](told)
}

const CLAUDE_EXIT = /^Exit code (\d{1,5})(?:\n|$)/

/** Success and failure are two moments. A failed command says how in the first line of its error; one that went well says nothing. */
function claudeOutcome(told: ToldRun): ToolOutcome {
  const { event, error, isInterrupted, isCommand, output } = told
  if (error !== undefined || event === 'PostToolUseFailure') {
    const text = error ?? output
    const [head = '', code] = CLAUDE_EXIT.exec(text) ?? []
    return {
      // What a person stopped did not fail.
      ...(!isInterrupted && { ok: false }),
      ...(code !== undefined && { exitCode: Number(code) }),
      output: text.slice(head.length),
    }
  }
  // Copilot and Cursor run these hooks too, and tell it in their own way.
  const otherwise = copilotOutcome(told)
  if (otherwise.ok === false || otherwise.exitCode !== undefined) return otherwise
  const fields = isFields(told.response) ? told.response : {}
  const isOpen =
    told.response === undefined ||
    ownField(fields, 'interrupted') === true ||
    textField(fields, 'backgroundTaskId') !== undefined
  if (isOpen) return { output }
  // `grep` that finds nothing ends with 1, and is no failure.
  const isRead = textField(fields, 'returnCodeInterpretation') !== undefined
  return { ok: true, ...(isCommand && !isRead && { exitCode: 0 }), output }
}

/** What stands above the output of a command, in versions that hand it over as the model sees it. */
const CODEX_HEAD =
  /^(?:Chunk ID: .*\n)?(?:Wall time: .*\n)?(?:Process exited with code|Exit code:) (-?\d{1,5})\n(?:.{0,200}\n){0,4}?Output:\n?/

/** The bare output, whether it went well or not: how it ended stands in the transcript alone (codex-outcomes.ts). */
function codexOutcome({ response, output, error }: ToldRun): ToolOutcome {
  const [head = '', code] = CODEX_HEAD.exec(output) ?? []
  const exitCode = code === undefined ? toldExitCode(response) : Number(code)
  if (error !== undefined || saysFailed(response)) return ended(false, exitCode, error ?? output)
  return ended(exitCode === undefined ? undefined : exitCode === 0, exitCode, output.slice(head.length))
}

const GEMINI_FRAME = /^<untrusted_context>\n?([\s\S]*?)\n?<\/untrusted_context>\s*$/
const GEMINI_TAIL = /\n(?:Error|Exit Code|Signal|Background PIDs|Process Group PGID): [^\n]*$/
const GEMINI_OPEN = /^Command (?:moved to background|was cancelled by user|was automatically cancelled)/
const MAX_TAIL_LINES = 5

/**
 * A command that went well has no exit code in its answer; one that was stopped or goes on is no outcome.
 *
 *   <untrusted_context>\nOutput: bad\nExit Code: 3\nProcess Group PGID: 123\n</untrusted_context>   →  3, `bad`
 */
function geminiOutcome({ response, output, error, isCommand }: ToldRun): ToolOutcome {
  const [, framed] = GEMINI_FRAME.exec(output) ?? []
  let text = framed ?? output
  if (!isCommand) return ended(error === undefined && !saysFailed(response), undefined, error ?? text)
  if (GEMINI_OPEN.test(text)) return { output: text }
  const told = new Map<string, string>()
  for (let line = GEMINI_TAIL.exec(text); line !== null && told.size < MAX_TAIL_LINES; ) {
    const [name = '', value = ''] = line[0].trim().split(/: (.*)/s)
    if (told.has(name)) break
    told.set(name, value)
    text = text.slice(0, line.index)
    line = GEMINI_TAIL.exec(text)
  }
  const printed = text.replace(/^Output: /, '').replace(/^\(empty\)$/, '')
  const code = /^-?\d{1,5}$/.exec(told.get('Exit Code') ?? '')?.[0]
  const isBroken = error !== undefined || told.has('Error') || told.has('Signal') || saysFailed(response)
  const exitCode = code === undefined ? (isBroken ? undefined : 0) : Number(code)
  return ended(!isBroken && exitCode === 0, exitCode, printed === '' ? (error ?? printed) : printed)
}

const COPILOT_END = /\n?<shellId: [^>\n]{1,80} completed with exit code (-?\d{1,5})>\s*$/

/** `resultType` is "success" for a command that ran, however it ended: that stands in its last line. Without one it goes on. */
function copilotOutcome({ response, output, error, isCommand }: ToldRun): ToolOutcome {
  const line = COPILOT_END.exec(output)
  const exitCode = line === null ? toldExitCode(response) : Number(line[1])
  const printed = line === null ? output : output.slice(0, line.index)
  if (error !== undefined || saysFailed(response)) return ended(false, exitCode, error ?? printed)
  const isDone = isFields(response) && textField(response, 'resultType') === 'success'
  return ended(
    exitCode === undefined ? (isCommand || !isDone ? undefined : true) : exitCode === 0,
    exitCode,
    printed,
  )
}

const EXIT_CODE = /(?:^|\n)(?:Process exited with code|Exit code:?) (-?\d{1,5})/i

function otherOutcome({ response, output, error }: ToldRun): ToolOutcome {
  const [, digits] = EXIT_CODE.exec(output.slice(-2_000)) ?? EXIT_CODE.exec(output.slice(0, 500)) ?? []
  const exitCode = toldExitCode(response) ?? (digits === undefined ? undefined : Number(digits))
  const isFailed = error !== undefined || saysFailed(response)
  return ended(
    isFailed ? false : exitCode === undefined ? undefined : exitCode === 0,
    exitCode,
    error ?? output,
  )
}

function ended(ok: boolean | undefined, exitCode: number | undefined, output: string): ToolOutcome {
  return { ...(ok !== undefined && { ok }), ...(exitCode !== undefined && { exitCode }), output }
}

function toldExitCode(response: unknown): number | undefined {
  if (!isFields(response)) return undefined
  const code = numberField(response, 'exitCode', 'exit_code', 'returnCode', 'code')
  return Number.isInteger(code) ? code : undefined
}

function saysFailed(response: unknown): boolean {
  if (!isFields(response)) return false
  const type = textField(response, 'resultType', 'status')
  return (
    ownField(response, 'isError') === true ||
    ownField(response, 'is_error') === true ||
    ownField(response, 'success') === false ||
    (type !== undefined && /^(?:failure|failed|error|denied|rejected)$/i.test(type)) ||
    typeof ownField(response, 'error') === 'string'
  )
}
