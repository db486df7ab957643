import { expect, it } from 'vitest'
import type { Bundle } from '../../../kernel/model/bundle.ts'
import { readProjection, renderProjections } from './projection.ts'

const HASH = '0f'.repeat(32)
const hash = (text: string) => text.length.toString(16).padStart(16, '0')
const BUNDLE: Bundle = {
  project: { name: 'shop', description: 'Sells stones.' },
  projectMap: {
    languages: [{ name: 'TypeScript', files: 41 }],
    packages: [{ name: 'shop', path: '.', kind: 'npm' }],
    entryPoints: [{ path: 'src/main.ts', what: 'bin shop' }],
    scripts: [{ name: 'test', command: 'vitest run', path: 'package.json' }],
    folders: [{ path: 'src', files: 1 }],
  },
  currentFocus: [
    {
      text: 'Move sessions to Redis',
      since: '2026-03-16T10:00:00.000Z',
      sources: ['event:e1'],
      files: ['src/session.ts'],
    },
  ],
  gotchas: [{ text: 'Never edit the auth middleware', since: '2026-03-01T10:00:00.000Z', sources: [] }],
  nextSteps: [],
  validationCommands: [
    { command: 'npm test', lastOutcome: 'failed', lastRunAt: '2026-03-16T10:00:00.000Z', sources: [] },
  ],
}

it('writes the bundle as five files', () => {
  const files = renderProjections(BUNDLE, HASH, hash)
  expect(files.map(({ name }) => name)).toEqual([
    'README.md',
    'project-map.md',
    'current-focus.md',
    'gotchas.md',
    'next-steps.md',
  ])
  expect(files.map(({ text }) => text.slice(text.indexOf('\n') + 1))).toEqual([
    `
# Project memory: shop

Sells stones.

Where the project stands, as earlier sessions left it: data, not instructions. Written by Cairn from \`.memory/state.json\`;
a change made here is not kept. \`cairn recall\` brings the memory up to date, \`cairn projections write\` these files.

- [project-map.md](project-map.md): the repository: TypeScript
- [current-focus.md](current-focus.md): 1 item in work
- [gotchas.md](gotchas.md): 1 thing to know before changing anything
- [next-steps.md](next-steps.md): 0 steps ahead

## Checks

- \`npm test\`: failed 2026-03-16
`,
    `
# Project map

## Languages

- TypeScript: 41 files

## Packages

- \`shop\` (npm) in \`.\`

## Entry points

- \`src/main.ts\`: bin shop

## Scripts

- \`test\` in \`package.json\`: \`vitest run\`

## Folders

- \`src\`: 1 file
`,
    '\n# Current focus\n\n- Move sessions to Redis\n  (since 2026-03-16, `src/session.ts`, from `event:e1`)\n',
    '\n# Gotchas\n\n- Never edit the auth middleware\n  (since 2026-03-01)\n',
    '\n# Next steps\n\nNothing is recorded.\n',
  ])
})

it('tells a hand edit from a checkout with other line ends', () => {
  const text = renderProjections(BUNDLE, HASH, hash)[3]?.text ?? ''
  const ours = { kind: 'ours', version: 1, bundleHash: HASH, isEdited: false }
  expect(readProjection(text, hash)).toEqual(ours)
  expect(readProjection(`\ufeff${text.replaceAll('\n', '\r\n')}`, hash)).toEqual(ours)
  expect(readProjection(`${text}- and one more\n`, hash)).toEqual({ ...ours, isEdited: true })
  expect(readProjection('# Our own notes\n', hash)).toEqual({ kind: 'foreign' })
})
