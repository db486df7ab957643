import { AsyncLocalStorage } from 'node:async_hooks'
import type { BackupRows } from '../addons/backup/decide/backup-rows.ts'
import { type AuditLimits, type AuditTrail, auditTrail } from '../addons/hub/audit-trail.ts'
import { backgroundPace } from '../addons/hub/background-pace.ts'
import type { HubDirectory } from '../addons/hub/decide/hub-directory.ts'
import { scopeIn } from '../addons/hub/decide/judge-request.ts'
import { type Gate, openGate, type TakeTurn } from '../addons/hub/gate.ts'
import { type Administrator, type HubDesk, hubDesk } from '../addons/hub/hub-desk.ts'
import type { Embedder } from '../features/search/decide/ports.ts'
import { TURN_MS } from '../features/upkeep/decide/ports.ts'
import type { HubProject, Principal } from '../kernel/model/hub.ts'
import { type Clock, systemClock } from '../kernel/system/clock.ts'
import { backupRows } from '../stores/postgres/database-backup.ts'
import { migrate } from '../stores/postgres/migrate.ts'
import { postgresDirectory } from '../stores/postgres/postgres-directory.ts'
import { checkServer, connectTo, type DatabaseState, databaseState } from '../stores/postgres/reach-server.ts'
import type { SqlPool } from '../stores/postgres/sql-pool.ts'
import { type Automation, automate } from './automation.ts'
import { composePostgresEngine } from './compose-postgres.ts'
import type { ComposedHub } from './composed.ts'

interface OpenHubOptions {
  /** `postgres://user:password@host:5432/database`, or an open pool, which is closed with the hub. */
  readonly store: string | SqlPool
  readonly mostConnections?: number
  readonly clock?: Clock
  readonly embedder?: Embedder
  readonly takeTurn?: TakeTurn
  readonly auditLimits?: AuditLimits
  readonly onFault?: (error: unknown) => void
}

/** Many memories in one database, with their permissions. */
export interface Hub {
  readonly pool: SqlPool
  readonly directory: HubDirectory
  readonly clock: Clock
  readonly gate: Gate
  readonly trail: AuditTrail
  deskOf(by: Administrator): HubDesk
  /** The same memory for as long as it is used now and then. */
  engineOf(project: HubProject): ComposedHub
  /** After a write: vectors and upkeep follow; `more` waits for the last of several writes. */
  wake(project: HubProject, expect?: { readonly more: boolean }): void
  /** Whether requests are running: background work waits for them. */
  giveWayTo(isAnswering: () => boolean): void
  /** The projects that the principal may read, by name. */
  readable(principal: Principal): Promise<readonly HubProject[]>
  /** Whether the database answers, with tables of this version. */
  database(): Promise<DatabaseState>
  /** Number of open projects. */
  openProjects(): number
  /** Number of background tasks so far. */
  backgroundSteps(): number
  close(): Promise<void>
}

interface Room {
  readonly engine: ComposedHub
  automation: Automation | undefined
  /** No background work before this time. */
  quietUntilMs: number
  /** Work that is still pending after a turn has expired belonged to a server that died or failed. */
  wokenMs: number
}

/** A client sends a memory in parts: the next part arrives within this time. */
const QUIET_MS = 3_000

/** Cached memories of projects: one is a few closures and a cache of its settings. */
const MAX_OPEN = 1_024

/** Connects and migrates; it serves no request yet. */
export async function openHub(options: OpenHubOptions): Promise<Hub> {
  const { clock = systemClock, onFault = () => undefined } = options
  const pool =
    typeof options.store === 'string'
      ? await connectTo({
          url: options.store,
          onIdleError: onFault,
          ...(options.mostConnections !== undefined && { most: options.mostConnections }),
        })
      : options.store
  try {
    await checkServer(pool)
    await migrate(pool)
  } catch (error) {
    await pool.close()
    throw error
  }
  const directory = postgresDirectory(pool)
  const trail = auditTrail({
    directory,
    clock,
    onFault,
    ...(options.auditLimits !== undefined && { limits: options.auditLimits }),
  })
  const gate = openGate({ directory, clock, trail, onFault, takeTurn: options.takeTurn ?? (() => 0) })
  const rooms = new Map<number, Room>()
  const closing = new Set<Promise<void>>()
  const pace = backgroundPace(clock)
  // Background work must not run in the transaction of the read that started it.
  const outsideOfAll = AsyncLocalStorage.snapshot()
  let steps = 0

  const leave = (number: number) => {
    const room = rooms.get(number)
    rooms.delete(number)
    if (room === undefined) return
    const left = endRoom(room).catch(onFault)
    closing.add(left)
    void left.finally(() => closing.delete(left))
  }
  const roomOf = (project: HubProject): Room => {
    const known = rooms.get(project.number)
    const room: Room = known ?? {
      engine: composePostgresEngine({
        pool,
        project,
        clock,
        actor: { host: 'hub' },
        // A server that died or released the project leaves its work to the next server with a request.
        onBehind: () => {
          if (rooms.get(project.number) === room && clock.nowMs() - room.wokenMs > TURN_MS) wake(room)
        },
        ...(options.embedder !== undefined && { embedder: options.embedder }),
      }),
      automation: undefined,
      quietUntilMs: 0,
      wokenMs: Number.NEGATIVE_INFINITY,
    }
    // Move to the end: the most recently used.
    rooms.delete(project.number)
    rooms.set(project.number, room)
    const [oldest] = rooms.keys()
    if (rooms.size > MAX_OPEN && oldest !== undefined) leave(oldest)
    return room
  }
  const turnIn = async (room: Room): Promise<void> => {
    const quietMs = () => (pace.isEnded() ? 0 : room.quietUntilMs - clock.nowMs())
    do {
      while (quietMs() > 0) await pace.wait(quietMs())
      await pace.turn()
    } while (quietMs() > 0)
    steps++
  }
  const wake = (room: Room) =>
    outsideOfAll(() => {
      room.wokenMs = clock.nowMs()
      room.automation ??= automate(room.engine, { turn: () => turnIn(room) })
      room.automation.wake()
    })
  return {
    pool,
    directory,
    clock,
    gate,
    trail,
    deskOf: by => hubDesk(directory, clock, by),
    engineOf: project => roomOf(project).engine,
    wake(project, { more } = { more: false }) {
      const room = roomOf(project)
      if (more) room.quietUntilMs = clock.nowMs() + QUIET_MS
      wake(room)
    },
    giveWayTo: pace.giveWayTo,
    readable: async principal =>
      (await directory.projects()).filter(
        ({ name, archivedMs }) => archivedMs === undefined && scopeIn(principal, name) !== undefined,
      ),
    database: databaseState(pool),
    openProjects: () => rooms.size,
    backgroundSteps: () => steps,
    async close() {
      gate.close()
      pace.end()
      for (const number of [...rooms.keys()]) leave(number)
      await Promise.all(closing)
      await trail.close()
      await pool.close()
    },
  }
}

async function endRoom({ engine: memory, automation }: Room): Promise<void> {
  await automation?.stop()
  await memory.close()
}

/** For one command: the admin API for a caller with the password of the database. */
export async function openDesk(
  store: string | SqlPool,
  by: Administrator,
): Promise<{ readonly desk: HubDesk; readonly rows: BackupRows; close(): Promise<void> }> {
  const hub = await openHub({ store, mostConnections: 2 })
  return { desk: hub.deskOf(by), rows: backupRows(hub.pool), close: () => hub.close() }
}
