import { readdirSync, readFileSync } from 'node:fs'
import * as path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { composeEngine } from '../src/compose/compose.ts'
import type { Composed } from '../src/compose/composed.ts'
import { distil } from '../src/features/learning/decide/distil.ts'
import { refineFindings } from '../src/features/learning/refining.ts'
import type { Message } from '../src/kernel/model/message.ts'
import { systemClock } from '../src/kernel/system/clock.ts'
import { type LoopbackModel, startLoopbackModel } from './support/loopback-model.ts'
import { scratchProject, writeIn } from './support/scratch-project.ts'

/** Built of two parts, so that scanners of this repository do not take them for real ones. */
const KEY = ['sk', 'not-a-real-key-0123456789'].join('-')
const TOKEN = `${'ghp'}_abcdefghijklmnopqrstuvwxyz0123456789`

const MESSAGES: readonly Message[] = [
  { role: 'user', text: 'We use SSE instead of WebSockets, because the proxy drops idle sockets.' },
  { role: 'agent', text: `Agreed. The proxy closes idle sockets after 60 seconds. ${TOKEN}` },
  { role: 'user', text: 'Never edit the auth middleware, extend it by hooks.' },
]
const GIVEN = {
  messages: MESSAGES,
  findings: distil(MESSAGES).findings,
}
const REFINED = JSON.stringify({
  keep: [1],
  drop: [{ number: 2, reason: 'said already' }],
  new: [
    {
      message: 1,
      kind: 'discovery',
      text: 'The proxy closes idle sockets after 60 seconds.',
      quote: 'closes idle sockets after 60 seconds',
    },
  ],
})

let model: LoopbackModel
let engine: Composed
let root: string
let nowMs: number

beforeEach(async () => {
  model = await startLoopbackModel()
  answerWith(REFINED)
  nowMs = Date.UTC(2026, 10, 15, 23, 30)
  root = scratchProject()
  process.env.CAIRN_HOME = scratchProject()
  process.env.CAIRN_TEST_MODEL_KEY = KEY
  engine = composeEngine({ root, clock: { ...systemClock, nowMs: () => nowMs } })
})
afterEach(async () => {
  await engine.close()
  await model.close()
  for (const name of ['CAIRN_HOME', 'CAIRN_TEST_MODEL_KEY', 'CAIRN_INTERNAL']) delete process.env[name]
})

function answerWith(text: string, tokens = { prompt_tokens: 700, completion_tokens: 90 }, finish = 'stop') {
  const choices = [{ message: { content: text }, finish_reason: finish }]
  model.answer = () => ({ body: JSON.stringify({ choices, usage: tokens }) })
}

function configure(changes: object = {}): void {
  const settings = {
    use: 'openai',
    url: `${model.origin}/v1`,
    name: 'm',
    keyVariable: 'CAIRN_TEST_MODEL_KEY',
    timeoutMs: 5_000,
    ...changes,
  }
  writeIn(root, '.memory/config.json', JSON.stringify({ version: 1, model: settings }))
}

async function allow(changes: object = {}): Promise<void> {
  configure(changes)
  const standing = await engine.model.standing()
  if (standing.kind === 'not_allowed') await engine.model.allow(standing.code)
}

const codes = ({ degraded }: { degraded: readonly { code: string }[] }) => degraded.map(({ code }) => code)

describe('findings are refined', () => {
  it('by a model that was allowed, and it is counted', async () => {
    await allow({ inputPrice: 100, outputPrice: 500 })
    const refined = await refineFindings(engine, GIVEN)
    expect(refined).toMatchObject({
      model: { name: 'openai:m', inputTokens: 700, outputTokens: 90, costMicroUsd: 1_150 },
      changes: { added: 1, rewritten: [], refused: [] },
      degraded: [],
    })
    expect(refined.findings.map(({ message, kind }) => [message, kind])).toEqual([
      [0, 'decision'],
      [1, 'discovery'],
    ])
    expect(await engine.spend.spentOn('2026-11-15')).toEqual({
      calls: 1,
      inputTokens: 700,
      outputTokens: 90,
      microUsd: 1_150,
    })
    expect(JSON.stringify(model.seen[0]?.body)).not.toContain(TOKEN)
    expect(model.seen[0]?.headers.authorization).toBe(`Bearer ${KEY}`)
  })

  it('never when it is off', async () => {
    configure({ use: 'off' })
    expect(await refineFindings(engine, GIVEN)).toEqual({ findings: GIVEN.findings, degraded: [] })
    expect(model.seen).toEqual([])
  })

  it('never when nothing was said', async () => {
    await allow()
    expect(await refineFindings(engine, { messages: [], findings: [] })).toEqual({
      findings: [],
      degraded: [],
    })
    expect(model.seen).toEqual([])
  })

  it('never inside a model that Cairn itself asked', async () => {
    process.env.CAIRN_INTERNAL = '1'
    await allow()
    expect(codes(await refineFindings(engine, GIVEN))).toEqual(['model_off'])
    expect(model.seen).toEqual([])
  })
})

describe('what comes with a repository', () => {
  it('is not used before this user has allowed it', async () => {
    configure()
    const { degraded, findings } = await refineFindings(engine, GIVEN)
    expect(degraded).toEqual([
      {
        code: 'not_confirmed',
        message:
          'The model in config.json was not allowed on this machine yet. The findings of the rules were stored unchanged.',
      },
    ])
    expect(findings).toEqual(GIVEN.findings)
    expect(model.seen).toEqual([])
  })

  it('is not used when it has changed since, until it is as it was', async () => {
    await allow()
    for (const change of [
      { url: `${model.origin}/v2` },
      { name: 'dearer' },
      { keyVariable: 'AWS_SECRET_ACCESS_KEY' },
      { dailyTokens: 100_000_000 },
      { dailyCents: 100_000 },
      { use: 'cli', command: ['rm', '-rf', '.'] },
      { use: 'anthropic' },
    ]) {
      configure(change)
      const refined = await refineFindings(engine, GIVEN)
      expect([change, codes(refined)]).toEqual([change, ['not_confirmed']])
    }
    expect(model.seen).toEqual([])
    configure()
    expect(codes(await refineFindings(engine, GIVEN))).toEqual([])
    expect(model.seen).toHaveLength(1)
  })

  it('cannot bring its own yes', async () => {
    await allow()
    const yes = readFileSync(path.join(process.env.CAIRN_HOME ?? '', 'allowed.json'), 'utf8')
    await engine.model.forbid()
    for (const place of ['.memory/.vault', '.memory', '.cairn', ''])
      writeIn(root, path.join(place, 'allowed.json'), yes)
    expect(codes(await refineFindings(engine, GIVEN))).toEqual(['not_confirmed'])
  })

  it('is allowed for one project, not for another', async () => {
    await allow()
    const other = composeEngine({ root: scratchProject() })
    writeIn(other.paths.root, '.memory/config.json', readFileSync(path.join(root, '.memory/config.json')))
    expect((await other.model.standing()).kind).toBe('not_allowed')
    await other.close()
  })

  it('is not used where what was allowed cannot be read; a new yes keeps the damaged file', async () => {
    await allow()
    const home = process.env.CAIRN_HOME ?? ''
    for (const damaged of ['not json', '{"models":[]}', '{"models":{"x":1}}']) {
      writeIn(home, 'allowed.json', damaged)
      expect(await engine.model.standing()).toMatchObject({ kind: 'not_allowed', why: 'damaged' })
      expect(codes(await refineFindings(engine, GIVEN))).toEqual(['not_confirmed'])
    }
    await allow()
    expect((await engine.model.standing()).kind).toBe('allowed')
    expect(readFileSync(path.join(home, 'allowed.json.damaged'), 'utf8')).toBe('{"models":{"x":1}}')
  })
})

describe('the rules alone decide, and it is said', () => {
  it.each<[string, () => void, RegExp]>([
    ['the answer is talk', () => answerWith('I cannot help with that.'), /cannot be used: there is no JSON/],
    [
      'the answer was cut',
      () => answerWith(REFINED, undefined, 'length'),
      /cut off at `model\.maxOutputTokens`/,
    ],
    [
      'the key is wrong',
      () => {
        model.answer = () => ({ status: 401, body: JSON.stringify({ error: { message: `key ${KEY}` } }) })
      },
      /does not take the key/,
    ],
    [
      'it is not there',
      () => {
        model.answer = () => 'broken'
      },
      /the connection to .* broke/,
    ],
  ])('when %s', async (_, arrange, message) => {
    await allow()
    arrange()
    const refined = await refineFindings(engine, GIVEN)
    expect(refined.findings).toEqual(GIVEN.findings)
    expect(refined.degraded).toEqual([{ code: 'model_failed', message: expect.stringMatching(message) }])
    expect(JSON.stringify(refined)).not.toContain(KEY)
  })

  it('when the day is used up, and the next day begins anew', async () => {
    await allow({ dailyTokens: 13_000 })
    answerWith(REFINED, { prompt_tokens: 5_000, completion_tokens: 500 })
    const asked = []
    for (let n = 0; n < 4; n++) asked.push(codes(await refineFindings(engine, GIVEN)))
    expect(asked).toEqual([[], [], ['model_cap_reached'], ['model_cap_reached']])
    expect(model.seen).toHaveLength(2)
    nowMs += 3_600_000
    expect(codes(await refineFindings(engine, GIVEN))).toEqual([])
  })

  it('when the money of the day is used up', async () => {
    await allow({ dailyCents: 2, inputPrice: 100, outputPrice: 500 })
    answerWith(REFINED, { prompt_tokens: 10_000, completion_tokens: 100 })
    expect(codes(await refineFindings(engine, GIVEN))).toEqual([])
    expect(codes(await refineFindings(engine, GIVEN))).toEqual(['model_cap_reached'])
    expect(model.seen).toHaveLength(1)
  })

  it('when what it costs cannot be counted', async () => {
    await allow()
    const nowhere = composeEngine({ root: scratchProject() })
    const { health } = nowhere.store
    const reader = {
      ...engine,
      store: Object.assign(Object.create(engine.store), { health: () => health.call(nowhere.store) }),
    }
    expect(codes(await refineFindings(reader, GIVEN))).toEqual(['vault_read_only'])
    expect(model.seen).toEqual([])
    await nowhere.close()
  })
})

describe('a failure', () => {
  it('that cannot have cost anything frees what was reserved; one that can does not', async () => {
    await allow()
    model.answer = () => ({ status: 400, body: '{"error":{"message":"no such model"}}' })
    await refineFindings(engine, GIVEN)
    expect(await engine.spend.spentOn('2026-11-15')).toMatchObject({
      calls: 1,
      inputTokens: 0,
      outputTokens: 0,
    })
    model.answer = () => 'broken'
    await refineFindings(engine, GIVEN)
    const { inputTokens, outputTokens } = await engine.spend.spentOn('2026-11-15')
    expect([inputTokens > 1_000, outputTokens]).toEqual([true, 2_000])
    expect(await engine.spend.lastFailure()).toMatchObject({
      at: '2026-11-15T23:30',
      model: 'openai:m',
      message: expect.stringContaining('broke'),
    })
  })

  it('leaves no secret and no key in any file', async () => {
    await allow()
    model.answer = ({ body }) => ({
      status: 400,
      body: JSON.stringify({ error: { message: `${TOKEN} ${KEY} ${JSON.stringify(body).slice(0, 100)}` } }),
    })
    await refineFindings(engine, GIVEN)
    await engine.close()
    const files = readdirSync(root, { recursive: true, encoding: 'utf8', withFileTypes: true })
    for (const file of files.filter(one => one.isFile())) {
      const bytes = readFileSync(path.join(file.parentPath, file.name), 'latin1')
      expect([file.name, bytes.includes(KEY), bytes.includes(TOKEN)]).toEqual([file.name, false, false])
    }
  })

  it('to tell what was used counts as the most it can have been', async () => {
    await allow()
    model.answer = () => ({ body: JSON.stringify({ choices: [{ message: { content: REFINED } }] }) })
    const { model: call } = await refineFindings(engine, GIVEN)
    expect(call?.outputTokens).toBe(2_000)
    expect(call?.inputTokens).toBeGreaterThan(1_000)
  })
})
