import * as v from 'valibot'
import { BRIEF_FORMATS } from '../../../kernel/model/selection.ts'
import { parseAgentName } from '../../../kernel/text/redaction/safe-names.ts'
import { count, defineOperation, degradedSchema, flag, list, text } from '../../../verbs/operation.ts'
import { BRIEF_HOSTS, promptBrief, sessionKeyOf, startBrief } from '../brief.ts'

const includedSchema = v.array(
  v.object({
    id: v.exactOptional(v.string()),
    tier: v.string(),
    tokens: v.number(),
    score: v.exactOptional(v.number()),
  }),
)
const leftSchema = v.array(
  v.object({ id: v.exactOptional(v.string()), tier: v.exactOptional(v.string()), reason: v.string() }),
)

export const briefOperation = defineOperation({
  name: 'brief',
  group: 'Briefs',
  agent: 'reads',
  tool: {
    name: 'brief',
    title: 'Brief',
    description: 'What memory has for a prompt, or for a new session.',
    fields: { prompt: '', files: '' },
    effect: 'reads',
    agentField: 'agent',
    answer: async () => (await import('../../entries/present-to-agents.ts')).briefText,
  },
  summary: 'Show what a prompt, or a new session, would be given',
  description:
    'The text is exactly what a host receives, within its budget, fenced and dated. It is empty if nothing is relevant. With --session the brief is counted as sent: a session does not receive the same entry again until its context was compacted (--compacted).',
  positionals: ['prompt'],
  input: v.object({
    prompt: v.optional(
      text('The prompt of the agent (- reads standard input); with --start, the subject of the session'),
    ),
    start: v.optional(flag('The brief of a new session instead of a prompt')),
    host: v.optional(
      v.pipe(
        v.picklist(BRIEF_HOSTS, `one of ${BRIEF_HOSTS.join(', ')}`),
        v.description('For which host: its format and its limits'),
      ),
    ),
    format: v.optional(
      v.pipe(
        v.picklist(BRIEF_FORMATS, `one of ${BRIEF_FORMATS.join(', ')}`),
        v.description('Another format than the host’s'),
      ),
    ),
    agent: v.optional(
      text('The agent that asks: reads its own vault, shared and private (default: all vaults)'),
    ),
    files: v.optional(list('Files that are open in the editor')),
    profile: v.optional(
      text('The kind of task: debug, plan, default, or one of your own (default: detected from the prompt)'),
    ),
    session: v.optional(text('The session that receives it')),
    compacted: v.optional(flag('The host has compacted this session: forget which entries it received')),
    remaining: v.optional(count('Tokens left in the model’s context', 100_000_000)),
  }),
  output: v.object({
    text: v.pipe(v.string(), v.description('Empty: nothing is relevant')),
    tokens: v.number(),
    profile: v.pipe(v.string(), v.description('The detected kind of task')),
    included: includedSchema,
    left: leftSchema,
    degraded: degradedSchema,
  }),
  examples: [
    { command: 'cairn brief "why no websockets?"', does: 'what would be injected' },
    { command: 'cairn brief --start --agent dev --host claude-code', does: 'how a session begins' },
    { command: 'cairn brief --prompt "fix the retry" --files src/worker.ts --json', does: 'for a program' },
  ],
  async run(memory, input) {
    const { session } = input
    if (input.compacted === true && session !== undefined)
      await memory.briefs.forgetSent(sessionKeyOf(session))
    const common = {
      ...(input.host !== undefined && { host: input.host }),
      ...(input.format !== undefined && { format: input.format }),
      ...(input.agent !== undefined && { agent: parseAgentName(input.agent) }),
      ...(session !== undefined && { session, isDelivered: true }),
      ...(input.remaining !== undefined && { remainingContext: input.remaining }),
    }
    const { brief, considered, profile, degraded } =
      input.start === true || input.prompt === undefined
        ? await startBrief(memory, { ...common, ...(input.prompt !== undefined && { prompt: input.prompt }) })
        : await promptBrief(memory, {
            ...common,
            prompt: input.prompt,
            ...(input.files && { files: input.files }),
            ...(input.profile !== undefined && { profile: input.profile }),
          })
    return {
      text: brief.text,
      tokens: brief.tokens,
      profile,
      included: brief.included.map(({ id, tier, tokens, score }) => ({
        ...(id !== undefined && { id }),
        tier,
        tokens,
        ...(score !== undefined && { score: Math.round(score * 10_000) / 10_000 }),
      })),
      left: [
        ...brief.left,
        ...considered.flatMap(({ entry, cut }) =>
          cut === undefined ? [] : [{ id: entry.id, tier: 'retrieval', reason: cut }],
        ),
      ],
      degraded,
    }
  },
})

export const briefsOperation = defineOperation({
  name: 'briefs',
  group: 'Briefs',
  agent: 'reads',
  route: { at: 'GET /api/briefs', access: 'read' },
  summary: 'List the briefs that hosts were given',
  description: 'The last 200, newest first, with their items. `cairn why --brief ID` repeats one.',
  positionals: [],
  input: v.object({ limit: v.optional(count('How many (default 20)', 200)) }),
  output: v.object({
    briefs: v.array(
      v.object({
        id: v.string(),
        at: v.string(),
        kind: v.picklist(['start', 'prompt']),
        host: v.string(),
        session: v.exactOptional(v.string()),
        agent: v.exactOptional(v.string()),
        profile: v.exactOptional(v.string()),
        prompt: v.pipe(v.string(), v.description('Shortened, and freed of secrets')),
        files: v.array(v.string()),
        tokens: v.number(),
        ms: v.number(),
        included: includedSchema,
        left: leftSchema,
        degraded: v.array(v.string()),
      }),
    ),
    degraded: degradedSchema,
  }),
  examples: [{ command: 'cairn briefs --limit 5', does: 'what was injected last' }],
  async run(memory, { limit }) {
    await memory.store.refresh()
    const briefs = await memory.briefs.list(limit ?? 20)
    return {
      briefs: briefs.map(brief => ({
        ...brief,
        files: [...brief.files],
        included: [...brief.included],
        left: [...brief.left],
        degraded: [...brief.degraded],
      })),
      degraded: memory.store.takeDegraded(),
    }
  },
})
