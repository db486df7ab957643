import { SNAKE_CASE_NAMES } from '../hooks/decide/payload-fields.ts'
import type { HostAdapter } from '../host-adapter.ts'
import { codexExitCodes, codexLine, codexOutcome, codexUsage } from './payloads.ts'

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
