import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPool } from '../../src/stores/postgres/node-postgres.ts'
import type { SqlConnection, SqlPool } from '../../src/stores/postgres/sql-pool.ts'
import { freshServerDatabase } from '../support/test-postgres.ts'

let pool: SqlPool
let drop: () => Promise<void>
beforeAll(async () => {
  const made = await freshServerDatabase()
  drop = made.drop
  await made.pool.close()
  // One connection: what the last transaction left behind would be seen by the next.
  pool = await openPool({ url: made.url, most: 1 })
  await pool.transaction(connection => connection.run('CREATE TABLE said (n int PRIMARY KEY)'))
})
afterAll(async () => {
  await pool.close()
  await drop()
})

const say = (connection: SqlConnection, n: number) =>
  connection.query('INSERT INTO said VALUES ($1) RETURNING n', [n])
const said = async () =>
  (await pool.transaction(c => c.query<{ n: number }>('SELECT n FROM said ORDER BY n'), 'sent along')).map(
    ({ n }) => n,
  )

describe('how a transaction ends', () => {
  it('is kept when its end is sent along, and not when a statement of it fails', async () => {
    expect(await pool.transaction(connection => say(connection, 1), 'sent along')).toEqual([{ n: 1 }])
    const both = pool.transaction(async connection => {
      const asked = [say(connection, 2), say(connection, 1)]
      await Promise.all(asked.map(each => each.catch(() => undefined)))
      return asked[1]
    }, 'sent along')
    await expect(both).rejects.toMatchObject({ code: '23505' })
    expect(await said()).toEqual([1])
  })

  it('refuses what is asked after its end was sent', async () => {
    const late = pool.transaction(async connection => {
      await say(connection, 3)
      return say(connection, 4)
    }, 'sent along')
    await expect(late).rejects.toThrow('the transaction is over')
    // What was asked in time was one transaction, and is there.
    expect(await said()).toEqual([1, 3])
  })

  it('leaves the connection to the next when nobody waits for its end', async () => {
    const read = await Promise.all(
      [5, 6, 7].map(n => pool.transaction(c => c.query<{ n: number }>('SELECT $1::int AS n', [n]), 'left')),
    )
    expect(read).toEqual([[{ n: 5 }], [{ n: 6 }], [{ n: 7 }]])
    expect(pool.usage?.().waiting).toBe(0)
  })

  it('is where the work says, all or nothing, and nothing can follow', async () => {
    await pool.transaction(async connection => {
      const asked = Promise.all([say(connection, 10), say(connection, 11)])
      connection.endsHere?.()
      await asked
      await expect(say(connection, 12)).rejects.toThrow('the transaction is over')
    })
    expect(await said()).toEqual([1, 3, 10, 11])
    const failing = pool.transaction(async connection => {
      const asked = Promise.allSettled([say(connection, 20), say(connection, 10), say(connection, 21)])
      connection.endsHere?.()
      const [, second] = await asked
      if (second?.status === 'rejected') throw second.reason
    })
    await expect(failing).rejects.toMatchObject({ code: '23505' })
    expect(await said()).toEqual([1, 3, 10, 11])
  })
})
