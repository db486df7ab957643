import { expect, test } from 'vitest'
import { gitEnvironment } from './environment.ts'

test('git over a repository of anybody reaches nobody, whatever whoever runs it allows', () => {
  expect(
    gitEnvironment({ GIT_ALLOW_PROTOCOL: 'ext:https', GIT_DIR: '/elsewhere', HOME: '/home/ana' }),
  ).toMatchObject({
    GIT_ALLOW_PROTOCOL: 'none',
    HOME: '/home/ana',
  })
})
