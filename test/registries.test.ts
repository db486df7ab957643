import { describe, expect, it } from 'vitest'
import { orderedAs, renderRegistries } from './support/registries.ts'

describe('the registries of verbs', () => {
  it('say what the definitions say (npm run generate writes them)', async () => {
    for (const [file, text] of Object.entries(await renderRegistries()))
      await expect(text).toMatchFileSnapshot(`../src/${file}`)
  })

  it('keep the order of their lines, and put a new verb after its family', () => {
    const row = (name: string, ...families: string[]) => ({ name, families, text: `  '${name}': 0,\n` })
    const before = "  save: 0,\n  'task done': 0,\n  'task add': 0,\n  pin: 0,\n  gone: 0,\n"
    const rows = [
      row('pin', 'pin', 'Remember'),
      row('save', 'save', 'Remember'),
      row('task add', 'task', 'Remember'),
      row('task done', 'task', 'Remember'),
      row('task drop', 'task', 'Remember'),
      row('note', 'note', 'Remember'),
      row('query', 'query', 'Find'),
    ]
    const names = orderedAs(before, rows).map(({ name }) => name)
    expect(names).toEqual(['save', 'task done', 'task add', 'task drop', 'pin', 'note', 'query'])
  })
})
