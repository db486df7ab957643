import type { ChangeListener, MemoryChanges } from '../../features/overview/decide/ports.ts'
import { MEMORY_PARTS, type MemoryPart } from '../../kernel/layout.ts'
import type { SqlPool } from './sql-pool.ts'
import type { Tenant } from './tenant.ts'

/** One channel for all projects: a server listens on one connection, however many memories are open. */
const CHANNEL = 'cairn_changes'

/** The database sends it when the current transaction commits, and never after a rollback. */
export async function announce(tenant: Tenant, parts: Iterable<MemoryPart>): Promise<void> {
  const told = [...new Set(parts)].sort().join(',')
  if (told !== '') await tenant.query(`SELECT pg_notify('${CHANNEL}', $1::int || ' ' || $2::text)`, told)
}

export function postgresChanges(pool: SqlPool, tenant: Tenant): MemoryChanges {
  return {
    async listen(listener) {
      const exchange = exchangeOf(pool)
      return exchange.add(tenant.project, listener)
    },
  }
}

/** Listeners by project; the connection is open as long as there is one. */
class Exchange {
  readonly #pool: SqlPool
  readonly #listenersByProject = new Map<number, Set<ChangeListener>>()
  #listening: Promise<() => Promise<void>> | undefined

  constructor(pool: SqlPool) {
    this.#pool = pool
  }

  async add(project: number, listener: ChangeListener): Promise<() => void> {
    const listeners = this.#listenersByProject.get(project) ?? new Set()
    this.#listenersByProject.set(project, listeners.add(listener))
    const leave = () => this.#leave(project, listener)
    try {
      this.#listening ??= this.#pool.listen(CHANNEL, {
        onNotice: payload => this.#tell(payload),
        // Notices may have been missed meanwhile.
        onGap: () => this.#tellAll(),
      })
      await this.#listening
    } catch (error) {
      this.#listening = undefined
      leave()
      throw error
    }
    return leave
  }

  #leave(project: number, listener: ChangeListener): void {
    const listeners = this.#listenersByProject.get(project)
    listeners?.delete(listener)
    if (listeners?.size === 0) this.#listenersByProject.delete(project)
    if (this.#listenersByProject.size > 0) return
    const listening = this.#listening
    this.#listening = undefined
    // Nothing waits for the connection to close, and a failure to close it has no consequence.
    listening?.then(stop => stop()).catch(() => undefined)
  }

  #tell(payload: string): void {
    const [project, told = ''] = payload.split(' ')
    const parts = new Set(MEMORY_PARTS.filter(part => told.split(',').includes(part)))
    if (parts.size === 0) return
    for (const listener of this.#listenersByProject.get(Number(project)) ?? []) listener.onChange(parts)
  }

  #tellAll(): void {
    for (const listeners of this.#listenersByProject.values())
      for (const listener of listeners) listener.onChange(new Set(MEMORY_PARTS))
  }
}

const exchangeByPool = new WeakMap<SqlPool, Exchange>()

function exchangeOf(pool: SqlPool): Exchange {
  const known = exchangeByPool.get(pool) ?? new Exchange(pool)
  exchangeByPool.set(pool, known)
  return known
}
