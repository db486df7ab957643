import { expect, it } from 'vitest'
import { removeProjectRows } from '../../src/backends/postgres/remove-project.ts'
import { remember } from '../../src/engine.ts'
import { scheduleUpkeep } from '../../src/upkeep/scheduled-upkeep.ts'
import { postgresWorld } from '../support/postgres-world.ts'

const world = postgresWorld()

it('a project that is removed while it is open is told as one that is not there, and ends no work', async () => {
  const project = await world.project()
  const engine = world.open(project)
  await remember(engine, [{ content: 'One.' }])
  await world.pool().transaction(connection => removeProjectRows(connection, project.number))
  const gone = { code: 'project_not_found' }
  await expect(engine.store.readDocument('config.json')).rejects.toMatchObject(gone)
  await expect(remember(engine, [{ content: 'Two.' }])).rejects.toMatchObject(gone)
  const upkeep = scheduleUpkeep(engine, 0, { pauseMs: 1 })
  await engine.clock.sleep(100)
  await upkeep.stop()
})
