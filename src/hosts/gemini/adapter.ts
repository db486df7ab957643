import { SNAKE_CASE_NAMES } from '../hooks/decide/payload-fields.ts'
import type { HostAdapter } from '../host-adapter.ts'
import { geminiLine, geminiOutcome, geminiUsage } from './payloads.ts'

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
