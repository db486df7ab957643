import * as v from 'valibot'
import { agentHost, answerSchema, failureOf } from '../../../hosts/run/verbs/agent.ts'
import { AGENT_HOSTS } from '../../../kernel/model/agent-run.ts'
import { withoutSecret } from '../../../kernel/text/redaction/safe-names.ts'
import { defineOperation, degradedSchema, text } from '../../../verbs/operation.ts'
import { defineStream } from '../event-stream.ts'

/** Seed A, section 5. The run continues if the client disconnects; its answer is in the session. */
export const agentCommandStream = defineStream({
  name: 'agent command',
  agent: 'free',
  route: { at: 'POST /api/agents/command', access: 'local', ignoresUnknown: true },
  runs: 'checkout',
  summary: 'Give an agent a command through a host’s own program, and hear its answer as it comes',
  description:
    'A new chat begins with the agent’s role, the brief, and the command. With `chatId`, or a session that has a chat, that chat continues and gets only the command. The server stores the command and the answer in the session. Disconnecting does not stop the run; POST /api/agents/stop does.',
  input: v.object({
    agentId: text('Which agent: its vault, its role'),
    command: text('What is to be done'),
    host: v.optional(agentHost('Which host (default: that of the chat, or the only one that is enabled)')),
    chatId: v.optional(text('The chat of the host to continue')),
    session: v.optional(text('The session that it belongs to; its chat is continued')),
    model: v.optional(text('Another model than the host’s own choice')),
    persona: v.optional(text('The role of the agent, in place of what files of the project say')),
  }),
  events: {
    chat: v.object({
      session: v.string(),
      chatId: v.pipe(
        v.exactOptional(v.string()),
        v.description('Absent until the host has named it; then this event comes again'),
      ),
      host: v.picklist(AGENT_HOSTS),
      agentId: v.string(),
      isResumed: v.boolean(),
    }),
    brief: v.object({
      tokens: v.number(),
      items: v.pipe(
        v.array(v.object({ id: v.exactOptional(v.string()), tier: v.string(), tokens: v.number() })),
        v.readonly(),
      ),
      persona: v.pipe(
        v.nullable(v.string()),
        v.description('The file that the role comes from, `request`, or null: none'),
      ),
      degraded: degradedSchema,
    }),
    text: v.object({
      text: v.pipe(v.string(), v.description('A chunk; all chunks together are the answer')),
    }),
    tool: v.object({ name: v.string(), input: v.exactOptional(v.string()) }),
    remark: v.object({
      text: v.pipe(v.string(), v.description('What the host printed in addition to its answer')),
    }),
    done: answerSchema,
  },
  async *open(memory, { agentId, chatId, ...input }) {
    const { events } = await memory.agents.begin({ ...input, agent: agentId, chat: chatId })
    for await (const event of events) {
      if (event.event === 'error') throw failureOf(event)
      yield event
    }
  },
})

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
