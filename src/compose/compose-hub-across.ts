import type { AcrossProjects, Room } from '../addons/across/decide/rooms.ts'
import { askedMeaning } from '../addons/across/visit.ts'
import { ownNotes } from '../addons/hub/own-notes.ts'
import { supersededBy } from '../features/search/superseded.ts'
import type { HubProject, Principal } from '../kernel/model/hub.ts'
import type { ComposedHub } from './composed.ts'

/** Parallel queries of one request: all requests share the pool. */
const AT_ONCE = 4

interface HubRooms {
  /** Only the projects that the principal may read. */
  readable(principal: Principal): Promise<readonly HubProject[]>
  engineOf(project: HubProject): ComposedHub
}

/**
 * The projects of a hub that a token may read, each queried as its own tenant: row-level security hides all others. Unreadable projects
 * are not counted either, so that the answer does not depend on their existence. `here`: the current project.
 */
export function hubAcross(hub: HubRooms, principal: Principal, here?: HubProject): AcrossProjects {
  return {
    atOnce: AT_ONCE,
    hasOthers: async () => (await hub.readable(principal)).some(({ number }) => number !== here?.number),
    async readable() {
      const projects = [...(await hub.readable(principal))].sort(
        (a, b) => Number(b.number === here?.number) - Number(a.number === here?.number),
      )
      const isAlone = here !== undefined && !(await hub.engineOf(here).config())['across.reads']
      const rooms = projects
        .filter(({ number }) => !isAlone || number === here?.number)
        .map(project => roomOf(hub, project, project.number === here?.number))
      const [asker] = projects
      return {
        rooms,
        closed: 0,
        degraded: isAlone ? [READS_OFF] : [],
        meaningOf: async question =>
          asker === undefined
            ? { degraded: [] }
            : askedMeaning(ownNotes(hub.engineOf(asker).semantics), question),
      }
    },
  }
}

const READS_OFF = {
  code: 'across_reads_off',
  message: 'This project looks into no other (across.reads is off): only its own memory was searched.',
} as const

function roomOf(hub: HubRooms, project: HubProject, isHere: boolean): Room {
  return {
    project: { id: project.name, name: project.name, root: null, isHere },
    async open() {
      const memory = hub.engineOf(project)
      if (!isHere && !(await memory.config())['across.visible']) return 'closed'
      return {
        search: memory.search,
        graph: memory.graph,
        vectors: memory.semantics.vectors,
        boundary: isHere ? {} : { exceptPrivate: true },
        replaced: ids => supersededBy(memory, ids),
        degraded: memory.store.takeDegraded(),
        takeDegraded: () => memory.semantics.takeDegraded(),
        // The hub closes its memories.
        close: async () => undefined,
      }
    },
  }
}
