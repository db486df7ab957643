import { writeFileSync } from 'node:fs'
import * as path from 'node:path'
import { expect, test } from 'vitest'
import { git, gitRepository } from '../../../test/support/git-repository.ts'
import { scratchProject } from '../../../test/support/scratch-project.ts'
import { commitsOf, parseRenames } from './git-history.ts'

test('tells the commits of several files at once, from a project below the top, and a merge as one that may have changed all', async () => {
  const top = gitRepository(path.join(scratchProject(), 'repository'), {
    'shop/.memory/dev/decisions.md': 'first\n',
    'shop/.memory/dev/não é.md': 'first\n',
  })
  const root = path.join(top, 'shop')
  const write = (name: string, text: string) => {
    writeFileSync(path.join(root, '.memory/dev', name), text)
    git(top, 'add', '--all')
    git(top, 'commit', '--quiet', '--message', text)
    return git(top, 'rev-parse', 'HEAD')
  }
  const first = git(top, 'rev-parse', 'HEAD')
  git(top, 'checkout', '--quiet', '-b', 'side')
  const side = write('decisions.md', 'side\n')
  git(top, 'checkout', '--quiet', 'main')
  const own = write('não é.md', 'own\n')
  git(top, 'merge', '--quiet', '--no-edit', 'side')
  const files = ['.memory/dev/decisions.md', '.memory/dev/não é.md']
  const found = await commitsOf(root, files, 10)
  if (found.kind === 'failed') throw new Error(found.why)
  const byCommit = new Map(found.commits.map(({ commit, paths }) => [commit, paths]))
  expect(byCommit.get(side)).toEqual([files[0]])
  expect(byCommit.get(own)).toEqual([files[1]])
  expect(byCommit.get(first)).toEqual(files)
  expect(found.commits).toHaveLength(4)
  expect(byCommit.get(git(top, 'rev-parse', 'HEAD'))).toEqual(files)
})

test('says why git does not tell, and that a repository without a commit has none', async () => {
  const empty = path.join(scratchProject(), 'empty')
  gitRepository(empty)
  git(empty, 'update-ref', '-d', 'refs/heads/main')
  expect(await commitsOf(empty, ['a.md'], 10)).toEqual({ kind: 'known', commits: [] })
  writeFileSync(path.join(empty, '.git/HEAD'), 'nothing that git knows\n')
  expect(await commitsOf(empty, ['a.md'], 10)).toMatchObject({ kind: 'failed' })
})

test('reads what git prints, the oldest rename first', () => {
  const output = 'R100\0src/b.ts\0src/c d.ts\0\nR087\0R100\0src/b.ts\0'
  expect(parseRenames(output)).toEqual([
    { from: 'R100', to: 'src/b.ts' },
    { from: 'src/b.ts', to: 'src/c d.ts' },
  ])
  expect(parseRenames('')).toEqual([])
})
