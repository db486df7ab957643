import { realpathSync } from 'node:fs'
import * as path from 'node:path'
import { describe, expect, it } from 'vitest'
import { git, gitRepository } from '../../../test/support/git-repository.ts'
import { scratchProject } from '../../../test/support/scratch-project.ts'
import type { KnownProject } from '../../kernel/model/project.ts'
import { runGit } from '../../kernel/system/git.ts'
import { findCloned, normalisedOrigin, readRepositoryIdentity } from './repository.ts'

it.each([
  ['git@github.com:me/api.git', 'github.com/me/api'],
  ['https://github.com/me/api', 'github.com/me/api'],
  ['https://me:pass@GitHub.com/me/api.git/', 'github.com/me/api'],
  ['ssh://git@github.com:2222/me/api.git', 'github.com/me/api'],
  ['git://example.com/Me/Api', 'example.com/Me/Api'],
  ['host:team/api.git', 'host/team/api'],
  ['/srv/git/api.git', '/srv/git/api'],
  ['file:///srv/git/api.git', '/srv/git/api'],
  ['../api', '/code/api'],
])('%s is %s', (url, expected) => {
  expect(normalisedOrigin(url, '/code/here')).toBe(expected)
})

describe('a clone', () => {
  const known = (root: string, repository: KnownProject['repository']): KnownProject => ({
    id: root,
    name: path.basename(root),
    root,
    ...(repository && { repository }),
    trustedAt: '2026-01-01T00:00:00.000Z',
    firstSeenAt: '2026-01-01T00:00:00.000Z',
    lastSeenAt: '2026-01-01T00:00:00.000Z',
  })

  it('of a known project is found by a common origin, or by the project it was cloned from', () => {
    const base = realpathSync(scratchProject())
    const at = (name: string) => path.join(base, name)
    gitRepository(at('api'))
    git(at('api'), 'remote', 'add', 'origin', 'git@example.com:me/api.git')
    const api = known(at('api'), readRepositoryIdentity(at('api'), runGit))
    git(base, 'clone', '--quiet', at('api'), at('local'))
    expect(findCloned(readRepositoryIdentity(at('local'), runGit), [api])?.name).toBe('api')
    git(at('local'), 'remote', 'set-url', 'origin', 'https://example.com/me/api')
    expect(findCloned(readRepositoryIdentity(at('local'), runGit), [api])?.name).toBe('api')
    git(at('local'), 'remote', 'set-url', 'origin', 'https://example.com/other/api')
    expect(findCloned(readRepositoryIdentity(at('local'), runGit), [api])).toBeUndefined()
  })

  it('with the same origin and another history is not a clone', () => {
    const api = known('/code/api', { origin: 'example.com/me/api', rootCommit: 'a'.repeat(40) })
    expect(findCloned({ origin: 'example.com/me/api', rootCommit: 'b'.repeat(40) }, [api])).toBeUndefined()
    expect(findCloned({ origin: 'example.com/me/api' }, [api])?.root).toBe('/code/api')
    expect(findCloned({ rootCommit: 'a'.repeat(40) }, [api])).toBeUndefined()
  })
})
