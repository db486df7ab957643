import { describe, expect, it } from 'vitest'
import { fingerprint } from './fingerprint.ts'

describe('fingerprint', () => {
  it.each([
    ['', '41c6ce57deadbeef'],
    ['a', 'e2f6d294b4659d30'],
    ['never modify the auth middleware', 'a3e674c8cee8ca68'],
    ['Decisão: usar SSE ✓', 'd98940c44ec2c65c'],
  ])('of %j is pinned: it is stored in indexes', (content, pinned) => {
    expect(fingerprint(content)).toBe(pinned)
  })

  it('leaves case and blanks aside', () => {
    expect(fingerprint('  Never\r\n\tMODIFY\u00a0it ')).toBe(fingerprint('never modify it'))
  })

  it('tells apart what the additive half takes for one text', () => {
    const halves = (text: string) => [fingerprint(text).slice(0, 8), fingerprint(text).slice(8)]
    // 33·'x' + 'a' = 33·'y' + '@'
    expect(halves('xa')[1]).toBe(halves('y@')[1])
    expect(halves('xa')[0]).not.toBe(halves('y@')[0])
  })

  it('has no collision among 200,000 short texts', () => {
    const seen = new Set<string>()
    for (let i = 0; i < 200_000; i++) seen.add(fingerprint(`entry ${i} of module ${i % 97}`))
    expect(seen.size).toBe(200_000)
  })
})
