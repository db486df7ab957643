import { readFileSync } from 'node:fs'
import * as path from 'node:path'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { scratchProject } from '../../../../test/support/scratch-project.ts'
import { composeEngine } from '../../../compose/compose.ts'
import { migrateOperation } from './migrate.ts'

const line = fc.oneof(
  { weight: 2, arbitrary: fc.lorem({ mode: 'sentences', maxCount: 2 }) },
  fc.constantFrom(
    '# Dev',
    '## Decisões',
    '## Tarefas',
    '## Something',
    '### 2026-01-02',
    '### Other',
    '- [ ] do it',
    '- item',
    '```',
    '---',
    '<!-- id:1773679871839 -->',
    '## 2026-03-16T16:51 · #auth',
    '',
    '  nested é 🎉',
  ),
)

test('every line of a flat file is in the vault afterwards, and migrating again changes nothing', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 30 }), async lines => {
      const text = lines.join('\n')
      const root = scratchProject({ '.memory/dev.md': text })
      const engine = composeEngine({ root, actor: { host: 'test' } })
      try {
        const first = await migrateOperation.run(engine, {}, {})
        expect(first.migrated).toEqual(['dev.md'])
        expect(readFileSync(path.join(root, '.memory/dev.md.bak'), 'utf8')).toBe(text)
        const { entries, total } = await engine.store.listEntries({
          filter: { agent: 'dev' },
          limit: 1000,
          offset: 0,
        })
        const told = entries.map(({ content }) => content.replace(/\s+/g, '')).join(' ')
        // A heading that only names the category is said by where the entries are.
        const said = lines.filter(one => !/^## (?:Decisões|Tarefas)$/.test(one))
        for (const one of said) expect(told).toContain(one.replace(/^#{1,3}\s+/, '').replace(/\s+/g, ''))

        expect(await migrateOperation.run(engine, {}, {})).toMatchObject({ migrated: [], skipped: [] })
        expect((await engine.store.counts()).total).toBe(total)
      } finally {
        await engine.close()
      }
    }),
    { numRuns: 20 },
  )
}, 180_000)
