import { describe, expect, it } from 'vitest'
import { composeEngine } from '../src/compose/compose.ts'
import type { Composed } from '../src/compose/composed.ts'
import { promptBrief, startBrief } from '../src/features/brief/brief.ts'
import type { BriefSources } from '../src/features/brief/decide/ports.ts'
import { remember } from '../src/features/entries/write-entries.ts'
import type { Embedder } from '../src/features/search/decide/ports.ts'
import { embedWaiting } from '../src/features/search/meaning.ts'
import { scratchProject } from './support/scratch-project.ts'
import { wordEmbedder } from './support/word-embedder.ts'

const CACHE = 'The cache of the catalogue lives for one hour and is emptied by a deploy.'
const OTHERS = [
  'Invoices are numbered without gaps per year.',
  'The staging database is wiped every night.',
  'Never edit generated clients by hand.',
]

async function open(embedder?: Embedder, sources?: Partial<BriefSources>): Promise<Composed> {
  const engine = composeEngine({ root: scratchProject(), ...(embedder && { embedder }) })
  const told = sources === undefined ? engine : { ...engine, sources: { ...engine.sources, ...sources } }
  await remember(
    told,
    [CACHE, ...OTHERS].map(content => ({ content, kind: 'decision', agent: 'dev' })),
  )
  return told
}

describe('the deadline', () => {
  it('gives what is ready when the embedder hangs, says so, and leaves nothing running', async () => {
    let isHanging = false
    const words = wordEmbedder()
    const engine = await open({
      ...words,
      embed: texts => (isHanging ? new Promise(() => undefined) : words.embed(texts)),
    })
    await embedWaiting(engine)
    isHanging = true
    const { brief, degraded, ms } = await promptBrief(engine, { prompt: 'how long does the cache live?' })
    expect(degraded.map(({ code }) => code)).toEqual(['deadline'])
    expect([brief.text, ms < 2_000]).toEqual(['', true])
    await engine.close()
  })
})

describe('the watch over latency', () => {
  it('looks at less after slow retrievals, says so, and recovers', async () => {
    const engine = await open(wordEmbedder())
    await embedWaiting(engine)
    const codes = async () =>
      (await promptBrief(engine, { prompt: 'cache' })).degraded.map(({ code }) => code)
    await engine.briefs.putLatencies([400, 400, 400, 400, 400], 'healthy')
    expect(await codes()).toEqual(['slo_degraded'])
    await engine.briefs.putLatencies([250, 250, 250, 250, 250], 'degraded')
    expect(await codes()).toEqual(['slo_degraded'])
    await engine.briefs.putLatencies([50, 50, 50, 50, 50], 'degraded')
    expect(await codes()).toEqual([])
    await engine.close()
  })
})

describe('what sessions provide', () => {
  it('takes its place: marks with the hits, recovery at the start', async () => {
    const engine = await open(undefined, {
      recovery: async () => [{ role: 'user', text: 'go on with the cache' }],
      marks: async ids => new Map(ids.map(id => [id, { changedFiles: ['src/cache.ts'] }])),
    })
    const { brief } = await promptBrief(engine, {
      prompt: 'how long does the cache of the catalogue live?',
      session: 's1',
      agent: 'dev',
    })
    expect(brief.included.map(({ tier }) => tier)).toEqual(['retrieval'])
    expect(brief.text).toContain('[⚠ DRIFT] Files changed since: src/cache.ts.')
    const start = await startBrief(engine, { agent: 'dev' })
    expect(start.brief.text).toContain('go on with the cache')
    await engine.close()
  })
})

describe('drift', () => {
  it('ranks an entry down until it is confirmed', async () => {
    const plain = await open()
    const drifted = await open(undefined, {
      marks: async ids => new Map(ids.map(id => [id, { changedFiles: ['a.ts'] }])),
    })
    const scoreOf = async (engine: Composed) =>
      (await promptBrief(engine, { prompt: 'how long does the cache live?' })).considered[0]?.factors.drift
    expect([await scoreOf(plain), await scoreOf(drifted)]).toEqual([1, 0.8])
    await Promise.all([plain.close(), drifted.close()])
  })
})

describe('the log of briefs', () => {
  it('keeps the last 200, and what a hundred sessions were told', async () => {
    const engine = await open()
    const one = await promptBrief(engine, { prompt: 'how long does the cache live?' })
    for (let n = 0; n < 205; n++) {
      await engine.briefs.record(
        {
          id: String(n).padStart(6, '0'),
          at: '2026-03-01T00:00:00.000Z',
          kind: 'prompt',
          host: 'test',
          session: `s${n}`,
          prompt: 'p',
          files: [],
          tokens: 10,
          ms: 1,
          included: one.brief.included.map(({ id, tier, tokens }) => ({ ...(id && { id }), tier, tokens })),
          left: [],
          degraded: [],
        },
        `s${n}`,
      )
    }
    const kept = await engine.briefs.list(500)
    expect([kept.length, kept[0]?.id, kept.at(-1)?.id]).toEqual([200, '000204', '000005'])
    expect([(await engine.briefs.sentIn('s204')).size, (await engine.briefs.sentIn('s3')).size]).toEqual([
      1, 0,
    ])
    expect(await engine.briefs.totals()).toEqual({ briefs: 205, silent: 0, tokens: 2050 })
    await engine.close()
  })

  it('holds no secret of a prompt', async () => {
    const engine = await open()
    const token = `${'ghp'}_abcdefghijklmnopqrstuvwxyz0123456789`
    await promptBrief(engine, {
      prompt: `why is ${token} refused by the cache?`,
      session: 's1',
      isDelivered: true,
    })
    expect(JSON.stringify(await engine.briefs.list(1))).not.toContain(token)
    await engine.close()
  })
})

describe('secrets', () => {
  const TOKEN = `${'ghp'}_abcdefghijklmnopqrstuvwxyz0123456789`
  it.each([
    ['in a file name', { prompt: `why is config/${TOKEN}.json read by the cache?` }],
    ['in an open file', { prompt: 'cache', files: [`config/${TOKEN}.json`] }],
    ['in the name of the session', { prompt: 'cache', session: TOKEN }],
    [
      'before the cut',
      {
        prompt: `the cache key:\n-----BEGIN RSA PRIVATE KEY-----\n${'MIIEpAIBAAKCAQEA7secret'.repeat(30)}\n-----END RSA PRIVATE KEY-----`,
      },
    ],
    ['among many words', { prompt: `${'some words '.repeat(400)}\npassword=Zx81hunter2Qq!cache` }],
  ])('of a prompt never reach the log: %s', async (_name, input) => {
    const engine = await open()
    await promptBrief(engine, { session: 's1', ...input, isDelivered: true })
    const logged = JSON.stringify(await engine.briefs.list(1))
    for (const secret of [TOKEN, 'MIIEpAIBAAKCAQEA7secret', 'Zx81hunter2Qq'])
      expect(logged).not.toContain(secret)
    await engine.close()
  })
})
