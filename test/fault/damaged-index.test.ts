import { cpSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import * as path from 'node:path'
import { describe, expect, it } from 'vitest'
import { composeEngine } from '../../src/compose/compose.ts'
import type { ComposedCheckout } from '../../src/compose/composed.ts'
import { remember } from '../../src/features/entries/write-entries.ts'
import { CairnError } from '../../src/kernel/model/errors.ts'
import { loadSqlite, type SqliteValue } from '../../src/stores/sqlite/driver.ts'
import { OPERATIONS } from '../../src/verbs/all.ts'
import { type Operation, parseInput } from '../../src/verbs/operation.ts'
import { scratchProject } from '../support/scratch-project.ts'
import { writePlan } from '../support/workspace-tree.ts'

/** More rounds find more: `CAIRN_DAMAGE_ROUNDS=500 npx vitest run test/fault/damaged-index.test.ts`. */
const ROUNDS = Number(process.env.CAIRN_DAMAGE_ROUNDS ?? 14)

/** Every verb that reads, with what it is asked. */
const READS: readonly (readonly [name: string, input: Record<string, unknown>])[] = [
  ['status', {}],
  ['brief', { prompt: 'which port does the zebra build use', session: 's1', host: 'claude-code' }],
  ['brief', {}],
  ['conflicts', {}],
  ['why', { prompt: 'which port does the zebra build use' }],
  ['query', { question: 'what was decided about the zebra build' }],
  ['search', { query: 'zebra build' }],
  ['search', { query: 'zebr', tags: ['build'], file: 'src/zebra.ts' }],
  ['list', { limit: 100 }],
  ['show', { target: 'zebra number 3' }],
  ['links', { target: 'zebra number 3' }],
  ['graph', {}],
  ['entity', { name: 'redis' }],
  ['log', {}],
  ['fresh', {}],
  ['review', {}],
  ['review', { stale: true }],
  ['briefs', {}],
  ['agents', {}],
  ['sessions', {}],
  ['recall', { dryRun: true }],
  ['compact', { dryRun: true }],
  ['retrieve plans', { workspace: 'devtools' }],
  ['workspaces', {}],
  ['work', {}],
  ['work list', {}],
  ['validate', {}],
  ['model status', {}],
]

async function run(engine: ComposedCheckout, name: string, input: Record<string, unknown>): Promise<unknown> {
  const operation = (await OPERATIONS[name]?.()) as Operation
  return operation.run(engine as never, parseInput(operation, input) as never, {})
}

/** The error that a verb must not end with. */
async function faultOf(
  engine: ComposedCheckout,
  name: string,
  input: Record<string, unknown>,
): Promise<unknown> {
  try {
    await run(engine, name, input)
    return undefined
  } catch (error) {
    return error instanceof CairnError && error.code !== 'invalid_input' ? undefined : error
  }
}

/** A memory with something in every table of its index. */
async function makeVault(): Promise<string> {
  const root = scratchProject({ 'src/zebra.ts': 'export const zebra = 1\n'.repeat(40) })
  writePlan(root, 'devtools', 'slim-down')
  const engine = composeEngine({ root })
  await remember(
    engine,
    Array.from({ length: 30 }, (_, n) => ({
      content: `The zebra number ${n} of the build listens on port ${8000 + n} behind redis. See [[zebra number ${n + 1}]].`,
      kind: n % 3 === 0 ? 'decision' : 'lesson',
      tags: ['build'],
      files: ['src/zebra.ts'],
      session: 's1',
      ...(n > 20 && { origin: 'agent' as const, status: 'candidate' as const }),
    })),
  )
  await remember(engine, [
    { content: 'The cache TTL is: 30 minutes', kind: 'decision' },
    { content: 'The cache TTL is: 8 hours', kind: 'decision' },
  ])
  await run(engine, 'session start', { session: 's2', agent: 'dev' })
  await run(engine, 'session append', {
    session: 's2',
    agent: 'dev',
    text: 'We decided to use postgres for the zebra.',
  })
  await run(engine, 'session close', { session: 's2' })
  await run(engine, 'work add', { graph: 'g', title: 'Feed the zebra', name: 'feed' })
  await run(engine, 'embed', {})
  for (const [name, input] of READS)
    expect([name, await faultOf(engine, name, input)]).toEqual([name, undefined])
  await engine.close()
  return root
}

async function contents(root: string): Promise<string[]> {
  const engine = composeEngine({ root })
  try {
    const { entries } = await engine.store.listEntries({ filter: {}, limit: 1_000, offset: 0 })
    return entries.map(entry => `${entry.id} ${entry.content}`).sort()
  } finally {
    await engine.close()
  }
}

/** A copy of the memory, damaged; then every verb, beginning with another one each time, and the mending. */
async function expectSound(
  original: string,
  before: readonly string[],
  what: string,
  damage: (root: string) => void,
  first: number,
) {
  const root = scratchProject()
  cpSync(original, root, { recursive: true })
  damage(root)
  const engine = composeEngine({ root })
  for (let at = 0; at < READS.length; at++) {
    const [name, input] = READS[(at + first) % READS.length] as (typeof READS)[number]
    const fault = await faultOf(engine, name, input)
    expect(
      fault,
      `${what}: ${name} ended with ${fault instanceof Error ? fault.stack : String(fault)}`,
    ).toBeUndefined()
  }
  await run(engine, 'doctor', { fix: true })
  await engine.close()
  const again = composeEngine({ root })
  const { checks } = (await run(again, 'doctor', {})) as {
    checks: { name: string; result: string; message: string }[]
  }
  await again.close()
  expect(
    checks.filter(({ name, result }) => result === 'failure' && OF_THE_STORE.has(name)),
    what,
  ).toEqual([])
  expect(
    checks.find(({ name }) => name === 'index'),
    what,
  ).toMatchObject({ result: 'ok' })
  expect(await contents(root), what).toEqual(before)
  rmSync(root, { recursive: true, force: true })
}

/** Checks of hosts and hooks are not about the store. */
const OF_THE_STORE = new Set([
  'vault',
  'index',
  'work',
  'sessions',
  'vectors',
  'secrets',
  'config.json',
  'curation.json',
])

const databaseOf = (root: string, name = 'index.db') => path.join(root, '.memory/.vault', name)

/** Bytes and places that are the same every time. */
function chance(seed: number): (bound: number) => number {
  let state = (seed * 2_654_435_761) >>> 0 || 1
  return bound => {
    state ^= (state << 13) >>> 0
    state ^= state >>> 17
    state ^= (state << 5) >>> 0
    state >>>= 0
    return state % bound
  }
}

/** Everything in the one file: what lies in the log would hide the damage. */
function withoutLog(file: string): void {
  const database = new (loadSqlite().DatabaseSync)(file)
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  database.close()
}

const PAGE = 4096
const DAMAGES: readonly ((bytes: Buffer, random: (bound: number) => number) => Buffer)[] = [
  function randomBytes(bytes, random) {
    for (let n = 1 + random(40); n > 0; n--) bytes[random(bytes.length)] = random(256)
    return bytes
  },
  function randomHeader(bytes, random) {
    for (let n = 1 + random(4); n > 0; n--) bytes[16 + random(84)] = random(256)
    return bytes
  },
  function randomPageHeaders(bytes, random) {
    for (let n = 4; n > 0; n--) bytes[random(bytes.length / PAGE) * PAGE + random(12)] = random(256)
    return bytes
  },
  function zeroedPage(bytes, random) {
    const page = random(bytes.length / PAGE)
    return bytes.fill(0, page * PAGE, (page + 1) * PAGE)
  },
  function swappedPages(bytes, random) {
    const pages = bytes.length / PAGE
    const [a, b] = [1 + random(pages - 1), 1 + random(pages - 1)]
    const kept = Buffer.from(bytes.subarray(a * PAGE, (a + 1) * PAGE))
    bytes.copy(bytes, a * PAGE, b * PAGE, (b + 1) * PAGE)
    kept.copy(bytes, b * PAGE)
    return bytes
  },
  function truncated(bytes, random) {
    return bytes.subarray(0, random(bytes.length))
  },
  function block(bytes, random) {
    const from = random(bytes.length)
    for (let at = from; at < Math.min(bytes.length, from + 2_000); at++) bytes[at] = random(256)
    return bytes
  },
]

const NONSENSE: readonly SqliteValue[] = [
  '',
  '{',
  '{}',
  '[]',
  'null',
  '[{}]',
  'nonsense',
  -1,
  1e300,
  new Uint8Array([255, 0, 1]),
]

function columnsOf(file: string): [table: string, column: string][] {
  const database = new (loadSqlite().DatabaseSync)(file)
  try {
    const rows = database
      .prepare(
        `SELECT t.name AS "table", c.name AS "column" FROM sqlite_master t JOIN pragma_table_info(t.name) c
         WHERE t.type = 'table' AND t.name NOT LIKE '%fulltext%' AND t.name NOT LIKE 'sqlite%'`,
      )
      .all() as { table: string; column: string }[]
    return rows.map(({ table, column }) => [table, column])
  } finally {
    database.close()
  }
}

/** False: SQLite does not take it there. */
function putNonsense(file: string, table: string, column: string, value: SqliteValue): boolean {
  const database = new (loadSqlite().DatabaseSync)(file)
  try {
    database.prepare(`UPDATE OR REPLACE "${table}" SET "${column}" = ?`).run(value)
    return true
  } catch {
    // A constraint or an index refuses it, so no row can hold it.
    return false
  } finally {
    database.close()
  }
}

describe('a damaged index', () => {
  it('ends no verb but with an answer or an error of ours, and doctor --fix leaves it sound: random damage', async () => {
    const original = await makeVault()
    withoutLog(databaseOf(original))
    const before = await contents(original)
    for (let round = 0; round < ROUNDS; round++) {
      const random = chance(round + 1)
      const damage = DAMAGES[round % DAMAGES.length] as (typeof DAMAGES)[number]
      await expectSound(
        original,
        before,
        `round ${round}, ${damage.name}`,
        root => {
          const file = databaseOf(root)
          withoutLog(file)
          writeFileSync(file, damage(readFileSync(file), random))
        },
        round,
      )
    }
  })

  it('ends no verb otherwise, and doctor --fix leaves it sound: nonsense in every column', async () => {
    const original = await makeVault()
    withoutLog(databaseOf(original))
    const before = await contents(original)
    const cases = columnsOf(databaseOf(original)).flatMap(([table, column]) =>
      NONSENSE.map(value => ({ table, column, value })),
    )
    const step = Math.max(1, Math.floor(cases.length / (ROUNDS * 3)))
    for (let at = 0; at < cases.length; at += step) {
      const { table, column, value } = cases[at] as (typeof cases)[number]
      await expectSound(
        original,
        before,
        `${table}.${column} = ${typeof value === 'string' ? JSON.stringify(value) : String(value)}`,
        root => {
          putNonsense(databaseOf(root), table, column, value)
        },
        at,
      )
    }
  })

  it('is rebuilt by the first read, which says so', async () => {
    const root = await makeVault()
    withoutLog(databaseOf(root))
    putNonsense(databaseOf(root), 'entry', 'extra', '[1]')
    putNonsense(databaseOf(root), 'meta', 'value', '{')
    const engine = composeEngine({ root })
    const { degraded } = (await run(engine, 'list', {})) as { degraded: readonly { code: string }[] }
    await engine.close()
    expect(degraded.map(({ code }) => code)).toEqual(['index_rebuilt'])
  })
})

describe('a damaged lock or work board', () => {
  it('keeps nobody from writing: the lock holds nothing, and is made empty again', async () => {
    const root = scratchProject()
    const engine = composeEngine({ root })
    await remember(engine, [{ content: 'One zebra.' }])
    await engine.close()
    writeFileSync(databaseOf(root, 'lock.db'), 'this is not a database, however long it is. '.repeat(200))
    const again = composeEngine({ root })
    await remember(again, [{ content: 'Another zebra.' }])
    await again.close()
    expect(await contents(root)).toHaveLength(2)
    expect(readFileSync(databaseOf(root, 'lock.db'))).toHaveLength(0)
  })

  it('ends the verbs of the board with an error of ours; doctor --fix puts it aside', async () => {
    for (const damage of [
      (file: string) => truncateSync(file, 5_000),
      (file: string) => putNonsense(file, 'task', 'packed', '{'),
      (file: string) => putNonsense(file, 'task', 'packed', '{}'),
      (file: string) => writeFileSync(file, readFileSync(file).fill(7, 100, 3_000)),
    ]) {
      const root = scratchProject()
      const engine = composeEngine({ root })
      await run(engine, 'work add', { graph: 'g', title: 'Feed the zebra', name: 'feed' })
      await engine.close()
      withoutLog(databaseOf(root, 'work.db'))
      damage(databaseOf(root, 'work.db'))
      const again = composeEngine({ root })
      for (const verb of ['work', 'work list', 'status'])
        expect([verb, await faultOf(again, verb, {})]).toEqual([verb, undefined])
      await run(again, 'doctor', { fix: true })
      expect(
        await faultOf(again, 'work add', { graph: 'h', title: 'Feed it again', name: 'feed' }),
      ).toBeUndefined()
      expect(await run(again, 'work list', { graph: 'h' })).toMatchObject({ total: 1 })
      await again.close()
    }
  })
})
