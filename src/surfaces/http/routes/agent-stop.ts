import * as v from 'valibot'
import { withoutSecret } from '../../../kernel/text/redaction/without-secret.ts'
import { defineOperation, text } from '../../../verbs/operation.ts'

export const agentStopOperation = defineOperation({
  name: 'agent stop',
  agent: 'free',
  route: { at: 'POST /api/agents/stop', access: 'local' },
  runs: 'checkout',
  summary: 'Stop an agent at work',
  description:
    'Ends the program of its host with all its child processes; the answer so far is stored. Returns after it has ended.',
  positionals: ['session'],
  input: v.object({ session: text('The session it works in') }),
  output: v.object({
    session: v.string(),
    stopped: v.pipe(v.boolean(), v.description('False: no run of that session in this server')),
  }),
  examples: [],
  async run(memory, { session }) {
    return { session: withoutSecret('session', session), stopped: await memory.agents.stop(session) }
  },
})
