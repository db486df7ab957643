import * as v from 'valibot'
import { requireConsent, yes } from '../../../features/setup/verbs/setup-fields.ts'
import { AGENT_HOSTS, type AgentAnswer, type AgentEvent } from '../../../kernel/model/agent-run.ts'
import { CairnError, type ErrorCode } from '../../../kernel/model/errors.ts'
import { SESSION_STATES } from '../../../kernel/model/session.ts'
import { count, defineOperation, problemsSchema, text } from '../../../verbs/operation.ts'
import type { AgentHostState } from '../decide/agent-pipeline.ts'

const CHATS = 50

export const agentHost = (description: string) =>
  v.pipe(v.picklist(AGENT_HOSTS, `one of ${AGENT_HOSTS.join(', ')}`), v.description(description))

const hostStandingSchema = v.object({
  host: v.picklist(AGENT_HOSTS),
  name: v.string(),
  isInstalled: v.pipe(v.boolean(), v.description('Its program is on the PATH, outside of the project')),
  isEnabled: v.pipe(
    v.boolean(),
    v.description('Commands may be run with it in this project, on this machine'),
  ),
  isChanged: v.pipe(v.boolean(), v.description('Another program was enabled than the one that is found now')),
  program: v.nullable(v.string()),
  since: v.nullable(v.string()),
  version: v.exactOptional(v.string()),
  command: v.pipe(
    v.array(v.string()),
    v.readonly(),
    v.description('The command line for a new chat; the prompt goes to its standard input'),
  ),
})

function hostStateView(standing: AgentHostState): v.InferOutput<typeof hostStandingSchema> {
  const { host, name, program, isEnabled, isChanged, since, version, command } = standing
  return {
    ...{ host, name, isEnabled, isChanged, command },
    isInstalled: program !== undefined,
    program: program ?? null,
    since: since ?? null,
    ...(version !== undefined && { version }),
  }
}

export const agentHostsOperation = defineOperation({
  name: 'agent hosts',
  group: 'Agents',
  agent: 'reads',
  route: { at: 'GET /api/agents/hosts', access: 'read' },
  runs: 'checkout',
  summary: 'List the hosts whose own program can answer commands, and which are enabled',
  description:
    'An agent can be given a command from the command line or the page: Cairn runs the host’s own program in the project, gives it the brief, and stores the conversation. Off until you enable a host.',
  positionals: [],
  input: v.object({}),
  output: v.object({ hosts: v.array(hostStandingSchema) }),
  examples: [{ command: 'cairn agent hosts', does: 'list installed and enabled hosts' }],
  async run(memory) {
    return { hosts: (await memory.agents.hosts()).map(hostStateView) }
  },
})

export const agentEnableOperation = defineOperation({
  name: 'agent enable',
  group: 'Agents',
  agent: 'person',
  runs: 'checkout',
  summary: 'Let commands be run with a host’s own program in this project',
  description:
    'Shows the exact command and asks. Your consent is stored in your own folder, for this project on this machine and for this program, so a repository cannot give it. Permissions, sandbox and sign-in stay as you set them in the host.',
  positionals: ['host'],
  input: v.object({ host: agentHost('Which host'), yes }),
  output: v.object({ host: hostStandingSchema }),
  examples: [
    { command: 'cairn agent enable claude-code', does: 'see what would be run, and say yes' },
    { command: 'cairn agent enable codex --yes', does: 'without a question' },
  ],
  async run(memory, { host, yes: isYes }, context) {
    const found = (await memory.agents.hosts()).find(each => each.host === host)
    if (found?.isEnabled !== true && found?.program !== undefined && isYes !== true)
      await requireConsent(context, {
        shown: { host: hostStateView(found) },
        text: 'May this be run in this project when you give an agent a command?',
        hint: `\`cairn agent enable ${host} --yes\` says yes.`,
      })
    return { host: hostStateView(await memory.agents.enable(host)) }
  },
})

export const agentDisableOperation = defineOperation({
  name: 'agent disable',
  group: 'Agents',
  agent: 'free',
  runs: 'checkout',
  summary: 'Take the yes to a host’s program back',
  positionals: ['host'],
  input: v.object({ host: agentHost('Which host') }),
  output: v.object({
    host: v.picklist(AGENT_HOSTS),
    disabled: v.pipe(v.boolean(), v.description('False: it was not enabled here')),
  }),
  examples: [{ command: 'cairn agent disable codex', does: 'stop Cairn from starting it' }],
  async run(memory, { host }) {
    return { host, disabled: await memory.agents.disable(host) }
  },
})

const usageSchema = v.object({
  inputTokens: v.number(),
  outputTokens: v.number(),
  costUsd: v.exactOptional(v.number()),
})

export const answerSchema = v.object({
  text: v.string(),
  chatId: v.pipe(v.nullable(v.string()), v.description('What the host calls the chat, to go on with it')),
  session: v.string(),
  usage: v.exactOptional(usageSchema),
  isStopped: v.pipe(v.boolean(), v.description('Somebody stopped it: the text is what was said until then')),
})

export const agentRunOperation = defineOperation({
  name: 'agent run',
  group: 'Agents',
  agent: 'free',
  runs: 'checkout',
  summary: 'Give an agent a command through a host’s own program',
  description:
    'A new chat begins with the agent’s role (.memory/<agent>/_persona.md, .claude/agents/<agent>.md and the like), what the memory knows, and the command; with --chat or --session the chat goes on and gets the command alone. The command and the answer are kept in the session as they come. Ctrl-C ends the host too.',
  positionals: ['host', 'command'],
  input: v.object({
    host: agentHost('Which host; it must be enabled'),
    command: text('What is to be done (- reads standard input)'),
    agent: v.optional(text('Which agent: its vault, its role (default: the default agent)')),
    chat: v.optional(text('Go on with this chat of the host')),
    session: v.optional(text('Go on with the chat of this session')),
    model: v.optional(text('Another model than the host’s own choice')),
    persona: v.optional(text('The role of the agent, in place of what files of the project say')),
  }),
  output: answerSchema,
  examples: [
    { command: 'cairn agent run claude-code "Why is the build slow?"', does: 'a new chat' },
    { command: 'cairn agent run codex "And now?" --agent dev --chat 01a1e274', does: 'continue a chat' },
    { command: 'git diff | cairn agent run gemini - --json', does: 'for a program' },
  ],
  async run(memory, input, { onAgentEvent }) {
    const { events } = await memory.agents.begin({
      agent: input.agent ?? memory.actor.agent ?? (await memory.config())['vault.defaultAgent'],
      ...{ command: input.command, host: input.host, chat: input.chat, session: input.session },
      ...{ model: input.model, persona: input.persona },
    })
    let answer: AgentAnswer | undefined
    for await (const event of events) {
      if (event.event === 'error') throw failureOf(event)
      if (event.event === 'done') answer = event.data
      onAgentEvent?.(event)
    }
    if (answer === undefined) throw new Error('a run ended without a word')
    return answer
  },
})

/** The error of an error event. */
export function failureOf({ data }: Extract<AgentEvent, { event: 'error' }>): CairnError {
  return new CairnError({ ...data, code: data.code as ErrorCode })
}

export const agentChatsOperation = defineOperation({
  name: 'agent chats',
  group: 'Agents',
  agent: 'reads',
  route: { at: 'GET /api/agents/chats', access: 'read' },
  runs: 'checkout',
  summary: 'List the chats of hosts that can go on, the last active first',
  positionals: [],
  input: v.object({
    agent: v.optional(text('Only those of this agent')),
    limit: v.optional(count(`How many sessions are looked at (default ${CHATS})`, 1_000)),
  }),
  output: v.object({
    chats: v.array(
      v.object({
        session: v.string(),
        agent: v.string(),
        host: v.string(),
        chat: v.string(),
        state: v.picklist(SESSION_STATES),
        activeAt: v.string(),
        messages: v.number(),
        doing: v.exactOptional(v.pipe(v.string(), v.description('What was asked for last'))),
        isRunning: v.pipe(v.boolean(), v.description('An agent is at work in it')),
      }),
    ),
    problems: problemsSchema,
  }),
  examples: [{ command: 'cairn agent chats --agent dev', does: 'what the agent dev can go on with' }],
  async run(memory, { agent, limit = CHATS }) {
    const { chats, problems } = await memory.agents.chats({ agent, limit })
    return { chats: [...chats], problems: [...problems] }
  },
})
