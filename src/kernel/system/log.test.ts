import { describe, expect, it } from 'vitest'
import { type LogSink, openLog } from './log.ts'

const NOW = () => new Date('2026-11-16T10:00:00.000Z')

function kept(): { readonly sink: LogSink; text(): string } {
  let text = ''
  return {
    sink: async bytes => {
      text += Buffer.from(bytes).toString()
      return bytes.length
    },
    text: () => text,
  }
}

describe('the log', () => {
  it('is a JSON object a line', async () => {
    const { sink, text } = kept()
    const log = openLog({ format: 'json', level: 'info', now: NOW, sink })
    log.write('info', 'request', { route: 'search', status: 200, project: undefined })
    log.write('debug', 'request', { route: 'readyz' })
    await log.flush()
    expect(text()).toBe(
      '{"time":"2026-11-16T10:00:00.000Z","level":"info","event":"request","route":"search","status":200}\n',
    )
  })

  it('keeps a line one line, whatever stands in it', async () => {
    const hostile = 'a\nb\r\u001b[31m\u009b\u2028\u202e" x=1'
    for (const format of ['json', 'text'] as const) {
      const { sink, text } = kept()
      const log = openLog({ format, level: 'info', now: NOW, sink })
      log.write('warn', 'request', { request: hostile })
      await log.flush()
      expect(text().split('\n').length).toBe(2)
      expect(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u202e]/.test(text())).toBe(false)
      if (format === 'json') expect(JSON.parse(text())).toMatchObject({ request: hostile })
    }
  })

  it('is written on when a piece was taken, and ends quietly when nobody reads', async () => {
    const taken: string[] = []
    const log = openLog({
      format: 'text',
      level: 'info',
      now: NOW,
      sink: async bytes => {
        if (taken.length === 2) throw Object.assign(new Error('gone'), { code: 'EPIPE' })
        taken.push(Buffer.from(bytes.subarray(0, 30)).toString())
        return 30
      },
    })
    log.write('info', 'started')
    log.write('info', 'ended')
    await log.flush()
    log.write('info', 'more')
    await log.flush()
    expect(taken.join('')).toBe('2026-11-16T10:00:00.000Z info started\n')
  })

  it('drops what a reader does not take, and tells how much', async () => {
    let release: () => void = () => undefined
    const stuck = new Promise<void>(resolve => {
      release = resolve
    })
    let text = ''
    const log = openLog({
      format: 'text',
      level: 'info',
      now: NOW,
      sink: async bytes => {
        await stuck
        text += Buffer.from(bytes).toString()
        return bytes.length
      },
    })
    for (let n = 0; n < 3000; n++) log.write('info', 'request', { filler: 'x'.repeat(1000) })
    release()
    await log.flush()
    log.write('info', 'after')
    await log.flush()
    const [, lines] = /log_dropped lines=(\d+)/.exec(text) ?? []
    expect(text.split('filler').length - 1 + Number(lines)).toBe(3000)
    expect(text.length).toBeLessThan(1_200_000)
    expect(text.endsWith('info after\n')).toBe(true)
  })
})
