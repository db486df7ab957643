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
  inputPrice: v.pipe(v.number(), v.description('US cents per million tokens; 0: unknown')),
  outputPrice: v.number(),
})

const standingFields = {
  ...modelViewSchema.entries,
  terms: v.pipe(
    v.nullable(termsSchema),
    v.description('The service or program that would be called; null: none'),
  ),
  code: v.pipe(v.nullable(v.string()), v.description('The code that `model allow` needs for these settings')),
  since: v.pipe(v.nullable(v.string()), v.description('When these settings were allowed on this machine')),
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
    'A language model can review the findings of a closed session. It is off by default, runs after the answer, and has daily caps for tokens and money. Without it only the rules decide.',
  positionals: [],
  input: v.object({}),
  output: v.object(standingFields),
  examples: [{ command: 'cairn model status', does: 'the settings, the consent and the use of today' }],
  async run(memory) {
    return { ...(await modelView(memory)), ...consentView(await memory.model.standing()) }
  },
})

export const modelAllowOperation = defineOperation({
  name: 'model allow',
  group: 'Models',
  agent: 'person',
  summary: 'Show the configured model and allow it',
  description:
    'config.json comes with the repository, so its model settings take effect on this machine only after you allow them. Without a code this shows the service or program that would be called. With the code, those settings are allowed for this project and this user. Changed settings must be allowed again.',
  positionals: ['code'],
  input: v.object({ code: v.optional(text('The code that `cairn model allow` shows')) }),
  output: v.object(standingFields),
  examples: [
    { command: 'cairn model allow', does: 'show the service or program that would be called' },
    { command: 'cairn model allow 3f9a2c1b44', does: 'allow these settings' },
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
  summary: 'Revoke the consent to a model',
  positionals: [],
  input: v.object({}),
  output: v.object({ forbidden: v.pipe(v.boolean(), v.description('False: no model was allowed here')) }),
  examples: [{ command: 'cairn model forbid', does: 'Cairn no longer calls the model' }],
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
  summary: 'Send a short test request to the model',
  description:
    'Sends a few words, nothing from the project, and shows the answer and the tokens used. The call counts towards the caps.',
  positionals: [],
  input: v.object({ dryRun: v.optional(flag('Show the request without sending it')) }),
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
  examples: [{ command: 'cairn model try', does: 'whether the model answers, and the tokens used' }],
  async run(memory, { dryRun = false }) {
    const { state } = await modelView(memory)
    if (dryRun) return { state, request: TRIAL, answer: null, model: null }
    const inputTokens = estimateTokens(TRIAL.instruction + TRIAL.content)
    const asked = await askModel(memory, async () => ({ ...TRIAL, inputTokens }))
    return { state, request: TRIAL, answer: asked?.answer.text ?? null, model: asked?.model ?? null }
  },
})
