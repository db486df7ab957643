import { expect, it } from 'vitest'
import { freshDatabase } from '../support/test-postgres.ts'

it('gives every caller a database that nobody else sees', async () => {
  const [one, other] = await Promise.all([freshDatabase(), freshDatabase()])
  await one.transaction(connection =>
    connection.run('CREATE TABLE note (text text); INSERT INTO note VALUES (1)'),
  )
  const seen = await other.transaction(connection =>
    connection.query("SELECT to_regclass('note') IS NULL AS none"),
  )
  expect(seen).toEqual([{ none: true }])
  await other.transaction(connection => connection.run('CREATE TABLE note (text text)'))
  await other.close()
  expect(await one.transaction(connection => connection.query('SELECT text FROM note'))).toEqual([
    { text: '1' },
  ])
  await one.close()
})
