import * as v from 'valibot'
import type { Memory } from '../../../kernel/memory.ts'
import { defineOperation, text } from '../../../verbs/operation.ts'
import type { MeaningPorts } from '../decide/ports.ts'

const standingSchema = v.object({
  use: v.picklist(['built-in', 'http', 'off']),
  state: v.pipe(
    v.picklist(['not_needed', 'allowed', 'not_allowed', 'changed', 'damaged']),
    v.description('not_needed: nothing is sent; changed: other settings were allowed on this machine'),
  ),
  terms: v.pipe(
    v.nullable(v.object({ url: v.string(), model: v.string(), keyVariable: v.string() })),
    v.description('Where entries would be sent; null: nowhere'),
  ),
  code: v.pipe(
    v.nullable(v.string()),
    v.description('What `embedder allow` takes to say yes to exactly this'),
  ),
  since: v.pipe(v.nullable(v.string()), v.description('When it was allowed on this machine')),
})

async function hostStateView(memory: Memory & MeaningPorts): Promise<v.InferOutput<typeof standingSchema>> {
  const use = (await memory.config())['embedder.use']
  const standing = await memory.embedder.standing()
  if (standing.kind === 'off') return { use, state: 'not_needed', terms: null, code: null, since: null }
  const { terms, code } = standing
  if (standing.kind === 'allowed') return { use, state: 'allowed', terms, code, since: standing.since }
  return { use, state: standing.why === 'none' ? 'not_allowed' : standing.why, terms, code, since: null }
}

export const embedderStatusOperation = defineOperation({
  name: 'embedder status',
  group: 'Models',
  agent: 'reads',
  summary: 'Show what makes vectors, and whether it was allowed here',
  description:
    'The model in the package needs no yes: nothing leaves this machine. One behind HTTP gets every entry, every document of a workspace and every question, so it is used only after `embedder allow`.',
  positionals: [],
  input: v.object({}),
  output: standingSchema,
  examples: [{ command: 'cairn embedder status', does: 'where texts go, allowed or not' }],
  run: memory => hostStateView(memory),
})

export const embedderAllowOperation = defineOperation({
  name: 'embedder allow',
  group: 'Models',
  agent: 'person',
  summary: 'Show where entries would be sent for vectors, and say yes to it',
  description:
    'config.json comes with the repository; what it says about an embedder behind HTTP counts on this machine only after your yes. Without a code this shows where entries would be sent. With the code it shows, exactly those settings are allowed, for this project and this user. Whoever changes them needs a new yes.',
  positionals: ['code'],
  input: v.object({ code: v.optional(text('The code that was shown')) }),
  output: standingSchema,
  examples: [
    { command: 'cairn embedder allow', does: 'show where entries would be sent' },
    { command: 'cairn embedder allow 3f9a2c1b44', does: 'say yes to what was shown' },
  ],
  async run(memory, { code }) {
    if (code !== undefined) await memory.embedder.allow(code.trim())
    return hostStateView(memory)
  },
})

export const embedderForbidOperation = defineOperation({
  name: 'embedder forbid',
  group: 'Models',
  agent: 'free',
  summary: 'Take the yes to an embedder back',
  positionals: [],
  input: v.object({}),
  output: v.object({ forbidden: v.pipe(v.boolean(), v.description('False: nothing was allowed here')) }),
  examples: [{ command: 'cairn embedder forbid', does: 'nothing is sent from now on' }],
  async run(memory) {
    return { forbidden: await memory.embedder.forbid() }
  },
})
