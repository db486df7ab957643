import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { migrate } from '../../src/stores/postgres/migrate.ts'
import { glanceAt } from '../../src/stores/postgres/project-row.ts'
import { SignCache } from '../../src/stores/postgres/sign-cache.ts'
import type { SqlPool } from '../../src/stores/postgres/sql-pool.ts'
import { Tenant } from '../../src/stores/postgres/tenant.ts'
import { putTotals, signText } from '../../src/stores/postgres/vector-rows.ts'
import { judgedPool } from '../support/judged-pool.ts'
import { freshDatabase } from '../support/test-postgres.ts'

const PROJECT = 7
/** Not a multiple of 32: the last word of the bits is not full. */
const DIMENSIONS = 100

let pool: SqlPool
let asked: string[] = []
let tenant: Tenant
beforeAll(async () => {
  pool = judgedPool(await freshDatabase(), sql => asked.push(sql))
  await migrate(pool)
  tenant = new Tenant(pool, PROJECT)
  await tenant.query('INSERT INTO project (project) VALUES ($1)')
}, 120_000)
afterAll(() => pool.close())

let drawn = 0
/** The same in every run. */
const randomVector = () => Float32Array.from({ length: DIMENSIONS }, () => Math.sin(++drawn * drawn))

async function add(key: number, vector: Float32Array): Promise<void> {
  await tenant.transaction(async () => {
    await tenant.query(
      "INSERT INTO meaning (project, key, code, signs) VALUES ($1, $2, '\\x00', $3::varbit)",
      key,
      signText(vector),
    )
    await putTotals(tenant, { model: 'm', count: key, sum: vector })
  })
}

const stampNow = async () => (await glanceAt(tenant)).vectors_stamp ?? ''

/** As the database itself would pick them. */
async function pickedByDatabase(vector: Float32Array, count: number): Promise<number[]> {
  const rows = await tenant.query<{ key: number }>(
    'SELECT v.key FROM meaning v WHERE v.project = $1 ORDER BY bit_count(v.signs # $2::varbit) FETCH FIRST ($3) ROWS WITH TIES',
    signText(vector),
    count,
  )
  return rows.map(({ key }) => key).sort((a, b) => a - b)
}

describe('the signs that a hub keeps', () => {
  it('pick what the database would pick, with those that are as far as the last', async () => {
    for (let key = 1; key <= 900; key++) await add(key, randomVector())
    const cache = new SignCache()
    for (let i = 0; i < 10; i++) {
      const vector = randomVector()
      const picked = await cache.pick(tenant, { stamp: await stampNow(), vector, count: 40 })
      expect(picked.length).toBeGreaterThanOrEqual(40)
      expect(picked.sort((a, b) => a - b)).toEqual(await pickedByDatabase(vector, 40))
    }
  })

  it('are read once, and again when a vector has come, whoever added it', async () => {
    const cache = new SignCache()
    const vector = randomVector()
    const pick = async () => {
      asked = []
      const picked = await cache.pick(tenant, { stamp: await stampNow(), vector, count: 1 })
      return { picked, reads: asked.filter(sql => sql.includes('varbit_send')).length }
    }
    expect((await pick()).reads).toBe(1)
    expect((await pick()).reads).toBe(0)
    await add(1_000, vector)
    expect(await pick()).toEqual({ picked: [1_000], reads: 1 })
    await tenant.transaction(async () => {
      await tenant.query('DELETE FROM meaning v WHERE v.project = $1 AND v.key = 1000')
      await putTotals(tenant, { model: 'm', count: 900, sum: vector })
    })
    const after = await pick()
    expect([after.picked.includes(1_000), after.reads]).toEqual([false, 1])
  })

  it('are read once for all who ask at the same time, and again after a reading that failed', async () => {
    const cache = new SignCache()
    const asked = { stamp: await stampNow(), vector: randomVector(), count: 1 }
    let reads = 0
    let fails = true
    const slow = {
      project: PROJECT,
      one: async (sql: string) => {
        reads++
        await new Promise(resolve => setTimeout(resolve, 20))
        if (fails) throw new Error('the connection is lost')
        return tenant.one(sql)
      },
    } as unknown as Tenant
    const pick = () => cache.pick(slow, asked)
    await expect(Promise.all([pick(), pick()])).rejects.toThrow('the connection is lost')
    fails = false
    await Promise.all([pick(), pick(), pick()])
    await pick()
    expect(reads).toBe(2)
  })

  it('are not kept of a project that is larger than all that may be kept', () => {
    const cache = new SignCache(20 * 900)
    expect([cache.hasRoomFor(900, DIMENSIONS), cache.hasRoomFor(901, DIMENSIONS)]).toEqual([true, false])
  })
})
