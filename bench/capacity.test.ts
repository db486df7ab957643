import { expect, it } from 'vitest'
import { fitLine, type Model, needOf } from './capacity.ts'

it('fits a line, and says how far the worst point is from it', () => {
  expect(fitLine([1, 2, 3], [10, 20, 30])).toEqual({ base: 0, slope: 10, error: 0 })
  const { base, slope, error } = fitLine([0, 1, 2], [1, 3, 2])
  expect([base, slope]).toEqual([1.5, 0.5])
  expect(error).toBeCloseTo(0.5)
})

it('needs what the fit says, at the load that is assumed', () => {
  const flat = (base: number) => ({ base, slope: 0, error: 0 })
  const model: Model = {
    bytes: { base: 0, slope: 5_000, error: 0 },
    hotBytes: { base: 0, slope: 4_000, error: 0 },
    searchHubMs: flat(5),
    searchDatabaseMs: flat(4),
    writeHubMs: flat(10),
    writeDatabaseMs: flat(10),
    hubMb: 200,
  }
  // 500 agents: 500 searches of 5 ms and 50 writes of 10 ms a second are three cores, which may be half busy.
  expect(needOf(model, 10_000)).toEqual({
    projects: 10_000,
    entries: 30_000_000,
    diskGb: 150,
    hotGb: 24,
    agents: 500,
    hubCores: 6,
    databaseCores: 5,
    hubs: 6,
    connections: 60,
  })
})
