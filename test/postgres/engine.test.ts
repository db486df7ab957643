import { expect, it } from 'vitest'
import { briefOperation } from '../../src/features/brief/verbs/brief.ts'
import { conflictsOperation } from '../../src/features/conflicts/verbs/conflicts.ts'
import { editOperation } from '../../src/features/entries/verbs/edit.ts'
import { forgetOperation } from '../../src/features/entries/verbs/forget.ts'
import { listOperation } from '../../src/features/entries/verbs/list.ts'
import { logOperation } from '../../src/features/entries/verbs/log.ts'
import { rememberOperation } from '../../src/features/entries/verbs/remember.ts'
import { undoOperation } from '../../src/features/entries/verbs/undo.ts'
import { graphOperation } from '../../src/features/search/verbs/graph.ts'
import { searchOperation } from '../../src/features/search/verbs/search.ts'
import { statusOperation } from '../../src/features/status/verbs/status.ts'
import { postgresWorld } from '../support/postgres-world.ts'

const world = postgresWorld()

it('remembers, finds, edits, forgets and takes back, as over files', async () => {
  const engine = world.open(await world.project())
  const { entry } = await rememberOperation.run(
    engine,
    { content: 'The deploy runs on Fridays only.', kind: 'decision', files: ['ci/deploy.yml'] },
    {},
  )
  const found = await searchOperation.run(engine, { query: 'when is the deploy?' }, {})
  expect(found.hits.map(hit => hit.entry.content)).toEqual(['The deploy runs on Fridays only.'])
  await editOperation.run(engine, { target: entry.id, content: 'The deploy runs on Mondays only.' }, {})
  await forgetOperation.run(engine, { target: entry.id }, {})
  expect((await listOperation.run(engine, {}, {})).entries).toEqual([])
  await undoOperation.run(engine, {}, {})
  const { entries } = await listOperation.run(engine, {}, {})
  expect(entries.map(({ content }) => content)).toEqual(['The deploy runs on Mondays only.'])
  const { records } = await logOperation.run(engine, {}, {})
  expect(records.map(({ action }) => action)).toEqual(['undo', 'remove', 'update', 'add'])
  await engine.close()
})

it('tells a brief, the graph, conflicts and where the memory stands', async () => {
  const engine = world.open(await world.project('shop'))
  await rememberOperation.run(engine, { content: 'Sessions live in Redis for one hour.' }, {})
  const brief = await briefOperation.run(engine, { prompt: 'where do sessions live?' }, {})
  expect(brief.text).toContain('Sessions live in Redis for one hour.')
  expect((await graphOperation.run(engine, {}, {})).degraded).toEqual([])
  expect((await conflictsOperation.run(engine, {}, {})).conflicts).toEqual([])
  expect(await statusOperation.run(engine, {}, {})).toMatchObject({
    root: 'shop',
    project: { by: 'hub', standing: 'trusted' },
    entries: 1,
    index: { mode: 'postgres' },
    server: null,
    workspaces: 0,
  })
  await engine.close()
})

it('keeps of several changes of an entry in one write what the last leaves', async () => {
  const engine = world.open(await world.project())
  const { entry } = await rememberOperation.run(engine, { content: 'Was there.' }, {})
  await engine.store.write({ host: 'test' }, async view => {
    const [came, left] = [
      { ...entry, id: await view.newId(), content: 'Came.' },
      { ...entry, id: await view.newId(), content: 'Came and left.' },
    ]
    const edited = { ...came, content: 'Came, and was edited.' }
    const [once, twice] = [
      { ...entry, content: 'Edited once.' },
      { ...entry, content: 'Edited twice.' },
    ]
    return {
      action: 'update',
      changes: [
        { type: 'entry', before: null, after: came },
        { type: 'entry', before: came, after: edited },
        { type: 'entry', before: entry, after: once },
        { type: 'entry', before: once, after: twice },
        { type: 'entry', before: null, after: left },
        { type: 'entry', before: left, after: null },
      ],
    }
  })
  const { entries } = await listOperation.run(engine, {}, {})
  expect(entries.map(({ content }) => content).sort()).toEqual(['Came, and was edited.', 'Edited twice.'])
  expect((await searchOperation.run(engine, { query: 'edited' }, {})).hits).toHaveLength(2)
  expect(await engine.store.check()).toEqual([])
  await engine.close()
})
