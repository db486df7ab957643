import { expect, it } from 'vitest'
import { editedIn } from './edited-files.ts'

const edit = (...files: string[]) => ({ role: 'tool', text: '', run: { tool: 'Edit', files, isEdit: true } })

it('lists the edited files newest first, each once', () => {
  const read = { role: 'tool', text: '', run: { tool: 'Read', files: ['src/read.ts'] } }
  expect(editedIn([edit('src/a.ts'), read, edit('src/b.ts'), edit('src/a.ts')])).toEqual([
    'src/a.ts',
    'src/b.ts',
  ])
})

it('keeps five files and skips runs it cannot read', () => {
  const odd = { role: 'tool', run: { isEdit: true, files: 'src/a.ts' } }
  const many = Array.from({ length: 9 }, (_, n) => edit(`src/${n}.ts`))
  expect(editedIn([odd, {}, ...many])).toEqual(['src/8.ts', 'src/7.ts', 'src/6.ts', 'src/5.ts', 'src/4.ts'])
})
