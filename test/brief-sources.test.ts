import { readFileSync } from 'node:fs'
import * as path from 'node:path'
import { describe, expect, it } from 'vitest'
import { type BriefInput, promptBrief, startBrief } from '../src/brief.ts'
import type { Composed, ComposeOptions } from '../src/compose.ts'
import { remember } from '../src/engine.ts'
import { closeSession } from '../src/learning/closing.ts'
import { appendMessages, checkpointSession, startSession } from '../src/sessions/sessions.ts'
import { systemClock } from '../src/system/clock.ts'
import { NOW_MS, openAt } from './support/aged-vault.ts'
import { scratchProject, writeIn } from './support/scratch-project.ts'
import { unhurriedClock } from './support/unhurried-clock.ts'

const LESSON = 'Always set the locale header twice, because the invoice worker ignores the first one.'
const QUEUE = 'Never export without the queue, because the partner drops connections after a minute.'
const WIPED = 'Never keep test data on staging, because its database is wiped every night.'
const KEY = `ghp_${'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'}`

const openUnhurried = (root: string, options: Partial<ComposeOptions> = {}) =>
  openAt(root, NOW_MS, { clock: { ...unhurriedClock, nowMs: () => NOW_MS }, ...options })

async function say(engine: Composed, session: string, text: string, agent = 'dev', role = 'user') {
  await startSession(engine, { session, agent })
  await appendMessages(engine, { session, agent }, [{ role, text }])
}

const ask = (engine: Composed, input: BriefInput = {}) =>
  promptBrief(engine, { prompt: 'please review the change', session: 's1', agent: 'reviewer', ...input })

/** Counts how often conversations are read. */
function watched(engine: Composed): { engine: Composed; reads: () => number } {
  let reads = 0
  const sessions = new Proxy(engine.sessions, {
    get(port, name: keyof Composed['sessions']) {
      if (name === 'readEnd') reads += 1
      return port[name]
    },
  })
  // The sources ask the engine that was composed.
  Object.assign(engine, { sessions })
  return { engine, reads: () => reads }
}

describe('the context bridge', () => {
  it('reads a conversation once, and again when it has grown, in whichever process', async () => {
    const root = scratchProject()
    const first = watched(openUnhurried(root))
    await say(first.engine, 's1', LESSON)
    const told = async (engine: Composed) => (await ask(engine)).brief.text.includes('locale header')
    expect([await told(first.engine), await told(first.engine), first.reads()]).toEqual([true, true, 1])
    await first.engine.close()
    const second = watched(openUnhurried(root))
    expect([await told(second.engine), second.reads()]).toEqual([true, 0])
    await say(second.engine, 's1', QUEUE, 'dev', 'user')
    const { brief } = await ask(second.engine)
    expect([brief.text.includes('without the queue'), second.reads()]).toEqual([true, 1])
    await second.engine.close()
  })

  it('keeps the last twenty conversations, whatever their sessions are called', async () => {
    const { engine, reads } = watched(openUnhurried(scratchProject()))
    const names = Array.from({ length: 22 }, (_, n) => `ses_0${n}Ab`)
    for (const session of names) await say(engine, session, LESSON)
    for (const session of names) await ask(engine, { session })
    expect(reads()).toBe(22)
    for (const session of names.slice(2)) {
      const { brief } = await ask(engine, { session })
      expect(brief.included.map(({ tier }) => tier)).toEqual(['context-bridge'])
    }
    expect(reads()).toBe(22)
    await ask(engine, { session: names[0] ?? '' })
    expect(reads()).toBe(23)
    await engine.close()
  })

  it('never tells an agent its own findings as those of another', async () => {
    const root = scratchProject()
    const shared = openUnhurried(root)
    await say(shared, 's1', LESSON, 'shared')
    expect((await promptBrief(shared, { prompt: 'and now?', session: 's1' })).brief.text).toBe('')
    await shared.close()
    const dev = openUnhurried(root, { actor: { host: 'test', agent: 'Dev' } })
    await say(dev, 's2', LESSON, 'dev')
    expect((await promptBrief(dev, { prompt: 'and now?', session: 's2' })).brief.text).toBe('')
    expect((await promptBrief(dev, { prompt: 'and now?', session: 's1' })).brief.text).toContain('locale')
    await dev.close()
  })

  it('keeps no secret that somebody wrote into a conversation by hand', async () => {
    const root = scratchProject()
    const engine = openUnhurried(root)
    await say(engine, 's1', LESSON)
    const file = path.join(root, '.memory/conversations/dev/s1.jsonl')
    const line = JSON.stringify({
      role: 'user',
      text: `Always start the worker with ${KEY} in staging.`,
    })
    writeIn(root, '.memory/conversations/dev/s1.jsonl', `${readFileSync(file, 'utf8')}${line}\n`)
    expect((await ask(engine)).brief.text).not.toContain(KEY)
    await engine.close()
    expect(readFileSync(path.join(root, '.memory/.vault/index.db')).includes(KEY)).toBe(false)
  })
})

describe('the deadline of a prompt', () => {
  it('holds for what sessions bring, and says what is missing', async () => {
    const engine = openAt(scratchProject(), NOW_MS, { clock: systemClock })
    await remember(engine, [{ content: 'The worker reads the locale header.', kind: 'decision' }])
    const sources = { ...engine.sources, contextBridge: () => new Promise<never>(() => undefined) }
    const { brief, degraded, ms } = await ask({ ...engine, sources }, { agent: 'shared' })
    expect([brief.text, ms < 2_000]).toEqual(['', true])
    expect(degraded.filter(({ code }) => code === 'deadline')).toMatchObject([
      { code: 'deadline', message: expect.stringContaining('missing: what other agents found') },
    ])
    const both = await promptBrief(
      { ...engine, sources },
      { prompt: 'which header does the worker read?', session: 's1', agent: 'shared' },
    )
    expect(both.brief.text).toContain('reads the locale header')
    await engine.close()
  })

  it('is looked at before each conversation is distilled', async () => {
    const root = scratchProject()
    const writer = openUnhurried(root)
    for (const [agent, text] of Object.entries({ a: QUEUE, b: WIPED, c: LESSON }))
      await say(writer, 's1', text, agent, 'user')
    await writer.close()
    // Time goes by with every look at a conversation.
    let nowMs = NOW_MS
    const engine = openAt(root, NOW_MS, { clock: { ...unhurriedClock, nowMs: () => nowMs } })
    const { sessions } = engine
    const slow = new Proxy(sessions, {
      get(port, name: keyof Composed['sessions']) {
        if (name === 'readEnd') nowMs += 300
        return port[name]
      },
    })
    Object.assign(engine, { sessions: slow })
    const { brief, degraded } = await ask(engine)
    expect(degraded.map(({ code }) => code)).toEqual(['deadline'])
    expect(brief.included.map(({ tier }) => tier)).toEqual(['context-bridge', 'context-bridge'])
    expect((await ask(engine)).degraded).toEqual([])
    await engine.close()
  })
})

describe('the start of a session', () => {
  it('marks the handoff and the open tasks too', async () => {
    const root = scratchProject({ 'src/cache.ts': 'export const cacheLifetime = 3600\n'.repeat(20) })
    const engine = openUnhurried(root)
    await remember(engine, [
      {
        content: 'Half of the cache is done, see src/cache.ts.',
        category: 'handoffs',
        files: ['src/cache.ts'],
      },
      { content: '- [ ] measure the cache in src/cache.ts', category: 'tasks', files: ['src/cache.ts'] },
    ])
    writeIn(
      root,
      'src/cache.ts',
      'class Store { constructor(private readonly folder: string) {} }\n'.repeat(30),
    )
    const { brief } = await startBrief(engine, {})
    expect(brief.included.map(({ tier }) => tier).sort()).toEqual(['handoff', 'tasks'])
    expect(brief.text.match(/Files changed since: src\/cache\.ts/g)).toHaveLength(2)
    await engine.close()
  })

  it('tells what can be recovered when the memory of the session is damaged', async () => {
    const root = scratchProject()
    const engine = openUnhurried(root)
    await say(engine, 's1', QUEUE, 'shared', 'user')
    await checkpointSession(engine, { session: 's1', agent: 'shared' })
    await closeSession(engine, 's1')
    await checkpointSession(engine, { session: 's1', agent: 'shared' })
    const recovered = async () =>
      (await startBrief(engine, { session: 's2' })).brief.included.some(({ tier }) => tier === 'recovery')
    expect(await recovered()).toBe(false)
    writeIn(root, '.memory/sessions/s1.memory.json', '{"version": 1, "sess')
    expect(await recovered()).toBe(true)
    await engine.close()
  })
})

it('the log of briefs keeps no secret, not in the name of a host either', async () => {
  const root = scratchProject()
  const engine = openUnhurried(root)
  await remember(engine, [{ content: WIPED }])
  await promptBrief(engine, { prompt: 'hello', host: KEY, agent: 'dev', session: 's1', isGiven: true })
  expect((await engine.briefs.list(1))[0]?.host).toMatch(/^\[redacted:/)
  await engine.close()
  expect(readFileSync(path.join(root, '.memory/.vault/index.db')).includes(KEY)).toBe(false)
})
