import * as v from 'valibot'
import { withoutSecret } from '../../../kernel/text/redaction/safe-names.ts'
import { defineOperation, text } from '../../../verbs/operation.ts'

export const agentStopOperation = defineOperation({
  name: 'agent stop',
  agent: 'free',
  route: { at: 'POST /api/agents/stop', access: 'local' },
  runs: 'checkout',
  summary: 'Stop an agent at work',
  description:
    'The program of its host is ended with everything that it had started; what was said until then is kept. Answers when it has ended.',
  positionals: ['session'],
  input: v.object({ session: text('The session it works in') }),
  output: v.object({
    session: v.string(),
    stopped: v.pipe(v.boolean(), v.description('False: nothing of that session runs in this server')),
  }),
  examples: [],
  async run(memory, { session }) {
    return { session: withoutSecret('session', session), stopped: await memory.agents.stop(session) }
  },
})
