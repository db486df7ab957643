import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DEFAULT_CONFIG } from '../../../kernel/model/config.ts'
import type { Message } from '../../../kernel/model/message.ts'
import { captureMessage, relativePath } from './capture-message.ts'

const NOW = '2026-03-16T10:00:00.000Z'
const TOKEN = `${'ghp'}_abcdefghijklmnopqrstuvwxyz0123456789`
const capture = (message: Message) =>
  captureMessage(message, { config: DEFAULT_CONFIG, root: '/home/ana/shop', now: NOW })
const text = (said: string) => capture({ role: 'user', text: said }).message.text

describe('a captured message', () => {
  it('has the text and a date', () => {
    expect(capture({ role: 'user', text: 'Hello #skip', internal: true })).toEqual({
      message: { role: 'user', text: 'Hello #skip', internal: true, at: NOW },
      redacted: 0,
      isCut: false,
    })
    const dated = { role: 'agent', text: 'x', at: '2026-01-01T00:00:00.000Z' }
    expect(capture(dated).message).toEqual(dated)
  })

  it('has no private parts: nested, unclosed, or closed without having been opened', () => {
    expect(text('a <private>secret</private> b')).toBe('a [private] b')
    expect(text('a < Private >x<private>y</private>z</PRIVATE> b')).toBe('a [private] b')
    expect(text('a <private>to the end')).toBe('a [private]')
    expect(text('from the start</private> b')).toBe('[private] b')
  })

  it('has no secrets in the text and in the run', () => {
    const captured = capture({
      role: 'tool',
      text: '',
      run: { tool: 'Bash', command: `curl -H "${TOKEN}" x`, output: `token ${TOKEN}`, ok: false },
    })
    expect(JSON.stringify(captured)).not.toContain(TOKEN)
    expect(captured.redacted).toBe(2)
    expect(captured.message.text).toBe(
      'curl -H "[redacted:github_token]" x (failed)\ntoken [redacted:github_token]',
    )
  })

  it('has at most 64 KB: its beginning and its end', () => {
    const long = text(`BEGIN${'a b '.repeat(50_000)}END`)
    expect(long.length).toBeLessThan(65_536 + 60)
    expect(long.startsWith('BEGINa b ')).toBe(true)
    expect(long.endsWith('a b END')).toBe(true)
    expect(long).toContain('\n[… 134472 characters left out …]\n')
  })

  it('never contains half a secret where it was cut', () => {
    for (const length of [65_000, 65_536, 70_000, 139_000, 140_000, 300_000]) {
      const filler = 'word '.repeat(20_000)
      const head = text(`${filler.slice(0, 49_152 - 20)}${TOKEN}${' word'.repeat(length / 5)}`)
      const tail = text(`${' word'.repeat(length / 5)}${TOKEN} ${filler.slice(0, 16_384 - 20)}`)
      expect(head).not.toMatch(/ghp_/)
      expect(tail).not.toMatch(/[h-z0-9]{12}/)
    }
  })

  it('has the last 4,000 characters of a tool’s output', () => {
    const output = `${'line\n'.repeat(5_000)}FAILED`
    const { run } = capture({ role: 'tool', text: 'npm test', run: { tool: 'Bash', output } }).message
    expect(run?.output).toHaveLength('[… 21006 characters left out …]\n'.length + 4_000)
    expect(run?.output?.endsWith('FAILED')).toBe(true)
    expect(capture({ role: 'tool_result', text: output }).message.text.endsWith('FAILED')).toBe(true)
  })

  it('handles 20 MB quickly', () => {
    const huge = 'The quick brown fox. '.repeat(1_000_000)
    expect(text(huge).length).toBeLessThan(66_000)
  })

  it('has file paths relative to the project', () => {
    const files = ['/home/ana/shop/src/a.ts', './src/a.ts', 'src\\b.ts', '/etc/hosts']
    const { run } = capture({ role: 'tool', text: 'x', run: { tool: 'Edit', files } }).message
    expect(run?.files).toEqual(['src/a.ts', 'src/b.ts', '/etc/hosts'])
    expect(relativePath('c:\\Work\\Shop\\src\\a.ts', 'C:\\work\\shop\\')).toBe('src/a.ts')
    expect(relativePath('/home/ana/shop-2/a.ts', '/home/ana/shop')).toBe('/home/ana/shop-2/a.ts')
  })

  it('is well-formed for any input and does not change when it is captured again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (said, role) => {
        const once = capture({ role, text: said }).message
        expect(capture(once).message).toEqual(once)
        expect(JSON.parse(JSON.stringify(once))).toEqual(once)
      }),
    )
  })
})
