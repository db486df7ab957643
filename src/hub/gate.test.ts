import { expect, test } from 'vitest'
import { systemClock } from '../system/clock.ts'
import { openGate } from './gate.ts'

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
