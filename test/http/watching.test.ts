import { rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import * as path from 'node:path'
import { describe, expect, it } from 'vitest'
import { openLog } from '../../src/kernel/system/log.ts'
import { metricRegistry } from '../../src/surfaces/http/watching/metric-registry.ts'
import { parseExposition } from '../support/prometheus-text.ts'
import { withServer } from './server-world.ts'

function keptLog() {
  const lines: Record<string, unknown>[] = []
  const log = openLog({
    format: 'json',
    level: 'debug',
    sink: async bytes => {
      for (const line of Buffer.from(bytes).toString().trim().split('\n'))
        lines.push(JSON.parse(line) as Record<string, unknown>)
      return bytes.length
    },
  })
  return { log, lines }
}

const figures = async (address: string) => {
  const answer = await fetch(`${address}/metrics`)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([
    200,
    'text/plain; version=0.0.4; charset=utf-8',
  ])
  return parseExposition(await answer.text())
}

describe('what machines ask of a server', () => {
  it('says that it lives, and that it is ready, to whoever asks', async () => {
    await withServer(async ({ address, root, server }) => {
      const ask = async (target: string) => {
        const answer = await fetch(address + target)
        return [answer.status, await answer.json()]
      }
      expect(await ask('/healthz')).toEqual([200, { status: 'ok' }])
      expect(await ask('/readyz')).toEqual([200, { status: 'ready' }])
      rmSync(path.join(root, '.memory'), { recursive: true })
      expect(await ask('/readyz')).toEqual([503, { status: 'not_ready', why: 'memory_unreadable' }])
      server.drain()
      expect(await ask('/healthz')).toEqual([200, { status: 'ok' }])
      expect(await ask('/readyz')).toEqual([503, { status: 'not_ready', why: 'ending' }])
      expect((await fetch(`${address}/readyz`, { method: 'POST' })).status).toBe(405)
    })
  })

  it('answers probes beyond the rate of a client, and everything else with 429', async () => {
    await withServer(
      async ({ address, ask }) => {
        const statuses = async (target: string) =>
          new Set(await Promise.all(Array.from({ length: 12 }, async () => (await ask(target)).status)))
        expect(await statuses('/api/server')).toEqual(new Set([200, 429]))
        expect(await statuses('/healthz')).toEqual(new Set([200]))
        expect(await statuses('/readyz')).toEqual(new Set([200]))
        expect(address).toContain('127.0.0.1')
      },
      { limits: { readsPerSecond: 1 } },
    )
  })

  it('tells its figures in the format of Prometheus, by names of routes', async () => {
    await withServer(async ({ address, ask }) => {
      await ask('/api/entries', { method: 'POST', body: JSON.stringify({ content: 'We use SSE.' }) })
      await ask('/api/search?query=sse')
      await ask('/api/search?nonsense=1')
      await ask('/api/no/such/route/as/this')
      const told = await figures(address)
      expect(told.value('cairn_requests_total', { route: 'remember', status: '2xx' })).toBe(1)
      expect(told.value('cairn_requests_total', { route: 'search', status: '2xx' })).toBe(1)
      expect(told.value('cairn_requests_total', { route: 'search', status: '4xx' })).toBe(1)
      expect(told.value('cairn_requests_total', { route: 'none', status: '4xx' })).toBe(1)
      expect(told.value('cairn_request_duration_seconds_count', { route: 'search' })).toBe(2)
      expect(told.value('cairn_requests_refused_total', { reason: 'invalid_input' })).toBe(1)
      expect(told.value('cairn_requests_refused_total', { reason: 'route_not_found' })).toBe(1)
      expect(told.value('cairn_writes_total')).toBe(1)
      expect(told.value('cairn_searches_total')).toBe(1)
      expect(told.value('cairn_requests_in_flight')).toBe(1)
      expect(told.kindByName.get('cairn_background_steps_total')).toBe('counter')
      expect(told.value('cairn_requests_rate_limited_total')).toBe(0)
      expect(told.value('cairn_build_info', { version: '0.0.0' })).toBe(1)
      expect(told.value('process_resident_memory_bytes')).toBeGreaterThan(1e6)
      expect((await figures(address)).value('cairn_event_loop_delay_seconds')).toBeDefined()
      expect(JSON.stringify(told.series)).not.toContain('such')
    })
  })

  it('counts answers that say they are poorer than they could be, by why', async () => {
    await withServer(async ({ address, ask, root }) => {
      writeFileSync(
        path.join(root, '.memory/config.json'),
        JSON.stringify({ embedder: { use: 'http', url: 'http://127.0.0.1:9/v1/embeddings', model: 'm' } }),
      )
      await ask('/api/entries', { method: 'POST', body: JSON.stringify({ content: 'We use SSE.' }) })
      const { degraded } = (await (await ask('/api/search?query=sse')).json()) as {
        degraded: { code: string }[]
      }
      expect(degraded.map(({ code }) => code)).toEqual(['not_confirmed'])
      const told = await figures(address)
      expect(told.value('cairn_answers_degraded_total', { code: 'not_confirmed' })).toBe(1)
    })
  })

  it('counts a stream while it is open', async () => {
    await withServer(async ({ address }) => {
      const asked = request(`${address}/api/live`)
      await new Promise<void>(resolve => {
        asked.on('response', response => response.once('data', () => resolve()))
        asked.end()
      })
      expect((await figures(address)).value('cairn_event_streams')).toBe(1)
      asked.destroy()
      await expect.poll(async () => (await figures(address)).value('cairn_event_streams')).toBe(0)
      const told = await figures(address)
      expect(told.value('cairn_requests_total', { route: 'live' })).toBe(1)
      expect(told.value('cairn_request_duration_seconds_count', { route: 'live' })).toBeUndefined()
    })
  })

  it('gives its figures to nobody without the token, unless it was told to', async () => {
    await withServer(
      async ({ address, ask }) => {
        expect((await fetch(`${address}/metrics`)).status).toBe(401)
        expect((await ask('/metrics')).status).toBe(200)
        expect((await fetch(`${address}/healthz`)).status).toBe(200)
      },
      { needsTokenToRead: true },
    )
    await withServer(
      async ({ address }) => {
        expect((await fetch(`${address}/metrics`)).status).toBe(200)
      },
      { needsTokenToRead: true, hasOpenMetrics: true },
    )
  })

  it('logs a line a request, with its id and without what was asked or sent', async () => {
    const { log, lines } = keptLog()
    await withServer(
      async ({ ask, token }) => {
        const secret = `ghp_${'16C7e42F292c6912E7710c838347Ae178B4a'}`
        const named = await ask(`/api/search?query=${secret}`, { headers: { 'x-request-id': 'trace-1.a' } })
        expect(named.headers.get('x-request-id')).toBe('trace-1.a')
        const hostile = await ask('/api/entries', {
          method: 'POST',
          body: JSON.stringify({ content: `The key is ${secret}` }),
          headers: { 'x-request-id': 'a b"c' },
        })
        expect(hostile.headers.get('x-request-id')).toMatch(/^[0-9a-f]{16}$/)
        await expect.poll(() => lines.length).toBe(2)
        expect(lines[0]).toEqual({
          time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
          level: 'info',
          event: 'request',
          route: 'search',
          method: 'GET',
          status: 200,
          ms: expect.any(Number),
          request: 'trace-1.a',
        })
        expect(lines[1]).toMatchObject({ route: 'remember', status: 200 })
        const told = JSON.stringify(lines)
        for (const never of [secret, token.read(), 'The key']) expect(told).not.toContain(never)
      },
      { log },
    )
  })
})

describe('the text of figures', () => {
  it('is what a scraper reads, whatever a label holds', async () => {
    const registry = metricRegistry()
    const counter = registry.counter('a_total', 'With a \\ and\na line.')
    counter.add({ of: 'x"y\\z\nw' }, 2)
    registry.histogram('b_seconds', 'B.', [0.1, 1]).observe(0.5, { of: 'x' })
    registry.reading('gauge', 'c', 'C.', () => undefined)
    registry.reading('gauge', 'd', 'D.', () => Number.POSITIVE_INFINITY)
    expect(await registry.render()).toBe(`# HELP a_total With a \\\\ and\\na line.
# TYPE a_total counter
a_total{of="x\\"y\\\\z\\nw"} 2
# HELP b_seconds B.
# TYPE b_seconds histogram
b_seconds_bucket{of="x",le="0.1"} 0
b_seconds_bucket{of="x",le="1"} 1
b_seconds_bucket{of="x",le="+Inf"} 1
b_seconds_sum{of="x"} 0.5
b_seconds_count{of="x"} 1
# HELP d D.
# TYPE d gauge
d +Inf
`)
    expect(parseExposition(await registry.render()).value('a_total', { of: 'x"y\\z\nw' })).toBe(2)
  })
})
