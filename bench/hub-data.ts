import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { textHash } from '../src/kernel/system/content-hash.ts'
import { migrate } from '../src/stores/postgres/migrate.ts'
import { openPool } from '../src/stores/postgres/node-postgres.ts'
import { MIGRATIONS } from '../src/stores/postgres/schema.ts'
import type { SqlPool } from '../src/stores/postgres/sql-pool.ts'

/** The issue's: a million entries in 500 projects. Smaller databases have fewer projects of the same size. */
export const ENTRIES_A_PROJECT = 2_000
/** Projects that the store's own writer fills, one millisecond an entry; the others are copies of these under other numbers. */
const WRITTEN_PROJECTS = 50
const FILLERS = 2

export interface FilledDatabase {
  readonly url: string
  readonly entries: number
  readonly projects: number
  readonly bytes: number
  readonly bytesByTable: Readonly<Record<string, number>>
}

export interface FillOptions {
  /** The server; its role may create databases. */
  readonly server: string
  readonly entries: number
  /** What the vectors are said to be of; without it there are none. */
  readonly model: string | undefined
  readonly fillScript: string
  readonly progress: (message: string) => void
}

export function projectName(number: number): string {
  return `load-${number}`
}

/** The position in the corpus of its first entry: most projects are copies of one of the first. */
export function firstOf(project: number): number {
  return (project % WRITTEN_PROJECTS) * ENTRIES_A_PROJECT
}

/** A database with so many entries, made once for each schema and kept; one that is half made is made anew. */
export async function fillDatabase(options: FillOptions): Promise<FilledDatabase> {
  const projects = Math.max(1, Math.round(options.entries / ENTRIES_A_PROJECT))
  const written = Math.min(projects, WRITTEN_PROJECTS)
  const stamp = textHash(`${MIGRATIONS.join('\n')} ${options.model} 1`).slice(0, 6)
  const nameOf = (count: number) => `cairn_bench_${stamp}_${count}`
  if (!(await isMade(options.server, nameOf(written)))) await writeBase(options, nameOf(written), written)
  if (projects > written && !(await isMade(options.server, nameOf(projects))))
    await copyProjects(options, { from: nameOf(written), to: nameOf(projects), written, projects })
  const url = databaseUrl(options.server, nameOf(projects))
  return { url, entries: projects * ENTRIES_A_PROJECT, projects, ...(await sizesOf(url)) }
}

async function writeBase(options: FillOptions, name: string, projects: number): Promise<void> {
  await onServer(options.server, `DROP DATABASE IF EXISTS ${name}`)
  await onServer(options.server, `CREATE DATABASE ${name}`)
  const url = databaseUrl(options.server, name)
  await withPool(url, migrate)
  const begun = performance.now()
  let done = 0
  const fill = async (own: readonly number[]) => {
    const args = [
      options.fillScript,
      ...['--url', url, '--entries', String(ENTRIES_A_PROJECT)],
      ...(options.model === undefined ? [] : ['--model', options.model]),
      ...['--projects', own.map(number => `${projectName(number)}@${number * ENTRIES_A_PROJECT}`).join(' ')],
    ]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    const gone = once(child, 'exit')
    for await (const _ of createInterface({ input: child.stdout })) {
      const seconds = Math.round((performance.now() - begun) / 1_000)
      options.progress(`hub: ${++done} of ${projects} projects written after ${seconds} s`)
    }
    const [code] = await gone
    if (code !== 0) throw new Error(`a process that fills the database ended with ${code}`)
  }
  const numbers = Array.from({ length: projects }, (_, number) => number)
  const shares = Array.from({ length: FILLERS }, (_, share) => numbers.filter(n => n % FILLERS === share))
  await Promise.all(shares.filter(own => own.length > 0).map(fill))
  await finish(url)
}

async function copyProjects(
  options: FillOptions,
  given: { from: string; to: string; written: number; projects: number },
): Promise<void> {
  await onServer(options.server, `DROP DATABASE IF EXISTS ${given.to}`)
  await onServer(options.server, `CREATE DATABASE ${given.to} TEMPLATE ${given.from}`)
  const url = databaseUrl(options.server, given.to)
  const begun = performance.now()
  await withPool(url, async pool => {
    await ask(pool, 'DROP TABLE bench_made')
    for (let first = given.written; first < given.projects; first += given.written) {
      const wanted = Math.min(given.written, given.projects - first)
      for (const table of await tablesOf(pool)) await copyRows(pool, table, first, wanted)
      await ask(
        pool,
        `INSERT INTO directory (name, project, created_ms) SELECT 'load-' || p.project - 1, p.project, 0
         FROM project p WHERE p.project > ${first} AND p.project <= ${first + wanted}`,
      )
      const seconds = Math.round((performance.now() - begun) / 1_000)
      options.progress(`hub: ${first + wanted} of ${given.projects} projects after ${seconds} s`)
    }
    await ask(pool, `SELECT setval('project_number', ${given.projects})`)
  })
  await finish(url)
}

/** Those with a project's rows; whose they are is told by the directory, which is no such table. */
async function tablesOf(pool: SqlPool): Promise<{ name: string; columns: string[] }[]> {
  return ask(
    pool,
    `SELECT c.relname AS name, array_agg(quote_ident(a.attname) ORDER BY a.attnum) AS columns FROM pg_class c
       JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
     WHERE c.relkind = 'r' AND c.relrowsecurity AND c.relnamespace = current_schema()::regnamespace
     GROUP BY c.relname HAVING bool_or(a.attname = 'project') ORDER BY c.relname`,
  )
}

async function copyRows(
  pool: SqlPool,
  { name, columns }: { name: string; columns: readonly string[] },
  first: number,
  wanted: number,
): Promise<void> {
  const others = columns.filter(column => column !== 'project')
  await ask(
    pool,
    `INSERT INTO ${name} (project, ${others.join(', ')})
     SELECT t.project + ${first}, ${others.map(column => `t.${column}`).join(', ')} FROM ${name} t
     WHERE t.project <= ${wanted} ORDER BY t.project`,
  )
}

async function finish(url: string): Promise<void> {
  const { Client } = (await import('pg')).default as unknown as typeof import('pg')
  const client = new Client({ connectionString: url })
  await client.connect()
  // As if every entry had been compared with its neighbours, which takes a hub minutes after an import and is then done.
  await client.query('TRUNCATE uncompared')
  await client.query('VACUUM (ANALYZE)')
  await client.query(
    'CREATE TABLE bench_made (at timestamptz); INSERT INTO bench_made VALUES (now()); CHECKPOINT',
  )
  await client.end()
}

async function isMade(server: string, name: string): Promise<boolean> {
  const isThere = await withPool(server, pool =>
    ask(pool, `SELECT 1 FROM pg_database WHERE datname = '${name}'`),
  )
  if (isThere.length === 0) return false
  const [made] = await withPool(databaseUrl(server, name), pool =>
    ask<{ made: string | null }>(pool, "SELECT to_regclass('bench_made')::text AS made"),
  )
  return made?.made === 'bench_made'
}

async function sizesOf(url: string): Promise<Pick<FilledDatabase, 'bytes' | 'bytesByTable'>> {
  const rows = await withPool(url, pool =>
    ask<{ name: string; bytes: number }>(
      pool,
      `SELECT c.relname AS name, pg_total_relation_size(c.oid) AS bytes FROM pg_class c
       WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace ORDER BY 2 DESC`,
    ),
  )
  const bytesByTable = Object.fromEntries(rows.map(({ name, bytes }) => [name, bytes]))
  return { bytes: rows.reduce((sum, { bytes }) => sum + bytes, 0), bytesByTable }
}

/** Outside of a transaction, in which no database can be made. */
async function onServer(server: string, sql: string): Promise<void> {
  const { Client } = (await import('pg')).default as unknown as typeof import('pg')
  const client = new Client({ connectionString: server })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

function databaseUrl(server: string, name: string): string {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

function ask<Row>(pool: SqlPool, sql: string): Promise<Row[]> {
  return pool.transaction(connection => connection.query<Row>(sql))
}

async function withPool<T>(url: string, work: (pool: SqlPool) => Promise<T>): Promise<T> {
  const pool = await openPool({ url, most: 2 })
  try {
    return await work(pool)
  } finally {
    await pool.close()
  }
}
