import { symlinkSync } from 'node:fs'
import * as path from 'node:path'
import { expect, test } from 'vitest'
import { composeEngine } from '../../src/compose/compose.ts'
import { scratchProject } from '../support/scratch-project.ts'

const token = `ghp_${'aB3dE5fG7hI9jK1lM2nO4pQ6rS8tU0vW1xY2'}`

test('the documents of the workspaces, for an index of them', async () => {
  const root = scratchProject({
    'resources/workspaces/k/OVERVIEW.md':
      '---\nname: K\ndescription: The workspace.\ntags: [all]\n---\n\n# K\n\nMore.\n',
    'resources/workspaces/k/stock/_plans/260208-feeds.md': `---\nname: Feeds\ndescription: Read them\nstatus: partial\ncreated: 2026-02-08\nupdated: 2026-02-10\ntags: [feeds]\n---\n\nWith ${token}.\n`,
    'user/memory/workspaces/k/decisions.md':
      '### [2026-02-08] Polls\n\n**Category:** architecture\n**Tags:** feeds\n\nNo webhooks.\n\n---\n\n### [2026-02-08] Polls\n\n**Category:** architecture\n\nTwice.\n',
    'resources/workspaces/k/_plans/broken.md': '---\nname: [\n---\n',
    'resources/workspaces/k/ABSTRACT.md': 'Not a document.',
  })
  symlinkSync('..', path.join(root, 'resources/workspaces/k/loop'))
  const engine = composeEngine({ root })
  const source = await engine.documents()
  expect(source.exists()).toBe(true)
  const files = source.survey()
  expect(files.map(file => file.path).sort()).toEqual([
    'resources/workspaces/k/OVERVIEW.md',
    'resources/workspaces/k/_plans/broken.md',
    'resources/workspaces/k/stock/_plans/260208-feeds.md',
    'user/memory/workspaces/k/decisions.md',
  ])
  expect(files[0]).toMatchObject({
    size: expect.any(Number),
    mtimeMs: expect.any(Number),
    inode: expect.any(Number),
  })
  expect(source.read('resources/workspaces/k/OVERVIEW.md')).toEqual({
    documents: [
      {
        id: 'overview:k',
        kind: 'overview',
        scope: { workspace: 'k' },
        title: 'K',
        text: 'The workspace.\n\n# K\n\nMore.',
        tags: ['all'],
        path: 'resources/workspaces/k/OVERVIEW.md',
      },
    ],
    problems: [],
  })
  expect(source.read('resources/workspaces/k/stock/_plans/260208-feeds.md')).toEqual({
    documents: [
      {
        id: 'plan:k/stock/260208-feeds',
        kind: 'plan',
        scope: { workspace: 'k', domain: 'stock' },
        title: 'Feeds',
        text: 'Read them\n\nWith [redacted:github_token].',
        tags: ['feeds'],
        status: 'partial',
        date: '2026-02-10',
        path: 'resources/workspaces/k/stock/_plans/260208-feeds.md',
      },
    ],
    problems: [],
  })
  expect(
    source
      .read('user/memory/workspaces/k/decisions.md')
      ?.documents.map(({ id, text, line }) => ({ id, text, line })),
  ).toEqual([
    { id: 'decision:k/2026-02-08-polls', text: 'Polls — No webhooks.', line: 1 },
    { id: 'decision:k/2026-02-08-polls-2', text: 'Polls — Twice.', line: 10 },
  ])
  expect(source.read('resources/workspaces/k/_plans/broken.md')).toMatchObject({
    documents: [],
    problems: [{ code: 'front_matter_invalid', line: 3 }],
  })
  expect(source.read('resources/workspaces/k/_plans/gone.md')).toBeUndefined()
  expect(source.read('package.json')).toBeUndefined()
  await engine.close()
})

test('a project without workspaces has none', async () => {
  const engine = composeEngine({ root: scratchProject({ 'src/a.ts': '' }) })
  const source = await engine.documents()
  expect([source.exists(), source.survey()]).toEqual([false, []])
  await engine.close()
})
