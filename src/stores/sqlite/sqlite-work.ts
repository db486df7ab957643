import { mkdirSync } from 'node:fs'
import * as path from 'node:path'
import { pathToFileURL } from 'node:url'
import {
  dueMs,
  graphRows,
  type ReadyFilter,
  type StateCount,
  type TaskFilter,
  type WorkLook,
  type WorkRows,
  type WorkTable,
} from '../../addons/work/decide/work-table.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { WorkTask } from '../../kernel/model/task.ts'
import type { Disk } from '../../kernel/system/disk.ts'
import { withProcessMutex } from '../../kernel/system/process-mutex.ts'
import {
  explainSqlite,
  loadSqlite,
  rollBack,
  SQLITE,
  type SqliteDatabase,
  type SqliteStatement,
  type SqliteValue,
  sqliteErrorCode,
} from './driver.ts'
import { damagedBoard, taskOf } from './task-row.ts'

const SCHEMA_VERSION = 1
const MAX_VERSIONS_AHEAD = 10_000
const SCHEMA = `
CREATE TABLE task (
  id TEXT PRIMARY KEY, graph TEXT NOT NULL, state TEXT NOT NULL, kind TEXT NOT NULL, agent TEXT, priority INTEGER NOT NULL,
  created_ms INTEGER NOT NULL, place INTEGER NOT NULL, due_ms INTEGER NOT NULL, packed TEXT NOT NULL);
CREATE INDEX task_ready ON task (state, priority DESC, created_ms, place);
CREATE INDEX task_due ON task (state, due_ms);
CREATE INDEX task_graph ON task (graph, state);
CREATE TABLE dependency (before TEXT NOT NULL, task TEXT NOT NULL, PRIMARY KEY (before, task)) WITHOUT ROWID;
`
/** How long the thread blocks for another process before it yields. */
const SHORT_WAIT_MS = 20
const PATIENCE_MS = 30_000
const FIRST_SLEEP_MS = 10
const MAX_SLEEP_MS = 250

interface SqliteWorkParts {
  readonly location: string
  readonly disk: Disk
  readonly nowMs: () => number
  /** Creates the folder if it is missing. */
  readonly onCreate: () => Promise<void>
}

/**
 * A separate database: the index can be deleted and rebuilt, this cannot. Every commit is on disk before the answer, so an accepted result
 * survives a crash.
 */
export function sqliteWork({ location, disk, nowMs, onCreate }: SqliteWorkParts): WorkTable {
  let opened:
    | {
        readonly database: SqliteDatabase
        readonly inode: number
        readonly statements: Map<string, SqliteStatement>
      }
    | undefined
  let ownChanges = 0

  const close = () => {
    opened?.database.close()
    opened = undefined
  }
  const exists = () => disk.stamp(location) !== undefined
  const open = () => {
    // The file was removed or replaced: writes to the old file would be lost.
    if (opened !== undefined && opened.inode !== disk.stamp(location)?.inode) close()
    opened ??= {
      database: openDatabase(location),
      inode: disk.stamp(location)?.inode ?? -1,
      statements: new Map(),
    }
    return opened
  }
  const statement = (sql: string): SqliteStatement => {
    // Not checked again: a transaction stays in its file.
    const { database, statements } = opened ?? open()
    const known = statements.get(sql)
    if (known !== undefined) return known
    const made = database.prepare(sql)
    statements.set(sql, made)
    return made
  }
  const inTurn = <T>(work: () => Promise<T>): Promise<T> =>
    withProcessMutex(`work ${location}`, async () => {
      try {
        return await work()
      } catch (error) {
        throw explained(error)
      }
    })

  return {
    exists: async () => exists(),

    change: work =>
      inTurn(async () => {
        if (!exists()) await onCreate()
        const { database } = open()
        await begin(database)
        try {
          const answer = await work(rowsOf(statement, nowMs()))
          database.exec('COMMIT')
          ownChanges++
          return answer
        } catch (error) {
          rollBack(database)
          throw error
        }
      }),

    read: work =>
      inTurn(async () => {
        const immutable = openForRead()
        if (immutable === undefined) return work(readsOf(statement, nowMs()))
        try {
          return await work(readsOf(sql => immutable.prepare(sql), nowMs()))
        } finally {
          immutable.close()
        }
      }),

    // SQLite's number does not count changes of this connection.
    mark: async () => (exists() ? inTurn(async () => markNow()) : -1),

    async untilChanged(mark, maxMs) {
      const endMs = performance.now() + maxMs
      let seen = mark
      for (let sleepMs = FIRST_SLEEP_MS; ; sleepMs = Math.min(sleepMs * 1.5, MAX_SLEEP_MS)) {
        const leftMs = endMs - performance.now()
        if (leftMs <= 0) return
        await pause(Math.min(sleepMs, leftMs))
        const now = exists() ? await inTurn(async () => markNow()) : -1
        if (now === seen) continue
        seen = now
        // Most writes of others do not matter to a waiting agent, and a claim that finds nothing would take the lock from them.
        if (exists() && (await inTurn(async () => hasSomethingToDo()))) return
      }
    },

    async check(fix) {
      if (!exists()) return { kind: 'sound' }
      const { renameDamaged, readTasks } = await import('./check-work.ts')
      const found = await inTurn(async () => {
        close()
        const { isWhole, tasks } = readTasks(location)
        if (isWhole) return undefined
        return { tasks, aside: fix ? renameDamaged(location, { disk, nowMs: nowMs() }) : '' }
      })
      if (found === undefined) return { kind: 'sound' }
      if (!fix) return { kind: 'damaged' }
      const { tasks, aside } = found
      if (tasks.length > 0) await this.change(rows => rows.add(tasks))
      return { kind: 'mended', saved: tasks.length, aside }
    },

    close: () => inTurn(async () => close()),
  }

  /** Opens the board for a read. On a full or read-only disk SQLite cannot open it with a log; without one it is opened as immutable. */
  function openForRead(): SqliteDatabase | undefined {
    try {
      open()
      return undefined
    } catch (error) {
      const hasLog = (disk.stamp(`${location}-wal`)?.size ?? 0) > 0
      if (hasLog || !NO_PLACE.has(sqliteErrorCode(error))) throw error
      return openImmutable(location)
    }
  }

  function hasSomethingToDo(): boolean {
    open()
    const found = statement(
      `SELECT 1 FROM task WHERE (state = 'ready' AND due_ms <= ?1) OR (state = 'running' AND due_ms <= ?1) LIMIT 1`,
    ).get(nowMs())
    return found !== undefined
  }

  function markNow(): number {
    open()
    const { data_version: version } = statement('PRAGMA data_version').get() as { data_version: number }
    return version * 1_000_000 + (ownChanges % 1_000_000)
  }
}

function openDatabase(location: string): SqliteDatabase {
  mkdirSync(path.dirname(location), { recursive: true, mode: 0o700 })
  const database = new (loadSqlite().DatabaseSync)(location)
  try {
    database.exec(`PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL`)
    // Checked without the lock, which others may hold: only the first process needs it.
    if (versionOf(database, location) === 0) {
      database.exec('BEGIN IMMEDIATE')
      const isNew = versionOf(database, location) === 0
      database.exec(isNew ? `${SCHEMA} PRAGMA user_version = ${SCHEMA_VERSION}; COMMIT` : 'COMMIT')
    }
    database.exec(`PRAGMA busy_timeout = ${SHORT_WAIT_MS}`)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** As immutable: SQLite creates no file. */
function openImmutable(location: string): SqliteDatabase {
  const database = new (loadSqlite().DatabaseSync)(`${pathToFileURL(location).href}?immutable=1`, {
    readOnly: true,
  })
  try {
    versionOf(database, location)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

function versionOf(database: SqliteDatabase, location: string): number {
  const { user_version: version } = database.prepare('PRAGMA user_version').get() as { user_version: number }
  // A higher number is damage: no released version wrote it.
  if (version < 0 || version > SCHEMA_VERSION + MAX_VERSIONS_AHEAD) throw damagedBoard()
  if (version > SCHEMA_VERSION) throw newer(location, version)
  return version
}

/** Takes the write lock. Others hold it for long only on an overloaded machine. */
async function begin(database: SqliteDatabase): Promise<void> {
  const endMs = performance.now() + PATIENCE_MS
  for (;;) {
    try {
      return database.exec('BEGIN IMMEDIATE')
    } catch (error) {
      const code = sqliteErrorCode(error)
      if ((code !== SQLITE.BUSY && code !== SQLITE.LOCKED) || performance.now() > endMs) throw error
      await pause(1)
    }
  }
}

const pause = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms))

type Prepare = (sql: string) => SqliteStatement

function rowsOf(statement: Prepare, now: number): WorkRows {
  return { ...readsOf(statement, now), ...writesOf(statement, now) }
}

function readsOf(statement: Prepare, nowMs: number): WorkLook {
  return {
    nowMs,
    async find(ids) {
      const rows = statement('SELECT packed FROM task WHERE id IN (SELECT value FROM json_each(?))').all(
        JSON.stringify(ids),
      )
      return new Map(rows.map(taskOf).map(task => [task.id, task]))
    },
    async list({ limit, offset, ...filter }) {
      const { where, values } = whereOf(filter, nowMs)
      const order = isReadyQuery(filter)
        ? 'priority DESC, created_ms, place'
        : 'created_ms DESC, graph, place'
      return statement(`SELECT packed FROM task ${where} ORDER BY ${order} LIMIT ? OFFSET ?`)
        .all(...values, limit, offset)
        .map(taskOf)
    },
    async count(filter) {
      const { where, values } = whereOf(filter, nowMs)
      return (statement(`SELECT count(*) AS n FROM task ${where}`).get(...values) as { n: number }).n
    },
    async dependents(ids) {
      return statement(
        `SELECT packed FROM task WHERE id IN (SELECT task FROM dependency WHERE before IN (SELECT value FROM json_each(?))) ORDER BY id`,
      )
        .all(JSON.stringify(ids))
        .map(taskOf)
    },
    async graphs() {
      const rows = statement(
        `SELECT graph, state, count(*) AS n, min(created_ms) AS createdMs, max(due_ms) AS dueMs FROM task GROUP BY graph, state`,
      ).all() as StateCount[]
      return graphRows(rows)
    },
    async nextDueMs() {
      const row = statement(
        `SELECT min(due) AS due FROM (SELECT min(due_ms) AS due FROM task WHERE state = 'running'
           UNION ALL SELECT min(due_ms) FROM task WHERE state = 'ready' AND due_ms > ?)`,
      ).get(nowMs) as { due: number | null }
      return row.due ?? undefined
    },
  }
}

function writesOf(statement: Prepare, nowMs: number): Omit<WorkRows, keyof WorkLook> {
  const write = (sql: string, task: WorkTask) => {
    const { id, graph, standing, kind, agent = null, priority, createdMs, place } = task
    statement(sql).run(
      id,
      graph,
      standing.state,
      kind,
      agent,
      priority,
      createdMs,
      place,
      dueMs(task),
      JSON.stringify(task),
    )
  }
  return {
    async firstReady(asked) {
      const { where, values } = claimable(asked, nowMs)
      const row = statement(
        `SELECT packed FROM task ${where} ORDER BY priority DESC, created_ms, place LIMIT 1`,
      ).get(...values)
      return row === undefined ? undefined : taskOf(row)
    },
    async expired(limit) {
      return statement(
        `SELECT packed FROM task WHERE state = 'running' AND due_ms <= ? ORDER BY due_ms LIMIT ?`,
      )
        .all(nowMs, limit)
        .map(taskOf)
    },
    async ofGraph(graph) {
      return statement('SELECT packed FROM task WHERE graph = ? ORDER BY place').all(graph).map(taskOf)
    },
    async add(tasks) {
      for (const task of tasks) {
        write(
          `INSERT INTO task (id, graph, state, kind, agent, priority, created_ms, place, due_ms, packed) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
          task,
        )
        for (const before of task.after)
          statement('INSERT INTO dependency (before, task) VALUES (?, ?)').run(before, task.id)
      }
    },
    async put(tasks) {
      for (const task of tasks)
        write(
          `INSERT INTO task (id, graph, state, kind, agent, priority, created_ms, place, due_ms, packed) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
           ON CONFLICT (id) DO UPDATE SET state = excluded.state, due_ms = excluded.due_ms, packed = excluded.packed`,
          task,
        )
    },
    async removeGraph(graph) {
      statement('DELETE FROM dependency WHERE task IN (SELECT id FROM task WHERE graph = ?)').run(graph)
      statement('DELETE FROM dependency WHERE before IN (SELECT id FROM task WHERE graph = ?)').run(graph)
      statement('DELETE FROM task WHERE graph = ?').run(graph)
    },
  }
}

interface Where {
  readonly where: string
  readonly values: readonly SqliteValue[]
}

function whereOf(filter: TaskFilter, nowMs: number): Where {
  const { graph, states, kind, agent } = filter
  return joined([
    graph === undefined ? [] : ['graph = ?', graph],
    states === undefined ? [] : ['state IN (SELECT value FROM json_each(?))', JSON.stringify(states)],
    kind === undefined ? [] : ['kind = ?', kind],
    agent === undefined ? [] : ['(agent IS NULL OR agent = ?)', agent],
    isReadyQuery(filter) ? ['due_ms <= ?', nowMs] : [],
  ])
}

/** Whether the filter asks for tasks that can be claimed now. */
function isReadyQuery({ states }: TaskFilter): boolean {
  return states?.length === 1 && states[0] === 'ready'
}

function claimable({ graph, kinds, agent, task }: ReadyFilter, nowMs: number): Where {
  return joined([
    ["state = 'ready' AND due_ms <= ?", nowMs],
    graph === undefined ? [] : ['graph = ?', graph],
    kinds === undefined ? [] : ['kind IN (SELECT value FROM json_each(?))', JSON.stringify(kinds)],
    agent === undefined ? ['agent IS NULL'] : ['(agent IS NULL OR agent = ?)', agent],
    task === undefined ? [] : ['id = ?', task],
  ])
}

function joined(conditions: readonly (readonly [] | readonly [string, ...SqliteValue[]])[]): Where {
  const given = conditions.flatMap(condition => (condition.length === 0 ? [] : [condition]))
  const where = given.map(([sql]) => sql).join(' AND ')
  return { where: where === '' ? '' : `WHERE ${where}`, values: given.flatMap(([, ...values]) => values) }
}

/** The board cannot be written. */
const NO_PLACE: ReadonlySet<number | undefined> = new Set([
  SQLITE.FULL,
  SQLITE.IOERR,
  SQLITE.READONLY,
  SQLITE.CANTOPEN,
])

/** Only damage causes these: tables are missing, or rows contradict their index. */
const DAMAGE: ReadonlySet<number | undefined> = new Set([
  SQLITE.ERROR,
  SQLITE.CORRUPT,
  SQLITE.NOTADB,
  SQLITE.CONSTRAINT,
  SQLITE.MISMATCH,
])

function newer(location: string, version: number): CairnError {
  return new CairnError({
    code: 'vault_newer',
    message: `${location} was made by a newer Cairn (version ${version}; this one knows ${SCHEMA_VERSION}).`,
    hint: 'Update Cairn. Nothing was changed.',
  })
}

/** Unlike the index, a board cannot be rebuilt from files. */
function explained(error: unknown): unknown {
  if (DAMAGE.has(sqliteErrorCode(error))) return damagedBoard(error)
  return error instanceof CairnError ? error : explainSqlite(error)
}
