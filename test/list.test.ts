import { expect, it } from 'vitest'
import { listOperation } from '../src/features/entries/verbs/list.ts'
import { remember } from '../src/features/entries/write-entries.ts'
import { openAt } from './support/aged-vault.ts'
import { scratchProject } from './support/scratch-project.ts'

it('lists a vault file by its name, and a kind by its own', async () => {
  const engine = openAt(scratchProject())
  await remember(engine, [
    { content: 'Never edit the generated client.', kind: 'warning' },
    { content: 'The proxy drops idle sockets.', kind: 'lesson' },
    { content: 'Bill in cents.', kind: 'decision' },
  ])
  const listed = async (category: 'lessons' | 'warning' | 'decision') =>
    (await listOperation.run(engine, { category }, {})).entries.map(({ content }) => content).sort()
  expect(await listed('lessons')).toEqual([
    'Never edit the generated client.',
    'The proxy drops idle sockets.',
  ])
  expect(await listed('warning')).toEqual(['Never edit the generated client.'])
  expect(await listed('decision')).toEqual(['Bill in cents.'])
  await engine.close()
})
