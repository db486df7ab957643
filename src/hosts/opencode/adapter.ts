import { plainOutcome } from '../hooks/decide/tool-outcome.ts'
import type { HostAdapter } from '../host-adapter.ts'

/** Its hooks are called by our plugin, which runs inside OpenCode. It has no transcript file: sessions are in a database. */
export const openCode = {
  id: 'opencode',
  programs: ['opencode'],
  brief: { format: 'plain' },
  rememberTool: 'cairn_remember',
  hooks: {
    events: [
      { event: 'session.start', purpose: 'start', timeoutSeconds: 2 },
      { event: 'chat.message', purpose: 'prompt', timeoutSeconds: 2 },
      { event: 'tool.execute.after', purpose: 'tool', timeoutSeconds: 2 },
      { event: 'session.compacting', purpose: 'compact', timeoutSeconds: 2 },
      { event: 'session.idle', purpose: 'turn-end', timeoutSeconds: 2 },
      { event: 'session.deleted', purpose: 'end', timeoutSeconds: 2 },
    ],
    names: {
      session: ['sessionID', 'session'],
      cwd: ['directory', 'cwd'],
      prompt: ['prompt'],
      answer: ['text'],
      transcript: [],
      tool: ['tool'],
      input: ['args'],
      response: ['output', 'result'],
    },
    outcomeOf: plainOutcome,
    answer: {
      events: new Set(['session.start', 'chat.message', 'tool.execute.after', 'session.compacting']),
      print: (_, context) => ({ context }),
      contextPath: ['context'],
    },
    compaction: 'certain',
  },
  countsMessages: true,
  install: async () => (await import('./install.ts')).openCodeIntegration,
  transcripts: async () => (await import('./transcript.ts')).openCodeTranscripts,
  program: async () => (await import('./program.ts')).openCodeProgram,
} satisfies HostAdapter
