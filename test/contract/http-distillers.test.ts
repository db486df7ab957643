import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Distiller } from '../../src/features/learning/decide/ports.ts'
import { openAnthropic } from '../../src/providers/distiller/anthropic.ts'
import { openOpenAiCompatible } from '../../src/providers/distiller/openai-compatible.ts'
import type { HttpModelOptions } from '../../src/providers/distiller/post-json.ts'
import { type LoopbackModel, recorded, startLoopbackModel } from '../support/loopback-model.ts'
import { describeDistiller, KEY, QUESTION, type Situation } from './distiller.contract.ts'

const VARIABLE = 'CAIRN_TEST_MODEL_KEY'
const ANSWER = '{"keep":[1],"rewrite":[],"drop":[{"number":2,"reason":"a plan of the moment"}],"new":[]}'

beforeAll(() => {
  process.env[VARIABLE] = KEY
})
afterAll(() => {
  delete process.env[VARIABLE]
})

type Open = (options: HttpModelOptions) => Distiller

/** The states of a vendor, each with the answer that was recorded. `echo` is what a careless server says. */
function set(model: LoopbackModel, vendor: 'anthropic' | 'openai', situation: Situation, elsewhere: string) {
  const busy = vendor === 'anthropic' ? 529 : 429
  const good = { body: recorded(`${vendor}.json`) }
  const echo = { error: { type: 'authentication_error', message: `no such key: ${KEY}` } }
  const replies: Readonly<Record<Situation, LoopbackModel['answer']>> = {
    answers: () => good,
    'takes no key': () => ({ status: 401, body: JSON.stringify(echo) }),
    'is busy once': (_, nth) =>
      nth === 1
        ? { status: busy, body: recorded(`${vendor}-busy.json`), headers: { 'retry-after': '0' } }
        : good,
    'is busy for long': () => ({
      status: 429,
      body: recorded(`${vendor}-busy.json`),
      headers: { 'retry-after': '3600' },
    }),
    'has a fault': () => ({ status: 500, body: recorded(`${vendor}-fault.json`) }),
    'is too slow': () => 'never',
    'cuts its answer': () => ({ body: recorded(`${vendor}-cut.json`) }),
    'breaks off': () => 'broken',
    'gives something else': () => ({ body: '<html>welcome</html>' }),
    'gives far too much': () => ({ body: `"${'x'.repeat(5_000_000)}"` }),
    'is not there': () => good,
    'sends elsewhere': () => ({ status: 307, body: '', headers: { location: elsewhere } }),
  }
  model.answer = replies[situation]
}

for (const [vendor, open, inputTokens] of [
  ['anthropic', openAnthropic, 852],
  ['openai', openOpenAiCompatible, 852],
] as const satisfies readonly (readonly ['anthropic' | 'openai', Open, number])[]) {
  describeDistiller(
    vendor,
    situation => async () => {
      const [model, other] = [await startLoopbackModel(), await startLoopbackModel()]
      set(model, vendor, situation, `${other.origin}/v1/messages`)
      if (situation === 'is not there') await model.close()
      return {
        distiller: open({
          url: model.origin,
          name: 'small-model',
          keyVariable: VARIABLE,
          timeoutMs: situation === 'is too slow' ? 150 : 5_000,
          firstPauseMs: 5,
        }),
        asked: () => model.seen.length + 100 * other.seen.length,
        close: async () => {
          await Promise.all([situation === 'is not there' ? undefined : model.close(), other.close()])
        },
      }
    },
    { text: ANSWER, inputTokens, outputTokens: 37 },
  )
}

async function withModel(work: (model: LoopbackModel) => Promise<void>): Promise<void> {
  const model = await startLoopbackModel()
  try {
    await work(model)
  } finally {
    await model.close()
  }
}

test('Anthropic is asked as its Messages API wants it', () =>
  withModel(async model => {
    model.answer = () => ({ body: recorded('anthropic.json') })
    for (const url of [model.origin, `${model.origin}/v1`, `${model.origin}/v1/messages/`])
      await openAnthropic({ url, name: 'm', keyVariable: VARIABLE, timeoutMs: 5_000 }).ask(QUESTION)
    expect(model.seen.map(({ path }) => path)).toEqual(['/v1/messages', '/v1/messages', '/v1/messages'])
    expect(model.seen[0]).toMatchObject({
      method: 'POST',
      headers: { 'x-api-key': KEY, 'anthropic-version': '2023-06-01', 'content-type': 'application/json' },
      body: {
        model: 'm',
        max_tokens: 100,
        system: 'Be brief.',
        messages: [{ role: 'user', content: '{"notes":[]}' }],
      },
    })
    expect(model.seen[0]?.headers.authorization).toBeUndefined()
  }))

test('Anthropic without a key asks nobody', () =>
  withModel(async model => {
    const distiller = openAnthropic({
      url: model.origin,
      name: 'm',
      keyVariable: 'CAIRN_TEST_NO_KEY',
      timeoutMs: 5_000,
    })
    await expect(distiller.ask(QUESTION)).rejects.toMatchObject({ code: 'model_unavailable' })
    expect(model.seen).toEqual([])
  }))

test('a model that declines is a failure, not an empty answer', () =>
  withModel(async model => {
    model.answer = () => ({ body: recorded('anthropic-refusal.json') })
    await expect(
      openAnthropic({ url: model.origin, name: 'm', keyVariable: VARIABLE, timeoutMs: 5_000 }).ask(QUESTION),
    ).rejects.toMatchObject({ code: 'model_failed', message: expect.stringContaining('declined') })
  }))

test('a server like OpenAI is asked with its key, and Ollama without one', () =>
  withModel(async model => {
    model.answer = () => ({ body: recorded('ollama.json') })
    const ask = (keyVariable: string) =>
      openOpenAiCompatible({
        url: `${model.origin}/v1/`,
        name: 'qwen3:8b',
        keyVariable,
        timeoutMs: 5_000,
      }).ask(QUESTION)
    await ask(VARIABLE)
    const answer = await ask('CAIRN_TEST_NO_KEY')
    expect(answer).toMatchObject({ inputTokens: 901, outputTokens: 44 })
    expect(model.seen.map(({ path, headers }) => [path, headers.authorization])).toEqual([
      ['/v1/chat/completions', `Bearer ${KEY}`],
      ['/v1/chat/completions', undefined],
    ])
    expect(model.seen[0]?.body).toEqual({
      model: 'qwen3:8b',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: '{"notes":[]}' },
      ],
      max_tokens: 100,
      stream: false,
      response_format: { type: 'json_object' },
    })
  }))

test('what a server refuses is said otherwise, and remembered', () =>
  withModel(async model => {
    model.answer = ({ body }) => {
      if ('response_format' in body) return { status: 400, body: recorded('openai-no-format.json') }
      if ('max_tokens' in body) return { status: 400, body: recorded('openai-other-limit.json') }
      return { body: recorded('openai.json') }
    }
    const distiller = openOpenAiCompatible({
      url: `${model.origin}/v1`,
      name: 'm',
      keyVariable: VARIABLE,
      timeoutMs: 5_000,
    })
    expect((await distiller.ask(QUESTION)).text).toBe(ANSWER)
    expect((await distiller.ask(QUESTION)).text).toBe(ANSWER)
    expect(model.seen).toHaveLength(4)
    expect(model.seen[3]?.body).toMatchObject({ max_completion_tokens: 100 })
  }))

test('a server that does not tell what it used leaves that open', () =>
  withModel(async model => {
    model.answer = () => ({ body: '{"choices":[{"message":{"content":"{}"}}]}' })
    const answer = await openOpenAiCompatible({
      url: model.origin,
      name: 'm',
      keyVariable: VARIABLE,
      timeoutMs: 5_000,
    }).ask(QUESTION)
    expect(answer).toEqual({ text: '{}', inputTokens: undefined, outputTokens: undefined, isCut: false })
  }))

test('a key is not sent over the network in clear, nor one that is none', async () => {
  const ask = (url: string, keyVariable: string) =>
    openOpenAiCompatible({ url, name: 'm', keyVariable, timeoutMs: 500 }).ask(QUESTION)
  // Refused before anything is contacted.
  await expect(ask('http://model.example/v1', VARIABLE)).rejects.toMatchObject({
    code: 'model_unavailable',
    message: expect.stringContaining('without encryption'),
  })
  process.env.CAIRN_TEST_BAD_KEY = 'two\nlines'
  try {
    const error = await ask('http://127.0.0.1:9/v1', 'CAIRN_TEST_BAD_KEY').catch((reason: Error) => reason)
    expect(error).toMatchObject({ code: 'model_unavailable' })
    expect(String(error)).not.toContain('lines')
  } finally {
    delete process.env.CAIRN_TEST_BAD_KEY
  }
})
