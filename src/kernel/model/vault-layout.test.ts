import { describe, expect, it } from 'vitest'
import {
  areaOf,
  headPathOf,
  isLocalPath,
  isMonthPage,
  isPage,
  isTrackedPath,
  pageFolderOf,
  parseVaultPath,
} from './vault-layout.ts'

/** `vault dev decisions page`, and the name of the folder if it differs from the agent's id. */
function placeOf(path: string): string | undefined {
  const place = parseVaultPath(path)
  if (place === undefined) return undefined
  const { area, folder, agent, category, role } = place
  return `${area} ${agent} ${category} ${role}${folder === agent ? '' : ` in ${folder}`}`
}

describe('parseVaultPath', () => {
  it.each([
    ['shared/decisions/2026-11-18-unit-tests-never-touch-redis-k3f9.md', 'vault shared decisions page'],
    ['shared/decisions.md', 'vault shared decisions head'],
    ['shared/decisions/2026-02.md', 'vault shared decisions page'],
    ['shared/decisions/of the importer.md', 'vault shared decisions page'],
    ['private/lessons/2026-11-18-mine-k3f9.md', 'vault private lessons page'],
    ['Dev/tasks.md', 'vault dev tasks head in Dev'],
    ['local/shared/handoffs.md', 'local shared handoffs head'],
    ['local/dev/decisions/2026-02.2.md', 'local dev decisions page'],
    ['local/Dev/tasks.md', 'local dev tasks head in Dev'],
    ['Local/dev/tasks.md', 'local dev tasks head'],
  ])('takes %s for %s', (path, expected) => expect(placeOf(path)).toBe(expected))

  it.each([
    '_project.md',
    'decisions.md',
    'shared/decisions',
    'shared/decisions.txt',
    'shared/notes.md',
    'shared/decisions.md/a.md',
    'shared/decisions/old/a.md',
    'shared/_persona.md',
    '.vault/decisions.md',
    '_drafts/decisions.md',
    'archive/decisions.md',
    'history/decisions.md',
    'sessions/decisions/a.md',
    'local/archive/decisions.md',
    'local/.trash/decisions.md',
    'local/curation.json',
    'local/dev/notes.md',
    'local/dev/decisions/old/a.md',
    'local/local/dev/decisions.md',
    '',
  ])('takes "%s" for nothing of a vault', path => expect(parseVaultPath(path)).toBeUndefined())

  it('reads the files of an agent that 0.1.0 allowed to be called local, which git sees', () => {
    expect(placeOf('local/decisions.md')).toBe('vault local decisions head')
    expect(placeOf('local/decisions/2026-02.md')).toBe('vault local decisions page')
    expect(placeOf('Local/lessons.md')).toBe('vault local lessons head in Local')
    expect(isLocalPath('local/decisions/2026-02.md')).toBe(false)
  })

  it('reads the local files of an agent that is called like a category', () => {
    expect(placeOf('local/decisions/lessons.md')).toBe('local decisions lessons head')
    expect(placeOf('local/decisions/decisions.md')).toBe('local decisions decisions head')
    expect(placeOf('local/decisions/lessons/2026-02.md')).toBe('local decisions lessons page')
    expect(placeOf('local/decisions/lessons/tasks.md')).toBe('local decisions lessons page')
    expect(pageFolderOf('local/decisions/lessons.md')).toBe('local/decisions/lessons')
  })
})

it('git sees everything but local and private files', () => {
  const paths = [
    'shared/decisions.md',
    'dev/lessons/2026-11-18-a-k3f9.md',
    'private/decisions.md',
    'local/dev/decisions.md',
    '_project.md',
  ]
  expect(paths.filter(isTrackedPath)).toEqual(paths.slice(0, 2))
})

it('tells head files, pages and pages of a month apart, and which belong together', () => {
  const paths = [
    'local/dev/decisions.md',
    'local/dev/decisions/2026-02.md',
    'local/dev/decisions/2026-02.12.md',
    'local/dev/decisions/2026-02-k3f9.md',
    'local/dev/decisions/2026-02-18-a-k3f9.md',
  ]
  expect(paths.map(path => [isPage(path), isMonthPage(path)])).toEqual([
    [false, false],
    [true, true],
    [true, true],
    [true, false],
    [true, false],
  ])
  expect(new Set(paths.map(pageFolderOf))).toEqual(new Set(['local/dev/decisions']))
  expect(new Set(paths.map(headPathOf))).toEqual(new Set(['local/dev/decisions.md']))
})

describe('areaOf', () => {
  type Placed = Parameters<typeof areaOf>[0]
  const entry = (more: Partial<Placed> = {}): Placed => ({
    agent: 'dev',
    category: 'decisions',
    status: 'confirmed',
    origin: 'person',
    ...more,
  })
  const CANDIDATE = entry({ origin: 'agent', status: 'candidate' })
  const SUGGESTION = entry({ origin: 'machine', status: 'candidate' })
  const HANDOFF = entry({ category: 'handoffs', origin: 'machine', status: 'confirmed' })
  const PINNED_BY_AGENT = entry({ origin: 'agent', status: 'pinned', extra: { pinnedBy: 'agent' } })

  it('commits what a person wrote, confirmed or pinned', () => {
    const committed = [
      entry(),
      entry({ status: 'candidate' }),
      entry({ origin: 'agent' }),
      entry({ origin: 'machine' }),
      entry({ origin: 'agent', status: 'pinned' }),
      entry({ origin: 'agent', status: 'pinned', extra: { pinnedBy: 'person' } }),
    ]
    expect(committed.map(each => areaOf(each))).toEqual(committed.map(() => 'vault'))
  })

  it('keeps candidates, suggestions, handoffs and what an agent pinned itself in this clone', () => {
    const local = [CANDIDATE, SUGGESTION, HANDOFF, PINNED_BY_AGENT, { ...HANDOFF, origin: 'person' } as const]
    expect(local.map(each => areaOf(each))).toEqual(local.map(() => 'local'))
  })

  it('commits each class that vault.share names, and no other', () => {
    const classes = [CANDIDATE, PINNED_BY_AGENT, SUGGESTION, HANDOFF]
    const shared = (...names: string[]) => classes.map(each => areaOf(each, names))
    expect(shared('candidates')).toEqual(['vault', 'vault', 'local', 'local'])
    expect(shared('suggestions')).toEqual(['local', 'local', 'vault', 'local'])
    expect(shared('handoffs')).toEqual(['local', 'local', 'local', 'vault'])
    expect(shared('candidates', 'suggestions', 'handoffs')).toEqual(['vault', 'vault', 'vault', 'vault'])
    expect(shared('everything')).toEqual(['local', 'local', 'local', 'local'])
  })

  it('leaves the private vault together: git ignores it as a whole', () => {
    expect(areaOf({ ...CANDIDATE, agent: 'private' })).toBe('vault')
    expect(areaOf({ ...HANDOFF, agent: 'private' })).toBe('vault')
  })
})
