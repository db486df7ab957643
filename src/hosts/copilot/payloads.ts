/** What the payloads of Copilot's hooks and the lines of the transcript that they name report. */
import {
  fieldsIn,
  isFields,
  numberField,
  ownField,
  type PayloadFields,
  textField,
} from '../hooks/decide/payload-fields.ts'
import {
  outcome,
  type ReportedRun,
  reportedExitCode,
  reportsFailure,
  type ToolOutcome,
} from '../hooks/decide/tool-outcome.ts'
import { messageEvent, PROMPT, partsText, type TranscriptEvent } from '../hooks/decide/transcript-event.ts'
import type { ContextUsage } from '../host-adapter.ts'

const END = /\n?<shellId: [^>\n]{1,80} completed with exit code (-?\d{1,5})>\s*$/

/** `resultType` is "success" for any command that ran; its exit code is in the last line of the output. Without one it still runs. */
export function copilotOutcome({ response, output, error, isCommand }: ReportedRun): ToolOutcome {
  const line = END.exec(output)
  const exitCode = line === null ? reportedExitCode(response) : Number(line[1])
  const printed = line === null ? output : output.slice(0, line.index)
  if (error !== undefined || reportsFailure(response)) return outcome(false, exitCode, error ?? printed)
  const isDone = isFields(response) && textField(response, 'resultType') === 'success'
  return outcome(
    exitCode === undefined ? (isCommand || !isDone ? undefined : true) : exitCode === 0,
    exitCode,
    printed,
  )
}

export function copilotLine(line: PayloadFields): TranscriptEvent | undefined {
  const data = fieldsIn(line, 'data') ?? {}
  if (line.type === 'assistant.message')
    return messageEvent(partsText(ownField(data, 'content'), 'text'), line.timestamp)
  return line.type === 'user.message' ? PROMPT : undefined
}

export function copilotUsage(line: PayloadFields): ContextUsage | undefined {
  const telemetry = fieldsIn(fieldsIn(line, 'data') ?? {}, 'toolTelemetry')
  const metrics = telemetry && fieldsIn(telemetry, 'metrics')
  const window = metrics && numberField(metrics, 'context_token_limit')
  const used = metrics && numberField(metrics, 'context_current_tokens')
  return window === undefined || used === undefined ? undefined : { used, window }
}
