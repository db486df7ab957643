import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Entry } from '../model/entry.ts'
import { renderSeedVault } from './seed-vault.ts'
import { entriesOf } from './vault-edit.ts'
import { parseVaultFile } from './vault-file.ts'

const entry = (n: number, content: string, more: Partial<Entry> = {}): Entry => ({
  id: `${1773679871839 + n}-k3f9`,
  agent: 'dev',
  category: 'decisions',
  kind: 'decision',
  status: 'confirmed',
  origin: 'person',
  date: '2026-03-16T16:51',
  content,
  tags: [],
  files: [],
  importance: 0.5,
  ...more,
})

test('a category is one file with dated headings, newest first', () => {
  const files = renderSeedVault([
    entry(0, 'Sessions live in Redis.', { tags: ['auth'] }),
    entry(1, 'The API is versioned.'),
    entry(2, 'Retry twice.', { category: 'lessons', kind: 'warning', status: 'pinned' }),
  ])
  expect(Object.fromEntries(files)).toEqual({
    'dev/decisions.md': `<!-- id:1773679871840-k3f9 -->
## 2026-03-16T16:51

The API is versioned.

---

<!-- id:1773679871839-k3f9 -->
## 2026-03-16T16:51 · #auth

Sessions live in Redis.

---
`,
    'dev/lessons.md': `<!-- id:1773679871841-k3f9 kind:warning status:pinned -->
## 2026-03-16T16:51

Retry twice.

---
`,
  })
})

test('every entry is read back from the files unchanged', () => {
  const content = fc.oneof(
    fc.lorem({ mode: 'sentences' }),
    fc.constantFrom(
      'a\n\n---\n\nb',
      '## 2026-01-01 · x',
      '```\n---',
      '- a\n- b',
      '<!-- id:1 -->\n## 2026-01-01',
    ),
  )
  fc.assert(
    fc.property(fc.array(content, { minLength: 1, maxLength: 6 }), contents => {
      const entries = contents.map((text, n) => entry(n, text))
      const text = renderSeedVault(entries).get('dev/decisions.md') ?? ''
      const file = parseVaultFile(Buffer.from(text), { agent: 'dev', category: 'decisions' })
      expect(
        entriesOf(file)
          .map(each => each.content)
          .reverse(),
      ).toEqual(contents)
    }),
  )
})
