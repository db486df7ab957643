import { expect, test } from 'vitest'
import { chunkParts } from './identifiers.ts'

test.each([
  ['maxRetryCount', ['max', 'retry', 'count'], ['maxretrycount']],
  ['max_retry_count', ['max', 'retry', 'count'], ['maxretrycount']],
  ['max-retry-count', ['max', 'retry', 'count'], ['maxretrycount']],
  ['HTTPServer', ['http', 'server'], ['httpserver']],
  ['http2', ['http', '2'], ['http2']],
  ['utf-8', ['utf', '8'], ['utf8']],
  ['user.email', ['user', 'email'], ['useremail']],
  ['std::fs::File', ['std', 'fs', 'file'], ['fsfile', 'stdfsfile']],
  ['session.ts', ['session', 'ts'], ['sessionts']],
  ['Retry', ['retry'], []],
  ["don't", ['don'], []],
  ['Ana’s', ['ana'], []],
  ['1.2.1', ['1', '2', '1'], []],
  ['2026-03-16', ['2026', '03', '16'], []],
  ['client/server', ['client', 'server'], []],
  ['configuraçãoPadrão', ['configuracao', 'padrao'], ['configuracaopadrao']],
])('cuts %s', (chunk, words, wholes) => {
  expect(chunkParts(chunk)).toEqual({ words, wholes })
})

test('names the end of a path and the path as a whole', () => {
  expect(chunkParts('src/auth/session.ts')).toEqual({
    words: ['src', 'auth', 'session', 'ts'],
    wholes: ['sessionts', 'authsessionts', 'srcauthsessionts'],
  })
})

test('writes text without blanks as pairs of letters, also next to Latin words', () => {
  expect(chunkParts('全文検索').words).toEqual(['全文', '文検', '検索'])
  expect(chunkParts('使用React组件').words).toEqual(['使用', 'react', '组件'])
  expect(chunkParts('字').words).toEqual(['字'])
})

test('keeps a hash whole instead of cutting it into scraps', () => {
  expect(chunkParts('ead182b27b63a694').words).toEqual(['ead182b27b63a694'])
})

test('bounds the length of a token', () => {
  const { words } = chunkParts('x'.repeat(10_000))
  expect(words.map(word => word.length)).toEqual([64])
})
