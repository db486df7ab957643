import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import * as path from 'node:path'
import { expect, it } from 'vitest'
import { loadSqlite } from '../src/stores/sqlite/driver.ts'
import { openSqliteIndex } from '../src/stores/sqlite/open-sqlite-index.ts'
import { scratchProject } from './support/scratch-project.ts'

/** Another process that writes to the database for a moment, before it is an index. */
async function writerAt(location: string): Promise<void> {
  const [major = 0] = process.versions.node.split('.').map(Number)
  const driver =
    major >= 22 ? 'node:sqlite' : createRequire(import.meta.url).resolve('@photostructure/sqlite')
  const program = `
    const { DatabaseSync } = require(${JSON.stringify(driver)})
    const database = new DatabaseSync(${JSON.stringify(location)})
    database.exec('BEGIN IMMEDIATE')
    process.stdout.write('writing')
    setTimeout(() => { database.exec('COMMIT'); database.close() }, 300)`
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] })
  await new Promise(resolve => child.stdout.once('data', resolve))
}

it('an index is opened for the first time beside another process that is about to make it', async () => {
  const location = path.join(scratchProject(), 'index.db')
  const made = new (loadSqlite().DatabaseSync)(location)
  made.exec('CREATE TABLE anything (a)')
  made.close()
  await writerAt(location)
  const index = openSqliteIndex({ location, busyTimeoutMs: 10_000 })
  expect(index?.counts().total).toBe(0)
  index?.close()
})
