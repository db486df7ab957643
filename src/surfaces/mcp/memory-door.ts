import type { Automation } from '../../compose/automation.ts'
import type { Composed } from '../../compose/composed.ts'
import { neutraliseName } from '../../features/brief/decide/fence.ts'
import { resolveProject } from '../../features/projects/resolve-project.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { ResolvedProject } from '../../kernel/model/project.ts'

/** A memory that this server has opened, and what runs beside it. */
export interface OpenMemory {
  readonly engine: Composed
  readonly automation: Automation
}

export interface MemoryDoor {
  /** Works with the memory of whoever stands in `folder`. Throws `not_initialised`, `not_trusted`. */
  enter<T>(folder: string, work: (memory: OpenMemory) => Promise<T>): Promise<T>
  /** How the project of that folder stands with this user. */
  standingOf(folder: string): ResolvedProject['standing']
  /** When nothing is under way any longer. */
  settled(): Promise<void>
  /** Lets what is under way be finished, and closes everything. */
  close(): Promise<void>
}

/** One server may be asked for several projects (a hook says where it was called); few are open at once. */
const MAX_OPEN = 4

interface Room {
  readonly memory: OpenMemory
  /** Calls under way. */
  busy: number
}

/**
 * Opens memories when they are first asked for, each once. Whether a project is trusted is asked at every call: the user may say yes or
 * no while the server runs. `root` is the user's own yes: it was named to this server.
 */
export function memoryDoor({
  root,
  open,
  resolve = resolveProject,
}: {
  readonly root: string | undefined
  readonly open: (root: string) => OpenMemory
  readonly resolve?: (folder: string) => ResolvedProject
}): MemoryDoor {
  const roomByRoot = new Map<string, Room>()
  const underWay = new Set<Promise<unknown>>()

  const close = async (at: string) => {
    const room = roomByRoot.get(at)
    roomByRoot.delete(at)
    await room?.memory.automation.stop()
    await room?.memory.engine.close()
  }
  const roomOf = (at: string): Room => {
    const known = roomByRoot.get(at)
    const room = known ?? { memory: open(at), busy: 0 }
    // The last used comes last.
    roomByRoot.delete(at)
    roomByRoot.set(at, room)
    if (known === undefined && roomByRoot.size > MAX_OPEN) {
      const [idle] = [...roomByRoot].filter(([other, { busy }]) => busy === 0 && other !== at)
      if (idle !== undefined) void follow(close(idle[0]))
    }
    return room
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
    // It was trusted a moment ago: nothing of ours works there any longer.
    if (roomByRoot.get(at)?.busy === 0) void follow(close(at))
    throw standing === 'none' ? notInitialised(at) : notTrusted(at)
  }
  const settled = async () => {
    while (underWay.size > 0) await Promise.all(underWay)
  }
  return {
    enter(folder, work) {
      const entered = async () => {
        const room = roomOf(placeOf(folder))
        room.busy++
        try {
          return await work(room.memory)
        } finally {
          room.busy--
        }
      }
      return follow(entered())
    },
    standingOf: folder => (root !== undefined ? 'trusted' : resolve(folder).standing),
    settled,
    async close() {
      await settled()
      for (const at of [...roomByRoot.keys()]) await close(at)
    },
  }
}

export function notInitialised(root: string): CairnError {
  return new CairnError({
    code: 'not_initialised',
    message: `There is no memory in ${neutraliseName(root, 300)} yet.`,
    hint: 'Ask the user to run `cairn init` there; then call this again. Nothing is remembered until then.',
  })
}

export function notTrusted(root: string): CairnError {
  return new CairnError({
    code: 'not_trusted',
    message: `The memory in ${neutraliseName(root, 300)} came from elsewhere, and this user has not trusted it.`,
    hint: 'Ask the user to look at it and run `cairn trust` there; then call this again.',
  })
}
