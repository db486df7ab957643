import { afterEach, beforeEach, expect, it } from 'vitest'
import { composeEngine } from '../src/compose/compose.ts'
import type { Composed } from '../src/compose/composed.ts'
import { closeSession } from '../src/features/learning/closing.ts'
import { refineRecent, refineSession } from '../src/features/learning/refining.ts'
import { reviewQueue } from '../src/features/learning/review-queue.ts'
import { acceptProposals } from '../src/features/learning/reviewing.ts'
import { appendMessages, startSession } from '../src/features/sessions/sessions.ts'
import { type LoopbackModel, startLoopbackModel } from './support/loopback-model.ts'
import { scratchProject, writeIn } from './support/scratch-project.ts'

const SSE = 'We decided to use SSE instead of WebSockets, because the proxy drops idle sockets.'
const LEASE = 'We decided to use a lease in PostgreSQL for the nightly job.'
const HOOKS = 'Never edit the auth middleware, extend it by hooks.'
const CLOSES = 'The proxy closes idle sockets after 60 seconds.'
const ANSWER = { keep: [1], drop: [{ number: 2, reason: 'said already' }], new: [] }

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
    { role: 'agent', text: SSE },
    { role: 'agent', text: `Agreed. ${CLOSES} ${LEASE}` },
    { role: 'user', text: `#remember ${HOOKS}` },
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

async function suggested() {
  const { proposals } = await reviewQueue(engine, { limit: 100 })
  return proposals.filter(({ level }) => level === 'suggestion').map(({ content }) => content)
}

it('closes with what the rules found, and asks nobody', async () => {
  await allow()
  await closeSession(engine, 's1')
  expect((await kept()).map(entry => entry.content)).toEqual([HOOKS])
  expect(await suggested()).toEqual([SSE, LEASE])
  expect(model.seen).toEqual([])
})

it('goes over the suggestions once: one that the model drops waits no longer', async () => {
  await allow()
  await closeSession(engine, 's1')
  const refined = await refineSession(engine, 's1')
  expect(refined).toMatchObject({ isRefined: true, degraded: [], learnt: { replaced: [expect.any(String)] } })
  expect((await kept()).map(entry => entry.content)).toEqual([HOOKS])
  expect(await suggested()).toEqual([SSE])
  const memory = await engine.sessions.findMemory('s1')
  expect(memory?.refinedBy).toBe('openai:m')
  expect(memory?.findings.map(({ content, rejectedBy }) => [content, rejectedBy])).toContainEqual([
    LEASE,
    'refined_away',
  ])
  expect(await refineSession(engine, 's1')).toMatchObject({ isRefined: false, calls: [] })
  expect(model.seen).toHaveLength(1)
})

it('does not go over what the person asked for', async () => {
  await allow()
  await closeSession(engine, 's1')
  await refineSession(engine, 's1')
  const body = (model.seen[0]?.body ?? {}) as { messages?: readonly { content: string }[] }
  const { notes } = JSON.parse(body.messages?.at(-1)?.content ?? '{}')
  expect(notes.map(({ text }: { text: string }) => text)).toEqual([SSE, LEASE])
})

it('leaves alone what a person has accepted meanwhile', async () => {
  await allow()
  await closeSession(engine, 's1')
  const { proposals } = await reviewQueue(engine, { limit: 100 })
  await acceptProposals(engine, [proposals.find(({ content }) => content === LEASE)?.id ?? ''])
  await refineSession(engine, 's1')
  expect((await kept()).find(entry => entry.content === LEASE)).toMatchObject({ status: 'confirmed' })
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
  expect(await suggested()).toEqual([SSE, LEASE])
})

it('gives a suggestion better words', async () => {
  await allow()
  await closeSession(engine, 's1')
  const text = 'SSE instead of WebSockets: the proxy drops idle sockets.'
  const quote = 'SSE instead of WebSockets, because the proxy drops idle sockets'
  answerWith(JSON.stringify({ keep: [2], rewrite: [{ number: 1, text, quote }], drop: [], new: [] }))
  expect(await refineSession(engine, 's1')).toMatchObject({ isRefined: true, degraded: [] })
  expect(await suggested()).toEqual([text, LEASE])
  expect((await kept()).map(entry => entry.content)).toEqual([HOOKS])
})
