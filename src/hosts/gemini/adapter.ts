import {
  fieldsIn,
  numberField,
  ownField,
  type PayloadFields,
  SNAKE_CASE_NAMES,
  textField,
} from '../hooks/decide/payload-fields.ts'
import { outcome, type ReportedRun, reportsFailure, type ToolOutcome } from '../hooks/decide/tool-outcome.ts'
import { messageEvent, PROMPT, partsText, type TranscriptEvent } from '../hooks/decide/transcript-event.ts'
import type { ContextUsage, HostAdapter } from '../host-adapter.ts'

const FRAME = /^<untrusted_context>\n?([\s\S]*?)\n?<\/untrusted_context>\s*$/
const TAIL = /\n(?:Error|Exit Code|Signal|Background PIDs|Process Group PGID): [^\n]*$/
const OPEN = /^Command (?:moved to background|was cancelled by user|was automatically cancelled)/
const MAX_TAIL_LINES = 5

/**
 * A successful command has no exit code in its answer; one that was stopped or still runs has no outcome.
 *
 *   <untrusted_context>\nOutput: bad\nExit Code: 3\nProcess Group PGID: 123\n</untrusted_context>   →  3, `bad`
 */
function geminiOutcome({ response, output, error, isCommand }: ReportedRun): ToolOutcome {
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

function geminiLine(line: PayloadFields): TranscriptEvent | undefined {
  if (line.type === 'gemini') {
    const id = textField(line, 'id')
    return messageEvent(partsText(ownField(line, 'content'), 'text'), line.timestamp, id)
  }
  // Results of tools are lines of the user too.
  return line.type === 'user' && partsText(ownField(line, 'content'), 'text') !== '' ? PROMPT : undefined
}

const WINDOW = 1_048_576

function geminiUsage(line: PayloadFields): ContextUsage | undefined {
  const tokens = fieldsIn(line, 'tokens')
  const used = tokens && numberField(tokens, 'total', 'input')
  return used === undefined ? undefined : { used, window: WINDOW }
}

export const gemini = {
  id: 'gemini',
  programs: ['gemini'],
  brief: { format: 'markdown' },
  rememberTool: 'mcp_cairn_remember',
  hooks: {
    events: [
      { event: 'SessionStart', purpose: 'start', timeoutSeconds: 5 },
      { event: 'BeforeAgent', purpose: 'prompt', timeoutSeconds: 5 },
      { event: 'AfterTool', purpose: 'tool', timeoutSeconds: 5 },
      { event: 'PreCompress', purpose: 'compact', timeoutSeconds: 5 },
      { event: 'AfterAgent', purpose: 'turn-end', timeoutSeconds: 5 },
      { event: 'SessionEnd', purpose: 'end', timeoutSeconds: 5 },
    ],
    names: SNAKE_CASE_NAMES,
    outcomeOf: geminiOutcome,
    answer: {
      events: new Set(['SessionStart', 'BeforeAgent', 'AfterTool']),
      print: (hookEventName, additionalContext) => ({
        hookSpecificOutput: { hookEventName, additionalContext },
      }),
      contextPath: ['hookSpecificOutput', 'additionalContext'],
    },
    // It puts the context of a session before the first prompt: a slash command there is no longer at the beginning, and not expanded.
    startsWithPrompt: true,
    compaction: 'each-turn',
    readLine: geminiLine,
    contextUsage: { mark: '"tokens"', read: geminiUsage },
  },
  install: async () => (await import('./install.ts')).geminiIntegration,
  transcripts: async () => (await import('./transcript.ts')).geminiTranscripts,
  program: async () => (await import('./program.ts')).geminiProgram,
} satisfies HostAdapter
