import type { Automation } from '../../compose/automation.ts'
import type { Composed } from '../../compose/composed.ts'
import { neutraliseName } from '../../features/brief/decide/fence.ts'
import { resolveProject } from '../../features/projects/resolve-project.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { ResolvedProject } from '../../kernel/model/project.ts'

/** A memory that this server has open, and its background work. */
export interface OpenMemory {
  readonly engine: Composed
  readonly automation: Automation
}

export interface MemoryPool {
  /** Works with the memory of the project that `folder` is in. Throws `not_initialised`, `not_trusted`. */
  enter<T>(folder: string, work: (memory: OpenMemory) => Promise<T>): Promise<T>
  /** Whether this user trusts the project of that folder. */
  standingOf(folder: string): ResolvedProject['standing']
  /** Resolves when no call is running. */
  settled(): Promise<void>
  /** Waits for running calls, and closes everything. */
  close(): Promise<void>
}

/** One server can be called for several projects (a hook names its folder); few are open at the same time. */
const MAX_OPEN = 4

interface PooledMemory {
  readonly memory: OpenMemory
  /** Running calls. */
  busy: number
}

/**
 * Opens each memory at its first call. Every call checks whether its project is trusted: the user may trust or distrust it while the
 * server runs. `root` was named to this server by the user, and is trusted.
 */
export function memoryPool({
  root,
  open,
  resolve = resolveProject,
}: {
  readonly root: string | undefined
  readonly open: (root: string) => OpenMemory
  readonly resolve?: (folder: string) => ResolvedProject
}): MemoryPool {
  const memoryByRoot = new Map<string, PooledMemory>()
  const underWay = new Set<Promise<unknown>>()

  const close = async (at: string) => {
    const pooled = memoryByRoot.get(at)
    memoryByRoot.delete(at)
    await pooled?.memory.automation.stop()
    await pooled?.memory.engine.close()
  }
  const pooledAt = (at: string): PooledMemory => {
    const known = memoryByRoot.get(at)
    const pooled = known ?? { memory: open(at), busy: 0 }
    // The last one used comes last.
    memoryByRoot.delete(at)
    memoryByRoot.set(at, pooled)
    if (known === undefined && memoryByRoot.size > MAX_OPEN) {
      const [idle] = [...memoryByRoot].filter(([other, { busy }]) => busy === 0 && other !== at)
      if (idle !== undefined) void follow(close(idle[0]))
    }
    return pooled
  }
  const follow = <T>(work: Promise<T>): Promise<T> => {
    const settled = work.then(
      () => undefined,
      () => undefined,
    )
    underWay.add(settled)
    void settled.then(() => underWay.delete(settled))
    return work
  }
  const placeOf = (folder: string): string => {
    if (root !== undefined) return root
    const { root: at, standing } = resolve(folder)
    if (standing === 'trusted') return at
    // It was trusted before: close what is open there.
    if (memoryByRoot.get(at)?.busy === 0) void follow(close(at))
    throw standing === 'none' ? notInitialised(at) : notTrusted(at)
  }
  const settled = async () => {
    while (underWay.size > 0) await Promise.all(underWay)
  }
  return {
    enter(folder, work) {
      const entered = async () => {
        const pooled = pooledAt(placeOf(folder))
        pooled.busy++
        try {
          return await work(pooled.memory)
        } finally {
          pooled.busy--
        }
      }
      return follow(entered())
    },
    standingOf: folder => (root !== undefined ? 'trusted' : resolve(folder).standing),
    settled,
    async close() {
      await settled()
      for (const at of [...memoryByRoot.keys()]) await close(at)
    },
  }
}

export function notInitialised(root: string): CairnError {
  return new CairnError({
    code: 'not_initialised',
    message: `${neutraliseName(root, 300)} has no memory yet.`,
    hint: 'Ask the user to run `cairn init` there; then call this again. Nothing is remembered until then.',
  })
}

export function notTrusted(root: string): CairnError {
  return new CairnError({
    code: 'not_trusted',
    message: `The memory in ${neutraliseName(root, 300)} came from elsewhere, and this user has not trusted it.`,
    hint: 'Ask the user to review it and run `cairn trust` there; then call this again.',
  })
}
