import { describe, expect, it } from 'vitest'
import { entryFileName } from './entry-file-name.ts'

describe('entryFileName', () => {
  const name = (content: string, id = '1794990454497-2bhx') =>
    entryFileName({ id, date: '2026-11-18T08:27', content })

  it.each([
    ['Unit tests never touch Redis.', '2026-11-18-unit-tests-never-touch-redis-2bhx.md'],
    ['Não edite o código de autenticação!', '2026-11-18-nao-edite-o-codigo-de-autenticacao-2bhx.md'],
    ['我们使用 SSE 而不是 WebSocket。', '2026-11-18-sse-websocket-2bhx.md'],
    ['会话存放在缓存里。', '2026-11-18-2bhx.md'],
    ['', '2026-11-18-2bhx.md'],
    ['- [ ] Rotate the key\n\nBefore May.', '2026-11-18-rotate-the-key-2bhx.md'],
    ['Never deploy on Fridays because nobody is on call.', '2026-11-18-never-deploy-on-fridays-2bhx.md'],
    ['../../etc/passwd', '2026-11-18-etc-passwd-2bhx.md'],
    ['`rm -rf /` $(touch x) <b>', '2026-11-18-rm-rf-touch-x-b-2bhx.md'],
    ['CON', '2026-11-18-con-2bhx.md'],
  ])('of "%s" is %s', (content, expected) => expect(name(content)).toBe(expected))

  it('is cut at the end of a word, and a single long word anywhere', () => {
    expect(name('The importer waits for the smoke tests of the other services. '.repeat(1000))).toBe(
      '2026-11-18-the-importer-waits-for-the-smoke-tests-of-the-2bhx.md',
    )
    expect(name('x'.repeat(100_000))).toBe(`2026-11-18-${'x'.repeat(48)}-2bhx.md`)
  })

  it('ends with the last part of the id, and with all of an id that Cairn did not make', () => {
    expect(name('One.', '1773679871839-k3f9')).toBe('2026-11-18-one-k3f9.md')
    expect(name('One.', '7')).toBe('2026-11-18-one-7.md')
    expect(name('One.', 'ADR 12/b')).toBe('2026-11-18-one-adr-12-b.md')
    expect(name('One.', '1773679871839-k3f9~2')).toBe('2026-11-18-one-1773679871839-k3f9-2.md')
    expect(name('One.', '编号')).toBe('2026-11-18-one-entry.md')
  })

  it('leaves room for the name of a temporary file, whatever the id', () => {
    const longest = name('word '.repeat(100), 'i'.repeat(10_000))
    expect(Buffer.byteLength(`${longest}.cairn-tmp`)).toBeLessThanOrEqual(255)
  })
})
