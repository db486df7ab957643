import { expect, test } from 'vitest'
import { inWorld } from '../e2e/world.ts'

const LINK = ['host', 'outcome', 'path']
const SKILL = ['description', 'name', 'path', 'scope', 'tags', 'tokens'].map(key => `skill.${key}`)
const MOVED = ['degraded', 'file', 'isDryRun', 'record', 'rule', 'text']

function shape(value: unknown, at = ''): string[] {
  if (Array.isArray(value))
    return value.length === 0 || typeof value[0] !== 'object'
      ? [at]
      : value.flatMap(item => shape(item, `${at}[]`))
  if (typeof value !== 'object' || value === null) return [at]
  return Object.entries(value).flatMap(([key, inner]) => shape(inner, at === '' ? key : `${at}.${key}`))
}

/** Programs read these. A key may be added; one that is taken away or renamed breaks them. */
test(
  'the answers of hot memory and skills have these keys',
  inWorld(async world => {
    const keys = async (...words: string[]) => [...new Set(shape(await world.json(...words)))].sort()
    world.write('.claude/settings.json', '{}')
    const { entry } = await world.json('remember', 'Dates are in UTC.')
    expect(await keys('hot', 'init')).toEqual(
      ['degraded', 'files[].outcome', 'files[].path', 'isDryRun', 'record'].sort(),
    )
    const links = ['degraded', 'isDryRun', 'notes', ...LINK.map(key => `results[].${key}`)].sort()
    expect(await keys('hot', 'link')).toEqual(links)
    const totals = ['lines', 'maxLines', 'maxTokens', 'tokens'].map(key => `totals.${key}`)
    const file = ['always', 'budget', 'lines', 'path', 'source', 'tokens'].map(key => `files[].${key}`)
    const linked = ['host', 'path', 'state'].map(key => `files[].links[].${key}`)
    const rules = ['line', 'name', 'text'].map(key => `files[].rules[].${key}`)
    expect(await keys('hot', '--rules')).toEqual(
      ['degraded', ...file, ...linked, ...rules, 'findings', 'folder', ...totals].sort(),
    )
    expect(await keys('hot', 'lint')).toEqual(
      [
        ...['demote', 'needed', 'promote', 'sessions', 'unmeasured'].map(key => `advice.${key}`),
        ...['degraded', 'findings', 'passed', ...totals],
      ].sort(),
    )
    expect(await keys('hot', 'promote', entry.id)).toEqual(MOVED)
    const demoted = await keys('hot', 'demote', 'UTC')
    expect(demoted.filter(key => !key.startsWith('entry.'))).toEqual([...MOVED, 'to'].sort())
    expect(await keys('hot', 'unlink')).toEqual(links)

    const saved = ['skill', 'save', 'deploy', '--description', 'Deploy it.', 'Steps.']
    expect(await keys(...saved)).toEqual(
      [
        ...['degraded', 'isDryRun', ...LINK.map(key => `links[].${key}`), 'outcome', 'record', 'redacted'],
        ...SKILL,
      ].sort(),
    )
    const listed = [...SKILL, 'skill.hosts'].map(key => key.replace('skill.', 'skills[].'))
    expect(await keys('skill', 'list')).toEqual(['degraded', 'folder', 'problems', ...listed].sort())
    expect(await keys('skill', 'show', 'deploy')).toEqual(['degraded', ...SKILL, 'text'].sort())
    expect(await keys('skill', 'link')).toEqual(links)
    expect(await keys('skill', 'unlink')).toEqual(links)
    expect(await keys('skill', 'remove', 'deploy')).toEqual(
      ['degraded', 'isDryRun', 'links', 'record', ...SKILL].sort(),
    )
  }),
)
