import { isFields, numberField, ownField, textField } from './payload-fields.ts'

/** How a tool run ended, as far as its host reports it. */
export interface ToolOutcome {
  /** Absent: the host does not say, or the run has not ended. A guess would become a false event. */
  readonly ok?: boolean
  readonly exitCode?: number
  /** What it printed, without what the host put around it. */
  readonly output: string
}

/** A tool run as the hook payload reports it. */
export interface ReportedRun {
  /** The host's name for the event. */
  readonly event: string
  readonly isCommand: boolean
  readonly response: unknown
  /** The text in the response. */
  readonly output: string
  /** The host's message about a failure. */
  readonly error?: string
  /** The user stopped it. */
  readonly isInterrupted: boolean
}

const EXIT_CODE = /(?:^|\n)(?:Process exited with code|Exit code:?) (-?\d{1,5})/i

/** For hosts of which no own form is known: an exit code in a field or in the output, and the usual signs of a failure. */
export function plainOutcome({ response, output, error }: ReportedRun): ToolOutcome {
  const [, digits] = EXIT_CODE.exec(output.slice(-2_000)) ?? EXIT_CODE.exec(output.slice(0, 500)) ?? []
  const exitCode = reportedExitCode(response) ?? (digits === undefined ? undefined : Number(digits))
  const isFailed = error !== undefined || reportsFailure(response)
  return outcome(
    isFailed ? false : exitCode === undefined ? undefined : exitCode === 0,
    exitCode,
    error ?? output,
  )
}

export function outcome(ok: boolean | undefined, exitCode: number | undefined, output: string): ToolOutcome {
  return { ...(ok !== undefined && { ok }), ...(exitCode !== undefined && { exitCode }), output }
}

export function reportedExitCode(response: unknown): number | undefined {
  if (!isFields(response)) return undefined
  const code = numberField(response, 'exitCode', 'exit_code', 'returnCode', 'code')
  return Number.isInteger(code) ? code : undefined
}

export function reportsFailure(response: unknown): boolean {
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
