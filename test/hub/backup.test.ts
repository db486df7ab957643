import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import * as path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readBackup, writeBackup } from '../../src/addons/backup/backup-archive.ts'
import { checkBackup } from '../../src/addons/backup/check-backup.ts'
import type { BackupLine } from '../../src/addons/backup/decide/backup-line.ts'
import { openHub } from '../../src/compose/compose-hub.ts'
import { backupRows, columnsByTable, quoted } from '../../src/stores/postgres/database-backup.ts'
import type { SqlPool } from '../../src/stores/postgres/sql-pool.ts'
import { type HubWorld, hubWorld } from '../support/hub-world.ts'
import { freshDatabase } from '../support/test-postgres.ts'

const EVERYTHING = { project: undefined, as: undefined, withTokens: false }

function scratchFile(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'cairn-hub-backup-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return path.join(folder, 'hub.cairn')
}

async function backUp(pool: SqlPool, file: string, wish: { project?: string; withTokens?: boolean } = {}) {
  const rows = backupRows(pool)
  const head = {
    of: 'hub',
    version: '0.0.0',
    at: new Date(0).toISOString(),
    name: '',
    schema: rows.schema,
  } as const
  await writeBackup(file, head, ({ write }) =>
    rows.write({ project: wish.project, withTokens: wish.withTokens ?? false }, write),
  )
}

/** Entries, one that went, a pin, a search; and a row of every other table. */
async function furnish(world: HubWorld, project: string): Promise<void> {
  const token = await world.token('write', project)
  const ask = async (name: Parameters<HubWorld['ask']>[0], fields: Record<string, unknown>) => {
    const answer = await world.ask(name, { project, token, fields })
    expect(answer, name).toMatchObject({ status: 200 })
    return answer.body as { entry: { id: string } }
  }
  const redis = await ask('remember', { content: `Sessions of ${project} live in Redis. #redis` })
  const gone = await ask('remember', { content: 'The cache is filled at night — “früh”, ☃ and 𝒳.' })
  await ask('remember', { content: 'Never edit the middleware; see [[Sessions]].', kind: 'warning' })
  await ask('forget', { target: gone.entry.id })
  await ask('pin', { target: redis.entry.id })
  await ask('search', { query: 'redis' })
  await settle(world.hub.pool, project)
  await fillRest(world.hub.pool, project)
  await settle(world.hub.pool, project)
}

/** What happens by itself after a write, vectors and comparing, is over. */
async function settle(pool: SqlPool, name: string): Promise<void> {
  for (let before = ''; ; ) {
    const rows = await rowsOf(pool, name)
    const now = JSON.stringify(rows)
    if (now === before && rows.meaning !== undefined) return
    before = now
    await pause(300)
  }
}

const VALUES: Readonly<Record<string, string>> = {
  integer: '7',
  bigint: '9007199254740991',
  smallint: '7',
  text: 'é\\n\t"☃',
  bytea: '\\x00ff5c',
  real: '0.1',
  'double precision': '0.30000000000000004',
  'bit varying': '0101',
  boolean: 'true',
  jsonb: '{"a": 1}',
  json: '{"a":1}',
  'text[]': '{"a b",c}',
  'timestamp with time zone': '2026-11-16 10:00:00+00',
}

/** A row in each table of the project that has none: whatever a part of Cairn keeps there comes back. */
async function fillRest(pool: SqlPool, name: string): Promise<void> {
  const filled = await rowsOf(pool, name)
  await pool.transaction(async connection => {
    const [row] = await connection.query<{ project: number }>(
      'SELECT project FROM directory WHERE name = $1',
      [name],
    )
    for (const [table, columns] of await columnsByTable(connection)) {
      if (filled[table] !== undefined) continue
      const values = columns.map(({ type }) => VALUES[type] ?? `no value for ${type}`)
      const list = ['project', ...columns.map(column => quoted(column.name))].join(', ')
      const given = columns.map(({ type }, at) => `$${at + 2}::text::${type}`)
      await connection.query(
        `INSERT INTO ${quoted(table)} (${list}) VALUES (${['$1', ...given].join(', ')})`,
        [row?.project, ...values],
      )
    }
  })
}

/** Every row of a project but its number, as text. */
async function rowsOf(pool: SqlPool, name: string): Promise<Record<string, string[]>> {
  return pool.transaction(async connection => {
    const [row] = await connection.query<{ project: number }>(
      'SELECT project FROM directory WHERE name = $1',
      [name],
    )
    const found: Record<string, string[]> = {}
    for (const [table, columns] of await columnsByTable(connection)) {
      const list = columns.map(column => `${quoted(column.name)}::text`).join(', ')
      const rows = await connection.query<{ row: string }>(
        `SELECT json_build_array(${list})::text AS row FROM ${quoted(table)} WHERE project = $1`,
        [row?.project],
      )
      if (rows.length > 0) found[table] = rows.map(each => each.row).sort()
    }
    return found
  })
}

/** Linked repositories must not take what was restored for what was backed up. */
function withoutIdentity({ sync_identity: identity, ...rows }: Record<string, string[]>) {
  expect(identity).toHaveLength(1)
  return rows
}

describe('a backup of a hub', () => {
  it('comes back row by row, in an empty database and beside what is there', async () => {
    const world = await hubWorld({ projects: ['shop', 'api'] })
    const file = scratchFile()
    const other = await freshDatabase()
    const hub = await openHub({ store: other })
    try {
      for (const project of ['shop', 'api']) await furnish(world, project)
      await backUp(world.hub.pool, file)
      const { projects } = await checkBackup(file)
      expect(projects.map(({ name, rowsByTable }) => [name, rowsByTable.entry])).toEqual([
        ['api', 2],
        ['shop', 2],
      ])
      const restored = await backupRows(other).restore(readBackup(file), EVERYTHING)
      expect(restored.projects).toEqual([
        { name: 'api', entries: 2 },
        { name: 'shop', entries: 2 },
      ])
      for (const name of ['shop', 'api'])
        expect(await rowsOf(other, name)).toEqual(withoutIdentity(await rowsOf(world.hub.pool, name)))
      const shop = await hub.directory.findProject('shop')
      if (shop === undefined) throw new Error('it is not there')
      const engine = hub.engineOf(shop)
      const { entries } = await engine.store.listEntries({ filter: {}, limit: 10, offset: 0 })
      expect(entries.map(({ content }) => content).sort()).toEqual([
        'Never edit the middleware; see [[Sessions]].',
        'Sessions of shop live in Redis. #redis',
      ])
      await backupRows(other).restore(readBackup(file), {
        project: 'shop',
        as: 'shop-before',
        withTokens: false,
      })
      expect(await rowsOf(other, 'shop-before')).toEqual(await rowsOf(other, 'shop'))
      expect((await hub.directory.projects()).map(({ name }) => name)).toEqual(['api', 'shop', 'shop-before'])
    } finally {
      await hub.close()
      await world.end()
    }
  })

  it('changes nothing where a name is taken, a row does not fit, or the file ends too early', async () => {
    const world = await hubWorld({ projects: ['shop'] })
    const file = scratchFile()
    try {
      await furnish(world, 'shop')
      await backUp(world.hub.pool, file)
      const rows = backupRows(world.hub.pool)
      const before = await rowsOf(world.hub.pool, 'shop')
      const restore = (lines: AsyncIterable<BackupLine>, as: string | undefined) =>
        rows.restore(lines, { ...EVERYTHING, as })
      await expect(restore(readBackup(file), undefined)).rejects.toMatchObject({ code: 'project_exists' })
      const lines: BackupLine[] = []
      for await (const line of readBackup(file)) lines.push(line)
      async function* upTo(count: number): AsyncGenerator<BackupLine> {
        yield* lines.slice(0, count)
        throw new Error('the connection to the disk was lost')
      }
      for (let count = 0; count < lines.length; count += 7)
        await expect(restore(upTo(count), 'again')).rejects.toThrow('lost')
      async function* changed(change: (line: BackupLine) => BackupLine): AsyncGenerator<BackupLine> {
        for (const line of lines) yield change(line)
      }
      const wrong: readonly ((line: BackupLine) => BackupLine)[] = [
        line => (line.is === 'table' && line.name === 'entry' ? { ...line, name: 'principal' } : line),
        line => (line.is === 'table' ? { ...line, name: 'entry"; DROP TABLE entry; --' } : line),
        line =>
          line.is === 'table' && line.name === 'entry'
            ? { ...line, columns: line.columns.map((each, at) => (at === 0 ? 'nonsense' : each)) }
            : line,
        line => (line.is === 'rows' ? { ...line, rows: [...line.rows, ...line.rows] } : line),
        line => (line.is === 'rows' ? { ...line, rows: line.rows.map(row => row.map(() => 'x')) } : line),
      ]
      for (const change of wrong)
        await expect(restore(changed(change), 'again')).rejects.toMatchObject({ code: 'backup_damaged' })
      expect((await world.desk.projects()).map(({ name }) => name)).toEqual(['shop'])
      expect(await rowsOf(world.hub.pool, 'shop')).toEqual(before)
      expect(await restore(readBackup(file), 'again')).toMatchObject({ projects: [{ name: 'again' }] })
      expect(await rowsOf(world.hub.pool, 'again')).toEqual(withoutIdentity(before))
    } finally {
      await world.end()
    }
  })

  it('has tokens only when it is told to, and then no secret', async () => {
    const world = await hubWorld({ projects: ['shop'] })
    const file = scratchFile()
    const other = await freshDatabase()
    const hub = await openHub({ store: other })
    try {
      const token = await world.token('write', 'shop')
      const [, id = '', secret = ''] = /^cairn_([^_]+)_(.+)$/.exec(token) ?? []
      await backUp(world.hub.pool, file)
      expect(gunzipSync(readFileSync(file)).toString()).not.toContain(id)
      await backUp(world.hub.pool, `${file}.tokens`, { withTokens: true })
      const text = gunzipSync(readFileSync(`${file}.tokens`)).toString()
      expect([text.includes(id), text.includes(secret)]).toEqual([true, false])
      // Not taken from the file either, unless that is wanted.
      await backupRows(other).restore(readBackup(`${file}.tokens`), EVERYTHING)
      expect(await hub.directory.tokens()).toEqual([])
      const restored = await backupRows(other).restore(readBackup(`${file}.tokens`), {
        project: 'shop',
        as: 'store',
        withTokens: true,
      })
      expect(restored.tokens).toBe(2)
      const tokens = await hub.directory.tokens()
      expect(tokens.find(each => each.id === id)?.grants).toEqual([{ project: 'shop', scope: 'write' }])
    } finally {
      await hub.close()
      await world.end()
    }
  })

  it('is refused where a line is missing, twice, or in the wrong place', async () => {
    const world = await hubWorld({ projects: ['shop'] })
    const file = scratchFile()
    try {
      await furnish(world, 'shop')
      await backUp(world.hub.pool, file, { withTokens: true })
    } finally {
      await world.end()
    }
    const lines = gunzipSync(readFileSync(file)).toString().trimEnd().split('\n')
    const bad = lines.flatMap((line, at) => [
      lines.toSpliced(at, 1),
      lines.toSpliced(at, 0, line),
      lines.slice(0, at),
    ])
    for (const [at, given] of bad.entries()) {
      writeFileSync(file, gzipSync(`${given.join('\n')}\n`))
      await expect(checkBackup(file), `case ${at}`).rejects.toMatchObject({ code: 'backup_damaged' })
    }
  })
})
