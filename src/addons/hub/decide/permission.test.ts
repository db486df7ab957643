import { expect, test } from 'vitest'
import type { Grant } from '../../../kernel/model/hub.ts'
import { may, scopeIn } from './permission.ts'

const holds = (...grants: Grant[]) => ({ grants })

test('a scope holds in its project, with those below it', () => {
  const writer = holds({ project: 'shop', scope: 'write' })
  expect(may(writer, 'read', 'shop')).toBe(true)
  expect(may(writer, 'write', 'shop')).toBe(true)
  expect(may(writer, 'admin', 'shop')).toBe(false)
  expect(may(writer, 'read', 'bank')).toBe(false)
  expect(scopeIn(writer, 'bank')).toBe(undefined)
})

test('of several grants the greatest counts, and * is every project', () => {
  const reader = holds({ project: '*', scope: 'read' }, { project: 'shop', scope: 'admin' })
  expect(scopeIn(reader, 'shop')).toBe('admin')
  expect(scopeIn(reader, 'bank')).toBe('read')
})

test('who holds nothing may nothing', () => {
  expect(may(holds(), 'read', 'shop')).toBe(false)
})
