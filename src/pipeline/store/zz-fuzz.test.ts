import fc from 'fast-check'
import { expect, it } from 'vitest'
import { CairnError } from '../../model/errors.ts'
import { entriesOf, insertEntry, removeEntry, replaceEntry, assignIds, dropCopies } from './vault-edit.ts'
import { parseVaultFile, renderVaultFile } from './vault-file.ts'
const owner = { agent: 'dev', category: 'lessons' } as const
const fragment = fc.constantFrom('---', '---\n', '\n---\n', '\n', '\n', '\r\n', '\r', ' ', '## 2026-01-01\n', '## 2026-01-02 · #x\n', '## x\n', '<!-- id:1 -->\n', '<!-- id:2 -->\n','<!-- id:3 -->\n## 2026-01-01\n\n', '<!-- id:4 -->\n## 2026-01-01\n\n', '<!-- id:5 -->\r\n## 2026-01-01\r\n\r\n', '\uFEFF', '\\<!-- id:1 -->\n', '\\', '<<<<<<< a\n', '=======\n', '>>>>>>> b\n', 'text', 'more\n', '```\n', '#tag', '· ')
const text = fc.tuple(fc.array(fragment, { maxLength: 30 }).map(p => Buffer.from(p.join(''))), fc.constantFrom(Buffer.from(''), Buffer.from([0xff]))).map(p => Buffer.concat(p))
const contents = (f: any) => [...new Set(entriesOf(f).map(e => e.content))].sort()
it('fuzz', () => {
  let conflictRuns = 0
  fc.assert(fc.property(text, fc.constantFrom('0', '99', '2-x'), fc.nat(5), (bytes, id, pick) => {
    const file = parseVaultFile(bytes, owner)
    const base: any = { id, agent: 'dev', category: 'lessons', kind: 'lesson', status: 'confirmed', origin: 'person', date: '2026-01-01T00:00', content: 'NEW\n---\n## 2026-01-01', tags: [], files: [], importance: 0.5 }
    const before = contents(file)
    const a = insertEntry(file, base)
    expect(contents(a)).toEqual([...before, base.content].sort())
    expect(parseVaultFile(renderVaultFile(a), owner)).toEqual(a)
    const b = removeEntry(a, id)
    expect(contents(b)).toEqual(before)
    const c = assignIds(a, (() => { let n = 1000; return () => String(n++) })())
    expect(contents(c)).toEqual(contents(a))
    if (!a.problems.some(p => p.code === 'conflict_markers')) expect(c.segments.some(s => s.type === 'entry' && s.idMissing)).toBe(false)
    else conflictRuns++
    const victim = entriesOf(file)[pick]
    if (victim) {
      try {
        const d = removeEntry(file, victim.id)
        const rest = entriesOf(file).filter(e => e !== victim).map(e => e.content).sort()
        expect(contents(d)).toEqual([...new Set(rest)])
        const r = replaceEntry(file, { ...victim, content: 'CHANGED', status: 'pinned' })
        expect(contents(r)).toEqual([...new Set([...rest, "CHANGED"])].sort())
      } catch (e) { if (!(e instanceof CairnError) || e.code !== 'vault_file_damaged') throw e }
    }
    contents(dropCopies(file))
  }), { numRuns: 40000 })
  console.log('conflict', conflictRuns)
})
