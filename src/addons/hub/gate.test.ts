import { expect, test } from 'vitest'
import { systemClock } from '../../kernel/system/clock.ts'
import { digestOf } from '../../kernel/system/digest.ts'
import { openGate } from './gate.ts'

test('who is refused takes a turn too, what is no token asks no database, and a token has so many requests at once', async () => {
  const noted: string[] = []
  let turns = 0
  const [id, secret] = ['0'.repeat(16), '1'.repeat(64)]
  const token = { id, digest: digestOf(secret), principal: 'rita', kind: 'agent' as const, grants: [] }
  const gate = openGate({
    directory: {
      standing: async () => ({ token: { ...token, isDisabled: false }, project: undefined }),
    } as unknown as GateParts['directory'],
    trail: {
      note: ({ outcome }: { outcome: string }) => noted.push(outcome),
    } as unknown as GateParts['trail'],
    clock: systemClock,
    takeTurn: () => (++turns > 2 ? 1 : 0),
    onFault: () => undefined,
  })
  const knock = { project: 'shop', scope: 'read', action: 'list' } as const
  for (const authorization of [undefined, 'Bearer nonsense'])
    await expect(gate.enter({ ...knock, authorization })).rejects.toThrow()
  expect([turns, noted]).toEqual([0, ['token_missing', 'token_refused']])
  for (const code of ['project_not_found', 'project_not_found', 'too_many_requests'])
    await expect(
      gate.enter({ ...knock, authorization: `Bearer cairn_${id}_${secret}` }),
    ).rejects.toMatchObject({
      code,
    })
  expect(noted.slice(2)).toEqual(['project_not_found', 'project_not_found'])

  const principal = { name: 'rita', kind: 'agent' as const, token: 'a', grants: [] }
  const over = Array.from({ length: 128 }, () => gate.begin(principal))
  expect(() => gate.begin(principal)).toThrow('128 requests under way')
  over[0]?.()
  over[0]?.()
  gate.begin(principal)
  expect(() => gate.begin(principal)).toThrow('128 requests under way')
  gate.close()
})

type GateParts = Parameters<typeof openGate>[0]

test('a token has a hundred streams at once, and another when one was closed', () => {
  const gate = openGate({
    directory: {} as GateParts['directory'],
    trail: {} as GateParts['trail'],
    clock: systemClock,
    takeTurn: () => 0,
    onFault: () => undefined,
  })
  const principal = (token: string) => ({ name: 'lars', kind: 'agent' as const, token, grants: [] })
  const held = Array.from({ length: 100 }, () => gate.hold(principal('a'), 'shop', 'read'))
  expect(() => gate.hold(principal('a'), 'shop', 'read')).toThrow('100 streams open')
  gate.hold(principal('b'), 'shop', 'read')
  held[0]?.release()
  held[0]?.release()
  gate.hold(principal('a'), 'shop', 'read')
  expect(() => gate.hold(principal('a'), 'shop', 'read')).toThrow('100 streams open')
  gate.close()
})

test('streams of one project leave slots for the others, and all streams leave connections for short requests', () => {
  const gate = openGate({
    directory: {} as GateParts['directory'],
    trail: {} as GateParts['trail'],
    clock: systemClock,
    takeTurn: () => 0,
    onFault: () => undefined,
  })
  let token = 0
  const open = (project: string, streams: number) => {
    for (let at = 0; at < streams; at++) {
      if (at % 100 === 0) token++
      gate.hold({ name: 'lars', kind: 'agent', token: `t${token}`, grants: [] }, project, 'read')
    }
  }
  open('shop', 1_000)
  expect(() => open('shop', 1)).toThrow('Too many streams are open on this hub.')
  open('bank', 1_000)
  expect(() => open('wiki', 1)).toThrow('Too many streams are open on this hub.')
  gate.close()
})
