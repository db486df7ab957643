import { describe, expect, it } from 'vitest'
import { detectProfile, PROFILES, readProfiles } from './profiles.ts'

describe('detectProfile', () => {
  it.each([
    ['the upload crashes on large files', 'debug'],
    ['TypeError: x is undefined\n    at run (src/a.ts:1:2)', 'debug'],
    ['o job falhou de novo', 'debug'],
    ['should we use a queue here?', 'plan'],
    ['add a settings page', 'plan'],
    ['posso trocar a fila?', 'plan'],
    ['plan the architecture of sessions', 'plan'],
    ['we need to plan the migration', 'plan'],
    ['planejar a arquitetura', 'plan'],
    ['outline an approach for several tenants', 'plan'],
    ['propose an architecture for search', 'plan'],
    ['let us split the billing module', 'plan'],
    ['where is the outline of the talk?', 'default'],
    ['debug why sessions vanish', 'debug'],
    ['please debug the scheduler', 'debug'],
    ['find out why these tests flake', 'debug'],
    ['add a debug flag to the command line', 'plan'],
    ['what does the plan say about debugging?', 'debug'],
    ['where is the plan of the migration?', 'default'],
    ['where do sessions live?', 'default'],
    ['', 'default'],
  ])('%j → %s', (prompt, profile) => expect(detectProfile(prompt, PROFILES)).toBe(profile))
})

describe('readProfiles', () => {
  it('takes words, not patterns: none can keep a prompt waiting', () => {
    const { profiles } = readProfiles({ r: { match: '^(a+)+$|roll out', kinds: {} } })
    expect(detectProfile(`${'a'.repeat(5_000)} auth`, profiles)).toBe('default')
    expect(detectProfile('When do we roll out?', profiles)).toBe('r')
    expect(detectProfile('enroll outside', profiles)).toBe('default')
  })

  it('puts a user’s own first, and may replace one that comes with Cairn', () => {
    const { profiles, problems } = readProfiles({
      release: { match: 'deploy', kinds: { warning: 1.3 } },
      debug: { kinds: { error: 2 } },
    })
    expect(problems).toEqual([])
    expect(detectProfile('the deploy crashes', profiles)).toBe('release')
    expect(profiles.debug).toEqual({ kinds: { error: 2 } })
  })

  it('leaves out what cannot be used, and says why', () => {
    const { profiles, problems } = readProfiles({
      a: 1,
      b: { kinds: { x: -1 } },
      d: { match: 7 },
    })
    expect(Object.keys(profiles)).toEqual(['debug', 'plan'])
    expect(problems).toHaveLength(3)
  })
})
