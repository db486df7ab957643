/** What the payloads of Gemini CLI's hooks and the lines of the transcript that they name report. */
import {
  fieldsIn,
  numberField,
  ownField,
  type PayloadFields,
  textField,
} from '../hooks/decide/payload-fields.ts'
import { outcome, type ReportedRun, reportsFailure, type ToolOutcome } from '../hooks/decide/tool-outcome.ts'
import { PROMPT, partsText, saidEvent, type TranscriptEvent } from '../hooks/decide/transcript-event.ts'
import type { ContextUsage } from '../host-adapter.ts'

const FRAME = /^<untrusted_context>\n?([\s\S]*?)\n?<\/untrusted_context>\s*$/
const TAIL = /\n(?:Error|Exit Code|Signal|Background PIDs|Process Group PGID): [^\n]*$/
const OPEN = /^Command (?:moved to background|was cancelled by user|was automatically cancelled)/
const MAX_TAIL_LINES = 5

/**
 * A successful command has no exit code in its answer; one that was stopped or still runs has no outcome.
 *
 *   <untrusted_context>\nOutput: bad\nExit Code: 3\nProcess Group PGID: 123\n</untrusted_context>   →  3, `bad`
 */
export function geminiOutcome({ response, output, error, isCommand }: ReportedRun): ToolOutcome {
  const [, framed] = FRAME.exec(output) ?? []
  let text = framed ?? output
  if (!isCommand) return outcome(error === undefined && !reportsFailure(response), undefined, error ?? text)
  if (OPEN.test(text)) return { output: text }
  const fields = new Map<string, string>()
  for (let line = TAIL.exec(text); line !== null && fields.size < MAX_TAIL_LINES; ) {
    const [name = '', value = ''] = line[0].trim().split(/: (.*)/s)
    if (fields.has(name)) break
    fields.set(name, value)
    text = text.slice(0, line.index)
    line = TAIL.exec(text)
  }
  const printed = text.replace(/^Output: /, '').replace(/^\(empty\)$/, '')
  const code = /^-?\d{1,5}$/.exec(fields.get('Exit Code') ?? '')?.[0]
  const isBroken =
    error !== undefined || fields.has('Error') || fields.has('Signal') || reportsFailure(response)
  const exitCode = code === undefined ? (isBroken ? undefined : 0) : Number(code)
  return outcome(!isBroken && exitCode === 0, exitCode, printed === '' ? (error ?? printed) : printed)
}

export function geminiLine(line: PayloadFields): TranscriptEvent | undefined {
  if (line.type === 'gemini') {
    const id = textField(line, 'id')
    return saidEvent(partsText(ownField(line, 'content'), 'text'), line.timestamp, id)
  }
  // Results of tools are lines of the user too.
  return line.type === 'user' && partsText(ownField(line, 'content'), 'text') !== '' ? PROMPT : undefined
}

const WINDOW = 1_048_576

export function geminiUsage(line: PayloadFields): ContextUsage | undefined {
  const tokens = fieldsIn(line, 'tokens')
  const used = tokens && numberField(tokens, 'total', 'input')
  return used === undefined ? undefined : { used, window: WINDOW }
}
