import {
  fieldsIn,
  numberField,
  ownField,
  type PayloadFields,
  parseFields,
  SNAKE_CASE_NAMES,
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
import type { ContextUsage, HostAdapter } from '../host-adapter.ts'

/** The lines above the output of a command, in versions that report it as the model sees it. */
const HEAD =
  /^(?:Chunk ID: .*\n)?(?:Wall time: .*\n)?(?:Process exited with code|Exit code:) (-?\d{1,5})\n(?:.{0,200}\n){0,4}?Output:\n?/

/** The bare output, whether the run succeeded or not: only the transcript says how it ended (`codexExitCodes`). */
function codexOutcome({ response, output, error }: ReportedRun): ToolOutcome {
  const [head = '', code] = HEAD.exec(output) ?? []
  const exitCode = code === undefined ? reportedExitCode(response) : Number(code)
  if (error !== undefined || reportsFailure(response)) return outcome(false, exitCode, error ?? output)
  return outcome(exitCode === undefined ? undefined : exitCode === 0, exitCode, output.slice(head.length))
}

function codexLine(line: PayloadFields): TranscriptEvent | undefined {
  const payload = fieldsIn(line, 'payload') ?? {}
  if (line.type === 'response_item' && payload.type === 'message' && payload.role === 'assistant')
    return messageEvent(partsText(ownField(payload, 'content'), 'output_text'), line.timestamp)
  const item = fieldsIn(payload, 'item')
  return line.type === 'event_msg' && item?.type === 'UserMessage' ? PROMPT : undefined
}

function codexUsage(line: PayloadFields): ContextUsage | undefined {
  const info = fieldsIn(fieldsIn(line, 'payload') ?? {}, 'info')
  const last = info && fieldsIn(info, 'last_token_usage')
  const window = info && numberField(info, 'model_context_window')
  const used = last && numberField(last, 'total_tokens')
  return window === undefined || used === undefined ? undefined : { used, window }
}

const EXITED = /^(?:.{0,200}\n){0,3}?(?:Process exited with code|Exit code:) (-?\d{1,5})(?:\n|$)/
const JSON_EXIT = /"exit_code":\s*(-?\d{1,5})\}/

/**
 * The exit codes of these calls, from lines of a Codex rollout. The payload of a hook has only the output of a command.
 *
 *   {"type":"event_msg","payload":{"item":{"type":"CommandExecution","id":"call_1","exit_code":0,…}}}
 *   {"type":"response_item","payload":{"type":"function_call_output","call_id":"call_1","output":"…Process exited with code 0…"}}
 */
export function codexExitCodes(
  lines: readonly string[],
  calls: ReadonlySet<string>,
): ReadonlyMap<string, number> {
  const codes = new Map<string, number>()
  for (const line of lines) {
    // Most lines are of something else, and some are long.
    if (!/"(?:CommandExecution|\w*_output)"/.test(line)) continue
    const payload = fieldsIn(parseFields(line) ?? {}, 'payload')
    const ended = payload && (endedCommand(payload) ?? calledOutput(payload))
    if (ended !== undefined && calls.has(ended.id) && !codes.has(ended.id)) codes.set(ended.id, ended.code)
  }
  return codes
}

interface Ended {
  readonly id: string
  readonly code: number
}

function endedCommand(payload: PayloadFields): Ended | undefined {
  const item = fieldsIn(payload, 'item')
  if (item === undefined || ownField(item, 'type') !== 'CommandExecution') return undefined
  return endedCall(textField(item, 'id'), numberField(item, 'exit_code'))
}

/** The exit code is above the output, or (older) in JSON behind it. */
function calledOutput(payload: PayloadFields): Ended | undefined {
  if (!/_output$/.test(textField(payload, 'type') ?? '')) return undefined
  const output = textField(payload, 'output') ?? ''
  const code = output.startsWith('{"output"')
    ? JSON_EXIT.exec(output.slice(-200))?.[1]
    : EXITED.exec(output.slice(0, 1_000))?.[1]
  return endedCall(textField(payload, 'call_id'), code === undefined ? undefined : Number(code))
}

function endedCall(id: string | undefined, code: number | undefined): Ended | undefined {
  return id === undefined || code === undefined || !Number.isInteger(code) ? undefined : { id, code }
}

export const codex = {
  id: 'codex',
  programs: ['codex'],
  brief: { format: 'plain', maxCharacters: 9_500 },
  rememberTool: 'mcp__cairn__remember',
  /** `originator` in the first line of the transcript (`codex_exec`: `codex exec`). */
  isAttended(_, transcriptStart = '') {
    const [, originator] = /"originator":"([\w .-]{1,60})"/.exec(transcriptStart) ?? []
    return originator === undefined ? undefined : !/exec|sdk/i.test(originator)
  },
  hooks: {
    events: [
      { event: 'SessionStart', purpose: 'start', timeoutSeconds: 5 },
      { event: 'UserPromptSubmit', purpose: 'prompt', timeoutSeconds: 5 },
      { event: 'SubagentStart', purpose: 'agent-start', timeoutSeconds: 5 },
      { event: 'PostToolUse', purpose: 'tool', timeoutSeconds: 5 },
      { event: 'PreCompact', purpose: 'compact', timeoutSeconds: 5 },
      { event: 'Stop', purpose: 'turn-end', timeoutSeconds: 5 },
      { event: 'SubagentStop', purpose: 'agent-end', timeoutSeconds: 5 },
      { event: 'SessionEnd', purpose: 'end', timeoutSeconds: 3 },
    ],
    names: SNAKE_CASE_NAMES,
    outcomeOf: codexOutcome,
    answer: {
      events: new Set(['SessionStart', 'UserPromptSubmit', 'SubagentStart', 'PostToolUse']),
      // Codex accepts no other key: with one more, nothing is injected.
      print: (hookEventName, additionalContext) => ({
        hookSpecificOutput: { hookEventName, additionalContext },
      }),
      contextPath: ['hookSpecificOutput', 'additionalContext'],
    },
    questionEvent: 'Stop',
    // `codex exec` shows that the prompt was ended, but not the reason.
    commands: {
      sigils: '/$',
      places: ['.codex/skills/%/SKILL.md', '.agents/skills/%/SKILL.md'],
      folderVariable: 'CODEX_HOME',
    },
    toolHooks: { client: /^codex/, since: [0, 166, 0] },
    compaction: 'restarts',
    readLine: codexLine,
    contextUsage: { mark: '"token_count"', read: codexUsage },
    exitCodes: codexExitCodes,
  },
  install: async () => (await import('./install.ts')).codexIntegration,
  transcripts: async () => (await import('./transcript.ts')).codexTranscripts,
  program: async () => (await import('./program.ts')).codexProgram,
} satisfies HostAdapter
