import type { HostId } from '../../kernel/model/host.ts'
import { ownField, type PayloadFields, SNAKE_CASE_NAMES, textField } from '../hooks/decide/payload-fields.ts'
import type { CallerSigns, HostAdapter } from '../host-adapter.ts'
import { claudeLine, claudeOutcome, claudeUsage } from './payloads.ts'

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
