import type { HostId } from '../../kernel/model/host.ts'
import { copilotOutcome } from '../copilot/payloads.ts'
import {
  fieldsIn,
  isFields,
  numberField,
  ownField,
  type PayloadFields,
  SNAKE_CASE_NAMES,
  textField,
} from '../hooks/decide/payload-fields.ts'
import type { ReportedRun, ToolOutcome } from '../hooks/decide/tool-outcome.ts'
import { messageEvent, PROMPT, partsText, type TranscriptEvent } from '../hooks/decide/transcript-event.ts'
import type { CallerSigns, ContextUsage, HostAdapter } from '../host-adapter.ts'

const EXIT = /^Exit code (\d{1,5})(?:\n|$)/

/** Success and failure are two events. A failed command has its exit code in the first line of its error; a successful one reports none. */
function claudeOutcome(reported: ReportedRun): ToolOutcome {
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

function claudeLine(line: PayloadFields, isOfSubAgent: boolean): TranscriptEvent | undefined {
  // In the transcript of a session these are of its sub-agents, whose own transcripts also have them.
  if (ownField(line, 'isSidechain') === true && !isOfSubAgent) return undefined
  const content = ownField(fieldsIn(line, 'message') ?? {}, 'content')
  if (line.type === 'assistant') return messageEvent(partsText(content, 'text'), line.timestamp)
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

function claudeUsage(line: PayloadFields): ContextUsage | undefined {
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

const TOOLS = 'Bash|Read|Edit|MultiEdit|Write|NotebookEdit'

export const claudeCode = {
  id: 'claude-code',
  programs: ['claude'],
  brief: { format: 'xml', maxCharacters: 9_500 },
  rememberTool: 'mcp__cairn__remember',
  /** CLAUDE_CODE_SESSION_ATTENDED and CLAUDE_CODE_ENTRYPOINT, or `entrypoint` in the transcript (`sdk-cli`: `claude -p`). */
  isAttended({ isClaudeAttended }, transcriptStart = '') {
    if (isClaudeAttended !== undefined) return isClaudeAttended
    const [, entrypoint] = /"entrypoint":"([\w-]{1,40})"/.exec(transcriptStart) ?? []
    return entrypoint === undefined ? undefined : !entrypoint.startsWith('sdk')
  },
  hooks: {
    events: [
      { event: 'SessionStart', purpose: 'start', timeoutSeconds: 5 },
      { event: 'UserPromptSubmit', purpose: 'prompt', timeoutSeconds: 5 },
      { event: 'SubagentStart', purpose: 'agent-start', timeoutSeconds: 5 },
      { event: 'PostToolUse', purpose: 'tool', matcher: TOOLS, timeoutSeconds: 5 },
      { event: 'PostToolUseFailure', purpose: 'tool', matcher: TOOLS, timeoutSeconds: 5 },
      { event: 'PreCompact', purpose: 'compact', timeoutSeconds: 5 },
      { event: 'Stop', purpose: 'turn-end', timeoutSeconds: 5 },
      { event: 'SubagentStop', purpose: 'agent-end', timeoutSeconds: 5 },
      { event: 'SessionEnd', purpose: 'end', timeoutSeconds: 5 },
    ],
    names: SNAKE_CASE_NAMES,
    outcomeOf: claudeOutcome,
    answer: {
      events: new Set([
        'SessionStart',
        'UserPromptSubmit',
        'SubagentStart',
        'PostToolUse',
        'PostToolUseFailure',
      ]),
      print: (hookEventName, additionalContext) => ({
        hookSpecificOutput: { hookEventName, additionalContext },
      }),
      contextPath: ['hookSpecificOutput', 'additionalContext'],
    },
    questionEvent: 'Stop',
    commands: {
      sigils: '/',
      places: ['.claude/commands/%.md', '.claude/skills/%/SKILL.md'],
      folderVariable: 'CLAUDE_CONFIG_DIR',
    },
    toolHooks: { client: /^claude-code$/, since: [2, 1, 325] },
    compaction: 'restarts',
    otherCaller,
    readLine: claudeLine,
    contextUsage: { mark: '"usage"', read: claudeUsage },
  },
  install: async () => (await import('./install.ts')).claudeCodeIntegration,
  transcripts: async () => (await import('./transcript.ts')).claudeCodeTranscripts,
  program: async () => (await import('./program.ts')).claudeProgram,
} satisfies HostAdapter

/** Copilot runs a project's Claude Code hooks, and Cursor may run the user's. A hook that is silent without need is worse than two answers. */
function otherCaller(payload: PayloadFields, signs: CallerSigns): HostId | undefined {
  if (signs.isCursor || textField(payload, 'cursor_version') !== undefined) return 'cursor'
  const transcript = (textField(payload, 'transcript_path') ?? '').replaceAll('\\', '/')
  if (/\/\.cursor\//.test(transcript)) return 'cursor'
  if (/\/\.copilot\//.test(transcript)) return 'copilot'
  if (signs.isCopilot && !signs.isClaudeCode) return 'copilot'
  // Claude Code puts no date into a payload and sets its variables; Copilot does the opposite.
  const isDated = ownField(payload, 'timestamp') !== undefined
  return isDated && !signs.isClaudeCode && transcript === '' ? 'copilot' : undefined
}
