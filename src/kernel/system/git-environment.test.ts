import { expect, test } from 'vitest'
import { gitEnvironment } from './environment.ts'

test('git in an untrusted repository has no network access, whatever the caller allows', () => {
  expect(
    gitEnvironment({ GIT_ALLOW_PROTOCOL: 'ext:https', GIT_DIR: '/elsewhere', HOME: '/home/ana' }),
  ).toMatchObject({
    GIT_ALLOW_PROTOCOL: 'none',
    HOME: '/home/ana',
  })
})
