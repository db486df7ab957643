import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Composed, composeEngine } from '../src/compose.ts'
import { closeSession } from '../src/learning/closing.ts'
import { refineRecent, refineSession } from '../src/learning/session-refining.ts'
import { appendMessages, startSession } from '../src/sessions/sessions.ts'
import { type LoopbackModel, startLoopbackModel } from './support/loopback-model.ts'
import { scratchProject, writeIn } from './support/scratch-project.ts'

const SSE = 'We go with SSE instead of WebSockets, because the proxy drops idle sockets.'
const HOOKS = 'Never edit the auth middleware, extend it by hooks.'
const CLOSES = 'The proxy closes idle sockets after 60 seconds.'
const ANSWER = { keep: [1, 2], drop: [{ number: 3, reason: 'said already' }], new: [] }

let model: LoopbackModel
let engine: Composed

beforeEach(async () => {
  model = await startLoopbackModel()
  const root = scratchProject()
  process.env.CAIRN_HOME = scratchProject()
  const settings = { use: 'openai', url: `${model.origin}/v1`, name: 'm', timeoutMs: 5_000 }
  writeIn(root, '.memory/config.json', JSON.stringify({ version: 1, model: settings }))
  engine = composeEngine({ root })
  answerWith(JSON.stringify(ANSWER))
  await startSession(engine, { session: 's1' })
  await appendMessages(engine, { session: 's1', agent: 'shared' }, [
    { role: 'user', text: SSE },
    { role: 'agent', text: `Agreed. ${CLOSES}` },
    { role: 'user', text: HOOKS },
  ])
})
afterEach(async () => {
  await engine.close()
  await model.close()
  delete process.env.CAIRN_HOME
})

function answerWith(text: string) {
  const choices = [{ message: { content: text }, finish_reason: 'stop' }]
  const usage = { prompt_tokens: 700, completion_tokens: 90 }
  model.answer = () => ({ body: JSON.stringify({ choices, usage }) })
}

async function allow() {
  const standing = await engine.model.standing()
  if (standing.kind === 'not_allowed') await engine.model.allow(standing.code)
}

async function kept() {
  const { entries } = await engine.store.listEntries({ filter: {}, limit: 100, offset: 0 })
  return entries.filter(entry => entry.category !== 'handoffs')
}

it('closes with what the rules found, and asks nobody', async () => {
  await allow()
  await closeSession(engine, 's1')
  expect((await kept()).map(entry => entry.content).sort()).toEqual([HOOKS, SSE])
  expect(model.seen).toEqual([])
})

it('goes over it once: what the model drops is taken out again', async () => {
  await allow()
  await closeSession(engine, 's1')
  const refined = await refineSession(engine, 's1')
  expect(refined).toMatchObject({ isRefined: true, degraded: [], learnt: { replaced: [expect.any(String)] } })
  expect((await kept()).map(entry => entry.content)).toEqual([SSE])
  const memory = await engine.sessions.findMemory('s1')
  expect(memory?.refinedBy).toBe('openai:m')
  expect(memory?.findings.map(({ content, rejectedBy }) => [content, rejectedBy])).toContainEqual([
    HOOKS,
    'refined_away',
  ])
  expect(await refineSession(engine, 's1')).toMatchObject({ isRefined: false, calls: [] })
  expect(model.seen).toHaveLength(1)
})

it('leaves alone what a person has confirmed meanwhile', async () => {
  await allow()
  await closeSession(engine, 's1')
  const hooks = (await kept()).find(entry => entry.content === HOOKS)
  const { acceptProposals } = await import('../src/learning/reviewing.ts')
  await acceptProposals(engine, [hooks?.id ?? ''])
  await refineSession(engine, 's1')
  expect((await kept()).map(entry => entry.content)).toContain(HOOKS)
})

it('stays with the rules where the model is not allowed, fails or talks nonsense, and says so', async () => {
  await closeSession(engine, 's1')
  expect(await refineRecent(engine)).toEqual([])
  expect((await refineSession(engine, 's1')).degraded).toMatchObject([{ code: 'not_confirmed' }])
  await allow()
  model.answer = () => ({ status: 500, body: '{}' })
  expect(await refineRecent(engine)).toMatchObject([{ isRefined: false, calls: [] }])
  answerWith('I would rather talk about the weather.')
  expect((await refineSession(engine, 's1')).degraded).toMatchObject([{ code: 'model_failed' }])
  // It was paid for, and is not asked again.
  const asked = model.seen.length
  expect(await refineRecent(engine)).toEqual([])
  expect(model.seen).toHaveLength(asked)
  expect((await kept()).map(entry => entry.content).sort()).toEqual([HOOKS, SSE])
})

const REWORDED = 'SSE instead of WebSockets: the proxy drops idle sockets.'

function rewording() {
  const quote = 'SSE instead of WebSockets, because the proxy drops idle sockets'
  answerWith(
    JSON.stringify({ keep: [2, 3], rewrite: [{ number: 1, text: REWORDED, quote }], drop: [], new: [] }),
  )
}

it('gives an entry better words, under the same id', async () => {
  await allow()
  await closeSession(engine, 's1')
  const before = (await kept()).find(entry => entry.content === SSE)
  rewording()
  expect(await refineSession(engine, 's1')).toMatchObject({ isRefined: true, degraded: [] })
  const after = await kept()
  expect(after.map(entry => entry.content).sort()).toEqual([HOOKS, REWORDED])
  expect(after.find(entry => entry.content === REWORDED)?.id).toBe(before?.id)
  const memory = await engine.sessions.findMemory('s1')
  expect(memory?.findings.find(finding => finding.content === REWORDED)).toMatchObject({
    promotedToProjectMemory: true,
    promotedEntryId: before?.id,
  })
})

it('leaves alone what was asked for meanwhile, and what it was not shown', async () => {
  await allow()
  await closeSession(engine, 's1')
  const hooks = (await kept()).find(entry => entry.content === HOOKS)
  await engine.store.recordAccess([hooks?.id ?? ''])
  const key = { session: 's1', agent: 'shared' }
  const conversation = await engine.sessions.read(key)
  // As upkeep trims it: only the last message is still there.
  await engine.sessions.settle(key, {
    messages: (conversation?.messages ?? []).slice(-1),
    trimmed: 2,
    expected: 3,
  })
  answerWith(JSON.stringify({ keep: [], drop: [{ number: 1, reason: 'said already' }], new: [] }))
  await refineSession(engine, 's1')
  expect((await kept()).map(entry => entry.content).sort()).toEqual([HOOKS, SSE])
})
