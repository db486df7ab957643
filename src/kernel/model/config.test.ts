import { describe, expect, it } from 'vitest'
import { configProblems, parseConfigValue, readConfig, readKey, writeKey } from './config.ts'

describe('a key of any depth', () => {
  const document = {
    version: 1,
    vault: { keepEntries: 10 },
    retention: { enabled: false, history: { maxAgeDays: 30 } },
  }

  it('is read', () => {
    expect(readKey(document, 'vault.keepEntries')).toBe(10)
    expect(readKey(document, 'retention.enabled')).toBe(false)
    expect(readKey(document, 'retention.history.maxAgeDays')).toBe(30)
    expect(readKey(document, 'retention.checkpoints.keepRecent')).toBe(undefined)
    expect(readConfig(document)).toMatchObject({
      'retention.history.maxAgeDays': 30,
      'retention.checkpoints.maxAgeDays': 30,
    })
  })

  it('is set next to the others, and nothing else changes', () => {
    expect(writeKey(document, 'retention.checkpoints.keepRecent', 5)).toEqual({
      ...document,
      retention: { ...document.retention, checkpoints: { keepRecent: 5 } },
    })
    expect(writeKey({ version: 1 }, 'retention.archive.expireAfterDays', 90)).toEqual({
      version: 1,
      retention: { archive: { expireAfterDays: 90 } },
    })
  })

  it('is removed with every group that it leaves empty', () => {
    expect(writeKey(document, 'retention.history.maxAgeDays', undefined)).toEqual({
      version: 1,
      vault: { keepEntries: 10 },
      retention: { enabled: false },
    })
    expect(writeKey(document, 'vault.keepEntries', undefined)).not.toHaveProperty('vault')
    expect(writeKey({ version: 1 }, 'retention.history.maxAgeDays', undefined)).toEqual({ version: 1 })
  })

  it('replaces a value that a person wrote in place of a group', () => {
    expect(readKey({ retention: 'no' }, 'retention.history.maxAgeDays')).toBe(undefined)
    expect(writeKey({ retention: 'no' }, 'retention.history.maxAgeDays', 9)).toEqual({
      retention: { history: { maxAgeDays: 9 } },
    })
  })

  it('does not find what every object has', () => {
    expect(readKey(JSON.parse('{"retention": {"history": []}}'), 'retention.history.maxAgeDays')).toBe(
      undefined,
    )
  })

  it('takes only the items of a list that it knows, where it names them', () => {
    expect(parseConfigValue('vault.share', 'candidates, handoffs')).toEqual(['candidates', 'handoffs'])
    expect(parseConfigValue('vault.share', '')).toEqual([])
    expect(() => parseConfigValue('vault.share', 'candidate,foo')).toThrow(
      '`vault.share` takes any of candidates, suggestions, handoffs, not "candidate,foo".',
    )
    const typed = { vault: { share: ['candidates', 'foo'] } }
    expect(readConfig(typed)['vault.share']).toEqual([])
    expect(configProblems(typed)).toMatchObject([
      { code: 'config_value_invalid', message: expect.stringContaining('any of candidates, suggestions') },
    ])
  })

  it('is named when its value cannot be used', () => {
    expect(configProblems({ retention: { history: { maxAgeDays: -1 } } })).toMatchObject([
      { code: 'config_value_invalid', message: expect.stringContaining('retention.history.maxAgeDays') },
    ])
  })
})
