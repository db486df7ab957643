import type { HostAdapter } from '../host-adapter.ts'
import { copilotLine, copilotOutcome, copilotUsage } from './payloads.ts'

export const copilot = {
  id: 'copilot',
  programs: ['copilot'],
  brief: { format: 'plain' },
  rememberTool: 'cairn-remember',
  hooks: {
    events: [
      { event: 'sessionStart', purpose: 'start', timeoutSeconds: 5 },
      { event: 'userPromptSubmitted', purpose: 'prompt', timeoutSeconds: 5 },
      { event: 'postToolUse', purpose: 'tool', timeoutSeconds: 5 },
      { event: 'agentStop', purpose: 'turn-end', timeoutSeconds: 5 },
      { event: 'sessionEnd', purpose: 'end', timeoutSeconds: 5 },
    ],
    // Events in PascalCase come with a payload in snake case.
    names: {
      session: ['sessionId', 'session_id'],
      cwd: ['cwd'],
      prompt: ['prompt'],
      answer: ['lastAssistantMessage', 'last_assistant_message'],
      transcript: ['transcriptPath', 'transcript_path'],
      tool: ['toolName', 'tool_name'],
      input: ['toolArgs', 'tool_input', 'tool_args'],
      response: ['toolResult', 'tool_result', 'tool_response'],
    },
    outcomeOf: copilotOutcome,
    answer: {
      events: new Set(['sessionStart', 'userPromptSubmitted', 'postToolUse']),
      print: (_, additionalContext) => ({ additionalContext }),
      contextPath: ['additionalContext'],
    },
    compaction: 'certain',
    readLine: copilotLine,
    contextUsage: { mark: '"context_token_limit"', read: copilotUsage },
  },
  install: async () => (await import('./install.ts')).copilotIntegration,
  transcripts: async () => (await import('./transcript.ts')).copilotTranscripts,
} satisfies HostAdapter
