import * as v from 'valibot'
import type { Memory } from '../../../kernel/memory.ts'
import { hasPrice, modelLabel } from '../../../kernel/model/model-settings.ts'
import { utcMinute } from '../../../kernel/text/dates.ts'
import type { ModelPorts } from '../decide/ports.ts'
import { isCapReached } from '../refining.ts'

/** The state of the model, for `model status` and for `status`. */
export const modelViewSchema = v.object({
  use: v.picklist(['off', 'anthropic', 'openai', 'cli']),
  name: v.pipe(v.nullable(v.string()), v.description('Its name in lists, for example openai:qwen3:8b')),
  state: v.pipe(
    v.picklist(['off', 'allowed', 'not_allowed', 'changed', 'damaged']),
    v.description('changed: other settings were allowed on this machine'),
  ),
  today: v.object({
    calls: v.number(),
    inputTokens: v.number(),
    outputTokens: v.number(),
    microUsd: v.pipe(v.number(), v.description('Millionths of a US dollar')),
  }),
  caps: v.object({
    tokens: v.number(),
    cents: v.number(),
    moneyCounted: v.pipe(v.boolean(), v.description('False: no price is set, so only the token cap applies')),
    reached: v.pipe(v.boolean(), v.description('True: no more calls today')),
  }),
  lastFailure: v.nullable(v.object({ at: v.string(), model: v.string(), message: v.string() })),
})

export async function modelView(memory: Memory & ModelPorts): Promise<v.InferOutput<typeof modelViewSchema>> {
  const config = await memory.config()
  const standing = await memory.model.standing()
  const today = await memory.spend.spentOn(utcMinute(memory.clock.nowMs()).slice(0, 10))
  const prices = { inputPrice: config['model.inputPrice'], outputPrice: config['model.outputPrice'] }
  return {
    use: config['model.use'],
    name: standing.kind === 'off' ? null : modelLabel(standing.terms),
    state:
      standing.kind !== 'not_allowed'
        ? standing.kind
        : standing.why === 'none'
          ? 'not_allowed'
          : standing.why,
    today,
    caps: {
      tokens: config['model.dailyTokens'],
      cents: config['model.dailyCents'],
      moneyCounted: hasPrice(prices) || today.microUsd > 0,
      reached: standing.kind !== 'off' && isCapReached(standing.terms, today),
    },
    lastFailure: (await memory.spend.lastFailure()) ?? null,
  }
}
