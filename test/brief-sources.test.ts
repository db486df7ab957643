import { readFileSync } from 'node:fs'
import * as path from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ComposeOptions } from '../src/compose/compose.ts'
import type { Composed } from '../src/compose/composed.ts'
import { type BriefInput, promptBrief, startBrief } from '../src/features/brief/brief.ts'
import { remember } from '../src/features/entries/write-entries.ts'
import { closeSession } from '../src/features/learning/closing.ts'
import { appendMessages, checkpointSession, startSession } from '../src/features/sessions/sessions.ts'
import { systemClock } from '../src/kernel/system/clock.ts'
import { NOW_MS, openAt } from './support/aged-vault.ts'
import { scratchProject, writeIn } from './support/scratch-project.ts'
import { unhurriedClock } from './support/unhurried-clock.ts'

const LESSON = 'It turns out that the invoice worker ignores the locale header unless it is set twice.'
const QUEUE = "Let's go with a queue for the export, because the partner drops connections after a minute."
const WIPED = 'Never keep test data on staging, because its database is wiped every night.'
const KEY = `ghp_${'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'}`

const openUnhurried = (root: string, options: Partial<ComposeOptions> = {}) =>
  openAt(root, NOW_MS, { clock: { ...unhurriedClock, nowMs: () => NOW_MS }, ...options })

async function say(engine: Composed, session: string, text: string, agent = 'dev', role = 'agent') {
  await startSession(engine, { session, agent })
  await appendMessages(engine, { session, agent }, [{ role, text }])
}

const ask = (engine: Composed, input: BriefInput = {}) =>
  promptBrief(engine, { prompt: 'please review the change', session: 's1', agent: 'reviewer', ...input })

describe('the context bridge', () => {
  const saved = (content: string, agent: string, given = {}) => ({
    content,
    kind: 'lesson',
    agent,
    session: 's1',
    origin: 'agent' as const,
    status: 'candidate' as const,
    ...given,
  })

  it('shows what another agent of the session saved, once', async () => {
    const engine = openUnhurried(scratchProject())
    await remember(engine, [saved(LESSON, 'dev')])
    const { brief } = await ask(engine, { isDelivered: true })
    expect(brief.included).toMatchObject([{ tier: 'context-bridge' }])
    expect(brief.text).toContain('locale header')
    expect((await ask(engine, { isDelivered: true })).brief.text).toBe('')
    await engine.close()
  })

  it('shows neither own saves, nor suggestions, nor what was only said, nor those of other sessions', async () => {
    const engine = openUnhurried(scratchProject())
    await remember(engine, [
      saved(LESSON, 'reviewer'),
      saved(QUEUE, 'dev', { origin: 'machine' }),
      saved(WIPED, 'dev', { session: 's2' }),
    ])
    await say(engine, 's1', 'It turns out that the printer ignores the tray setting.')
    expect((await ask(engine)).brief.text).toBe('')
    await engine.close()
  })
})

describe('the files of the session', () => {
  it('count as open files once the agent has edited them', async () => {
    // Briefs are listed by time: no two in one moment.
    let nowMs = NOW_MS
    const engine = openUnhurried(scratchProject(), { clock: { ...unhurriedClock, nowMs: () => nowMs++ } })
    await remember(engine, [
      { content: 'The totals are rounded per line.', kind: 'decision', files: ['src/a.ts'] },
      { content: 'The totals are cached for an hour.', kind: 'decision', files: ['src/b.ts'] },
    ])
    const asked = async () => {
      const { brief, files } = await promptBrief(engine, {
        prompt: 'why are the totals off by one cent?',
        session: 's1',
        isDelivered: true,
      })
      const [logged] = await engine.briefs.list(1)
      return { files, logged: logged?.files, told: brief.text.includes('rounded per line') }
    }
    expect(await asked()).toEqual({ files: [], logged: [], told: false })
    await startSession(engine, { session: 's1', agent: 'shared' })
    const run = { tool: 'Edit', files: ['src/a.ts'], isEdit: true, ok: true }
    await appendMessages(engine, { session: 's1', agent: 'shared' }, [{ role: 'tool', text: 'edited', run }])
    expect(await asked()).toEqual({ files: ['src/a.ts'], logged: ['src/a.ts'], told: true })
    await engine.close()
  })
})

describe('what the last session left', () => {
  it('comes with the first prompt where there was no start brief, and only then', async () => {
    const engine = openUnhurried(scratchProject())
    const content =
      'Asked: a faster export.\nDone and verified: the queue.\nLeft: the retry of failed uploads.'
    await remember(engine, [{ content, category: 'handoffs', session: 's0' }])
    const left = async (session: string, prompt: string) => {
      const { brief } = await promptBrief(engine, { prompt, session, isDelivered: true })
      return brief.included.map(({ tier, text }) => `${tier}: ${text}`)
    }
    const line = 'session-summary: Left: the retry of failed uploads.'
    expect(await left('s1', 'paint the settings page')).toEqual([line])
    expect(await left('s1', 'paint the other page')).toEqual([])
    await startBrief(engine, { session: 's2', isDelivered: true })
    expect(await left('s2', 'paint the settings page')).toEqual([])
    await engine.close()
  })
})

describe('the deadline of a prompt', () => {
  it('applies to what sessions bring, and says what is missing', async () => {
    const engine = openAt(scratchProject(), NOW_MS, { clock: systemClock })
    await remember(engine, [{ content: 'The worker reads the locale header.', kind: 'decision' }])
    const sources = { ...engine.sources, editedFiles: () => new Promise<never>(() => undefined) }
    const { brief, degraded, ms } = await ask({ ...engine, sources }, { agent: 'shared' })
    expect([brief.text, ms < 2_000]).toEqual(['', true])
    expect(degraded.filter(({ code }) => code === 'deadline')).toMatchObject([
      { code: 'deadline', message: expect.stringContaining('missing: the edited files') },
    ])
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
  await promptBrief(engine, {
    prompt: 'which data is on staging?',
    host: KEY,
    agent: 'dev',
    session: 's1',
    isDelivered: true,
  })
  expect((await engine.briefs.list(1))[0]?.host).toMatch(/^\[redacted:/)
  await engine.close()
  expect(readFileSync(path.join(root, '.memory/.vault/index.db')).includes(KEY)).toBe(false)
})

it('the log of briefs has no private part of a prompt, and an entry none that ends', async () => {
  const engine = openUnhurried(scratchProject())
  const [kept] = await remember(engine, [{ content: 'Deploys <private>at the harbour</private> wait.' }])
  expect(kept?.entry.content).toBe('Deploys [private] wait.')
  const prompt = 'why SSE? <private>the word is opensesame</private>'
  await promptBrief(engine, { prompt, session: 's1', agent: 'dev', isDelivered: true })
  const [brief] = await engine.briefs.list(1)
  expect(brief?.prompt).toBe('why SSE? [private]')
  await engine.close()
})
