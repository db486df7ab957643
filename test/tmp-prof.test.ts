import { mkdtempSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { tmpdir } from 'node:os'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { test } from 'vitest'
import { composeEngine } from '../src/compose.ts'
import { sessionCloseOperation } from '../src/operations/session-close.ts'
import { appendMessages } from '../src/sessions/sessions.ts'

test('x', async () => {
  const prose =
    'The importer retries twice, because the gateway of the bank drops idle sockets after a minute. '
  const engine = composeEngine({ root: mkdtempSync(`${tmpdir()}/p-`) })
  for (const s of ['a', 'b', 'c']) {
    await appendMessages(
      engine,
      { session: s, agent: 'dev' },
      Array.from({ length: 900 }, () => ({ role: 'user', text: prose.repeat(11).slice(0, 1000) })) as never,
    )
    const inspector = new Session()
    inspector.connect()
    await inspector.post('Profiler.enable')
    await inspector.post('Profiler.start')
    const d = monitorEventLoopDelay({ resolution: 5 })
    d.enable()
    await sessionCloseOperation.run(engine, { session: s } as never, {})
    await new Promise(r => setTimeout(r, 30))
    d.disable()
    console.log('max delay', d.max / 1e6)
    const { profile } = await inspector.post('Profiler.stop')
    const self = new Map<string, number>()
    profile.samples?.forEach((id, at) => {
      const n = profile.nodes.find(x => x.id === id)
      const k = `${n?.callFrame.functionName} ${n?.callFrame.url.split('/').slice(-2).join('/')}:${n?.callFrame.lineNumber}`
      self.set(k, (self.get(k) ?? 0) + (profile.timeDeltas?.[at] ?? 0))
    })
    console.log(
      [...self]
        .sort((a, b) => b[1] - a[1])
        .slice(0, 14)
        .map(([k, us]) => `${(us / 1000).toFixed(0)} ${k}`)
        .join('\n'),
    )
  }
  await engine.close()
}, 60000)
