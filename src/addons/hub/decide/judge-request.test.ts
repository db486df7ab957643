import { expect, test } from 'vitest'
import type { Grant } from '../../../kernel/model/hub.ts'
import type { KeptToken } from './hub-directory.ts'
import { judgeRequest, may, scopeIn } from './judge-request.ts'

const NOW = 1_000
const SHOP = { name: 'shop', number: 1, createdMs: 0 }

function held(given: Partial<KeptToken>, ...grants: Grant[]): KeptToken {
  return {
    id: 'a1',
    principal: 'bot',
    kind: 'agent',
    digest: '',
    isDisabled: false,
    createdMs: 0,
    grants,
    ...given,
  }
}
function verdict(
  token: KeptToken | undefined,
  asked: { isSecret?: boolean; project?: typeof SHOP; scope?: 'write' },
) {
  const { isSecret = true, project = SHOP, scope = 'read' as const } = asked
  const judged = judgeRequest({ token, project }, { isSecret, project: 'shop', scope, nowMs: NOW })
  return judged.kind === 'refused' ? judged.code : judged.kind
}
const reads: Grant = { project: 'shop', scope: 'read' }

test('a token lets in to what it was granted for', () => {
  expect(verdict(held({}, reads), {})).toBe('admitted')
  expect(verdict(held({}, { project: '*', scope: 'read' }), {})).toBe('admitted')
  expect(verdict(held({}, reads), { scope: 'write' })).toBe('scope_missing')
})

test('whatever is wrong with a token, it is refused alike', () => {
  expect(verdict(undefined, {})).toBe('token_refused')
  expect(verdict(held({}, reads), { isSecret: false })).toBe('token_refused')
  expect(verdict(held({ revokedMs: 1 }, reads), {})).toBe('token_refused')
  expect(verdict(held({ expiresMs: NOW }, reads), {})).toBe('token_refused')
  expect(verdict(held({ expiresMs: NOW + 1 }, reads), {})).toBe('admitted')
  expect(verdict(held({ isDisabled: true }, reads), {})).toBe('token_refused')
})

test('what may not be read is not there', () => {
  const elsewhere = held({}, { project: 'bank', scope: 'admin' })
  expect(verdict(elsewhere, {})).toBe('project_not_found')
  expect(verdict(elsewhere, { scope: 'write' })).toBe('project_not_found')
  const token = held({}, { project: '*', scope: 'admin' })
  const archived = { ...SHOP, archivedMs: 1 }
  expect(verdict(token, { project: archived })).toBe('project_not_found')
  const absent = judgeRequest(
    { token, project: undefined },
    { isSecret: true, project: 'x', scope: 'read', nowMs: NOW },
  )
  expect(absent).toMatchObject({ kind: 'refused', code: 'project_not_found' })
})

test('the hub itself is administered by whoever may administer every project', () => {
  const asked = { isSecret: true, project: undefined, nowMs: NOW }
  const ofShop = held({}, { project: 'shop', scope: 'admin' })
  expect(judgeRequest({ token: ofShop, project: undefined }, { ...asked, scope: 'read' }).kind).toBe(
    'admitted',
  )
  expect(judgeRequest({ token: ofShop, project: undefined }, { ...asked, scope: 'admin' })).toMatchObject({
    code: 'scope_missing',
  })
  const ofAll = held({}, { project: '*', scope: 'admin' })
  expect(judgeRequest({ token: ofAll, project: undefined }, { ...asked, scope: 'admin' }).kind).toBe(
    'admitted',
  )
})

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
