import type { AcrossProjects, Room } from '../addons/across/decide/rooms.ts'
import { askedMeaning } from '../addons/across/visit.ts'
import { ownNotes } from '../addons/hub/own-notes.ts'
import { supersededBy } from '../features/search/superseded.ts'
import type { HubProject, Principal } from '../kernel/model/hub.ts'
import type { ComposedHub } from './composed.ts'

/** Questions of one answer that are under way at once: the pool is for everybody. */
const AT_ONCE = 4

export interface HubRooms {
  /** Those that somebody may read, and no other. */
  readable(principal: Principal): Promise<readonly HubProject[]>
  engineOf(project: HubProject): ComposedHub
}

/**
 * The projects of a hub that a token may read, each asked as its own tenant: row-level security lets a question about one see no other. What
 * may not be read is not counted either, so that an answer is the same whether it is there or not. `here`: the project that is asked in.
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
        // The hub keeps its engines.
        close: async () => undefined,
      }
    },
  }
}
