import { plainOutcome } from '../hooks/decide/tool-outcome.ts'
import type { HostAdapter } from '../host-adapter.ts'

/** Its transcripts have no times, and its hook reports every message of the agent: the payloads are enough. */
export const cursor = {
  id: 'cursor',
  programs: ['cursor', 'cursor-agent'],
  hasDesktopApp: true,
  brief: { format: 'plain' },
  rememberTool: 'remember',
  hooks: {
    events: [
      { event: 'sessionStart', purpose: 'start', timeoutSeconds: 5 },
      { event: 'beforeSubmitPrompt', purpose: 'prompt', timeoutSeconds: 5 },
      { event: 'postToolUse', purpose: 'tool', timeoutSeconds: 5 },
      { event: 'afterAgentResponse', purpose: 'turn-end', timeoutSeconds: 5 },
      { event: 'preCompact', purpose: 'compact', timeoutSeconds: 5 },
      { event: 'sessionEnd', purpose: 'end', timeoutSeconds: 5 },
    ],
    names: {
      session: ['conversation_id', 'session_id'],
      cwd: ['cwd'],
      prompt: ['prompt'],
      answer: ['text', 'response'],
      transcript: ['transcript_path'],
      tool: ['tool_name'],
      input: ['tool_input'],
      response: ['tool_output', 'tool_response', 'result_json'],
    },
    outcomeOf: plainOutcome,
    answer: {
      events: new Set(['sessionStart', 'beforeSubmitPrompt', 'postToolUse']),
      print: (name, additional_context) =>
        name === 'beforeSubmitPrompt' ? { continue: true, additional_context } : { additional_context },
      contextPath: ['additional_context'],
    },
    compaction: 'certain',
  },
  install: async () => (await import('./install.ts')).cursorIntegration,
  transcripts: async () => (await import('./transcript.ts')).cursorTranscripts,
  program: async () => (await import('./program.ts')).cursorProgram,
} satisfies HostAdapter
