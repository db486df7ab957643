import * as v from 'valibot'
import { estimateTokens } from '../../../kernel/text/token-estimate.ts'
import { defineOperation, flag, text } from '../../../verbs/operation.ts'
import type { ModelStanding } from '../decide/ports.ts'
import { askModel } from '../refining.ts'
import { modelView, modelViewSchema } from './model-view.ts'

const termsSchema = v.object({
  url: v.nullable(v.string()),
  name: v.nullable(v.string()),
  keyVariable: v.nullable(v.string()),
  command: v.nullable(v.pipe(v.array(v.string()), v.readonly())),
  maxOutputTokens: v.number(),
  inputPrice: v.pipe(v.number(), v.description('US cents for a million tokens; 0: not known')),
  outputPrice: v.number(),
})

const standingFields = {
  ...modelViewSchema.entries,
  terms: v.pipe(v.nullable(termsSchema), v.description('What would be contacted or run; null: nothing')),
  code: v.pipe(v.nullable(v.string()), v.description('What `model allow` takes to say yes to exactly this')),
  since: v.pipe(v.nullable(v.string()), v.description('When it was allowed on this machine')),
}

function consentView(standing: ModelStanding) {
  if (standing.kind === 'off') return { terms: null, code: null, since: null }
  const { terms, code } = standing
  const isCli = terms.use === 'cli'
  return {
    terms: {
      url: isCli ? null : terms.url,
      name: isCli ? null : terms.name,
      keyVariable: isCli ? null : terms.keyVariable,
      command: isCli ? terms.command : null,
      maxOutputTokens: terms.maxOutputTokens,
      inputPrice: terms.inputPrice,
      outputPrice: terms.outputPrice,
    },
    code,
    since: standing.kind === 'allowed' ? standing.since : null,
  }
}

export const modelStatusOperation = defineOperation({
  name: 'model status',
  group: 'Models',
  agent: 'reads',
  summary: 'Show which model refines findings, and what it used today',
  description:
    'A language model may go over what a session left behind: off by default, after the answer, within a cap of tokens and of money a day. Without it the rules decide alone.',
  positionals: [],
  input: v.object({}),
  output: v.object(standingFields),
  examples: [{ command: 'cairn model status', does: 'what is configured, allowed or not, and spent today' }],
  async run(memory) {
    return { ...(await modelView(memory)), ...consentView(await memory.model.standing()) }
  },
})

export const modelAllowOperation = defineOperation({
  name: 'model allow',
  group: 'Models',
  agent: 'person',
  summary: 'Show what a model would be sent or run, and say yes to it',
  description:
    'config.json comes with the repository; what it says about a model counts on this machine only after your yes. Without a code this shows what would be contacted or run. With the code it shows, exactly those settings are allowed, for this project and this user. Whoever changes them needs a new yes.',
  positionals: ['code'],
  input: v.object({ code: v.optional(text('The code that was shown')) }),
  output: v.object(standingFields),
  examples: [
    { command: 'cairn model allow', does: 'show what would be contacted or run' },
    { command: 'cairn model allow 3f9a2c1b44', does: 'say yes to what was shown' },
  ],
  async run(memory, { code }) {
    if (code !== undefined) await memory.model.allow(code.trim())
    return { ...(await modelView(memory)), ...consentView(await memory.model.standing()) }
  },
})

export const modelForbidOperation = defineOperation({
  name: 'model forbid',
  group: 'Models',
  agent: 'free',
  summary: 'Take the yes to a model back',
  positionals: [],
  input: v.object({}),
  output: v.object({ forbidden: v.pipe(v.boolean(), v.description('False: nothing was allowed here')) }),
  examples: [{ command: 'cairn model forbid', does: 'nothing is sent or run from now on' }],
  async run(memory) {
    return { forbidden: await memory.model.forbid() }
  },
})

const TRIAL = {
  instruction: 'Answer with one JSON object and nothing else.',
  content: 'Say that you can be reached: {"keep":[]}',
}

export const modelTryOperation = defineOperation({
  name: 'model try',
  group: 'Models',
  agent: 'free',
  summary: 'Ask the model one tiny thing',
  description:
    'Sends a few words, nothing of the project, and shows the answer and what it used. It counts towards the caps.',
  positionals: [],
  input: v.object({ dryRun: v.optional(flag('Show what would be sent, and send nothing')) }),
  output: v.object({
    state: modelViewSchema.entries.state,
    request: v.object({ instruction: v.string(), content: v.string() }),
    answer: v.pipe(v.nullable(v.string()), v.description('null: nothing was sent')),
    model: v.nullable(
      v.object({
        name: v.string(),
        inputTokens: v.number(),
        outputTokens: v.number(),
        costMicroUsd: v.number(),
      }),
    ),
  }),
  examples: [{ command: 'cairn model try', does: 'whether it answers, in how many tokens' }],
  async run(memory, { dryRun = false }) {
    const { state } = await modelView(memory)
    if (dryRun) return { state, request: TRIAL, answer: null, model: null }
    const inputTokens = estimateTokens(TRIAL.instruction + TRIAL.content)
    const asked = await askModel(memory, async () => ({ ...TRIAL, inputTokens }))
    return { state, request: TRIAL, answer: asked?.answer.text ?? null, model: asked?.model ?? null }
  },
})
