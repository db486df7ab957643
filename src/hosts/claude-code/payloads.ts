/** What the payloads of Claude Code's hooks and the lines of the transcript that they name report. */
import { copilotOutcome } from '../copilot/payloads.ts'
import {
  fieldsIn,
  isFields,
  numberField,
  ownField,
  type PayloadFields,
  textField,
} from '../hooks/decide/payload-fields.ts'
import type { ReportedRun, ToolOutcome } from '../hooks/decide/tool-outcome.ts'
import { PROMPT, partsText, saidEvent, type TranscriptEvent } from '../hooks/decide/transcript-event.ts'
import type { ContextUsage } from '../host-adapter.ts'

const EXIT = /^Exit code (\d{1,5})(?:\n|$)/

/** Success and failure are two events. A failed command has its exit code in the first line of its error; a successful one reports none. */
export function claudeOutcome(reported: ReportedRun): ToolOutcome {
  const { event, error, isInterrupted, isCommand, output } = reported
  if (error !== undefined || event === 'PostToolUseFailure') {
    const text = error ?? output
    const [head = '', code] = EXIT.exec(text) ?? []
    return {
      // What the user stopped did not fail.
      ...(!isInterrupted && { ok: false }),
      ...(code !== undefined && { exitCode: Number(code) }),
      output: text.slice(head.length),
    }
  }
  // Copilot and Cursor run these hooks too, and report the outcome in their own form.
  const otherwise = copilotOutcome(reported)
  if (otherwise.ok === false || otherwise.exitCode !== undefined) return otherwise
  const fields = isFields(reported.response) ? reported.response : {}
  const isOpen =
    reported.response === undefined ||
    ownField(fields, 'interrupted') === true ||
    textField(fields, 'backgroundTaskId') !== undefined
  if (isOpen) return { output }
  // `grep` that finds nothing ends with 1, which is not a failure.
  const isRead = textField(fields, 'returnCodeInterpretation') !== undefined
  return { ok: true, ...(isCommand && !isRead && { exitCode: 0 }), output }
}

export function claudeLine(line: PayloadFields, isOfSubAgent: boolean): TranscriptEvent | undefined {
  // In the transcript of a session these are of its sub-agents, whose own transcripts also have them.
  if (ownField(line, 'isSidechain') === true && !isOfSubAgent) return undefined
  const content = ownField(fieldsIn(line, 'message') ?? {}, 'content')
  if (line.type === 'assistant') return saidEvent(partsText(content, 'text'), line.timestamp)
  const isSpoken =
    line.type === 'user' &&
    ownField(line, 'isMeta') !== true &&
    ownField(line, 'isCompactSummary') !== true &&
    ownField(line, 'toolUseResult') === undefined
  return isSpoken && partsText(content, 'text') !== '' ? PROMPT : undefined
}

/** Where the name of the model does not say how much it takes. */
const WINDOW = 200_000
const LARGE_WINDOW = 1_000_000

export function claudeUsage(line: PayloadFields): ContextUsage | undefined {
  if (ownField(line, 'isSidechain') === true) return undefined
  const message = fieldsIn(line, 'message')
  const usage = message && fieldsIn(message, 'usage')
  if (message === undefined || usage === undefined) return undefined
  const used =
    (numberField(usage, 'input_tokens') ?? 0) +
    (numberField(usage, 'cache_read_input_tokens') ?? 0) +
    (numberField(usage, 'cache_creation_input_tokens') ?? 0) +
    (numberField(usage, 'output_tokens') ?? 0)
  if (used === 0) return undefined
  const isLarge = /\[1m\]|-1m\b/i.test(textField(message, 'model') ?? '') || used > WINDOW
  return { used, window: isLarge ? LARGE_WINDOW : WINDOW }
}
