import * as path from 'node:path'
import type { OpenRoom, ReadableProjects, Room } from '../addons/across/decide/rooms.ts'
import { askedMeaning } from '../addons/across/visit.ts'
import type { ConflictPorts } from '../features/conflicts/decide/ports.ts'
import { readResolutions } from '../features/conflicts/decide/resolutions.ts'
import type { ProjectPorts } from '../features/projects/decide/ports.ts'
import { projectAt } from '../features/projects/resolve-project.ts'
import type { DocumentPorts, MeaningPorts, SearchPorts } from '../features/search/decide/ports.ts'
import { type SupersededParts, supersededBy } from '../features/search/superseded.ts'
import type { Memory } from '../kernel/memory.ts'
import type { ProjectName } from '../kernel/model/across.ts'
import { readConfig } from '../kernel/model/config.ts'
import type { KnownProject, KnownProjects } from '../kernel/model/project.ts'
import type { Degradation } from '../kernel/model/search.ts'
import type { DocumentReference } from '../kernel/model/workspace.ts'
import type { Disk } from '../kernel/system/disk.ts'
import { checkMemoryFolder, type MemoryPaths, memoryPaths } from '../kernel/system/paths.ts'
import { areStampsCurrent } from '../stores/embedded/freshness.ts'
import { journalFile } from '../stores/files/journal-file.ts'
import { loadDocument } from '../stores/files/json-documents.ts'
import { vaultFolder } from '../stores/files/vault-folder.ts'
import { explainUnread, openIndexToRead } from '../stores/sqlite/open-sqlite-index.ts'
import { sqliteConflicts } from '../stores/sqlite/sqlite-conflicts.ts'
import { countDocuments, referencesOf } from '../stores/sqlite/sqlite-documents.ts'
import { sqliteGraph } from '../stores/sqlite/sqlite-graph.ts'
import { sqliteSearch } from '../stores/sqlite/sqlite-search.ts'
import { sqliteCollectionVectors, sqliteVectors } from '../stores/sqlite/sqlite-vectors.ts'
import { DOCUMENTS_COLLECTION } from '../stores/sqlite/text-rows.ts'
import { guarded } from './guarded-ports.ts'

interface AcrossParts {
  readonly engine: () => Memory & SearchPorts & MeaningPorts & DocumentPorts & ConflictPorts & ProjectPorts
  readonly paths: MemoryPaths
  readonly disk: Disk
}

/**
 * The user's projects on this machine, as another project may read them: trusted, still existing, and not closed by their configuration.
 * Their content is read from their current index.
 */
export async function readableProjects({
  engine: memory,
  paths,
  disk,
}: AcrossParts): Promise<ReadableProjects> {
  const here = disk.realPath(paths.root) ?? paths.root
  const known = await memory().projects.read()
  const own = known === 'damaged' ? undefined : known.projects.find(({ root }) => root === here)
  const rooms: Room[] = []
  const meaningOf = (question: string) => askedMeaning(memory().semantics, question)
  const hasMemory = !memory().isUserMemory && disk.isFolder(paths.memory) === true
  if (hasMemory) rooms.push(ownRoom(memory(), nameOf(here, own, true)))
  if ((await memory().config())['across.reads'] === false)
    return { rooms, closed: 0, degraded: [READS_OFF], meaningOf }
  if (known === 'damaged') return { rooms, closed: 0, degraded: [REGISTRY_DAMAGED], meaningOf }
  const others = [...known.projects]
    .filter(({ root }) => root !== here)
    .sort((a, b) => (a.lastSeenAt < b.lastSeenAt ? 1 : a.lastSeenAt > b.lastSeenAt ? -1 : 0))
  let closed = 0
  for (const project of others) {
    const standing = standingOf(project, known, disk)
    if (standing === 'open') rooms.push(roomOf(project, disk))
    if (standing === 'closed') closed += 1
  }
  return { rooms, closed, degraded: [], meaningOf }
}

const READS_OFF: Degradation = {
  code: 'across_reads_off',
  message: 'This project looks into no other (across.reads is off): only its own memory was searched.',
}

const REGISTRY_DAMAGED: Degradation = {
  code: 'registry_damaged',
  message: 'The list of your projects cannot be read, so only this one was searched.',
}

/** `closed` also if the configuration cannot be read: consent must be explicit. */
function standingOf(project: KnownProject, known: KnownProjects, disk: Disk): 'open' | 'closed' | 'gone' {
  const { standing, id } = projectAt(project.root, known)
  if (standing === 'none') return 'gone'
  // Another project may have been moved to this place.
  if (standing !== 'trusted' || id !== project.id) return 'closed'
  const loaded = loadDocument(memoryPaths(project.root), disk, 'config.json')
  if (loaded.kind !== 'read') return 'closed'
  return readConfig(loaded.document)['across.visible'] === false ? 'closed' : 'open'
}

function nameOf(root: string, known: KnownProject | undefined, isHere: boolean): ProjectName {
  return { id: known?.id ?? root, name: known?.name ?? path.basename(root), root, isHere }
}

function ownRoom(
  memory: Memory & SearchPorts & MeaningPorts & DocumentPorts & ConflictPorts,
  project: ProjectName,
): Room {
  return {
    project,
    async open() {
      await memory.store.refresh()
      const { search, vectors } = memory.documentSearch
      const references = async (ids: readonly string[]) =>
        plainReferences(await memory.documentSearch.references(ids))
      return {
        ...((await memory.documentSearch.refresh()) && { documents: { search, vectors, references } }),
        search: memory.search,
        graph: memory.graph,
        vectors: memory.semantics.vectors,
        boundary: {},
        replaced: ids => supersededBy(memory, ids),
        degraded: memory.store.takeDegraded(),
        takeDegraded: () => [...memory.documentSearch.takeDegraded(), ...memory.semantics.takeDegraded()],
        // It was open before, and stays open.
        close: async () => undefined,
      }
    },
  }
}

function roomOf(known: KnownProject, disk: Disk): Room {
  const project = nameOf(known.root, known, false)
  return { project, open: async () => openRoom(memoryPaths(known.root), disk) }
}

async function openRoom(paths: MemoryPaths, disk: Disk): Promise<OpenRoom> {
  // A memory that is a link out of its project belongs to another owner.
  checkMemoryFolder(paths, disk)
  const index = openIndexToRead(paths.index, disk)
  try {
    const search = explained(sqliteSearch(() => index))
    const vectors = explained(sqliteVectors(() => index))
    const superseding: SupersededParts = {
      search,
      conflicts: explained(sqliteConflicts(() => index)),
      resolutions: async () => {
        const loaded = loadDocument(paths, disk, 'curation.json')
        return loaded.kind === 'read' ? readResolutions(loaded.document.conflicts) : []
      },
    }
    const folder = vaultFolder(paths, disk)
    const documents = {
      search: explained(sqliteSearch(() => index, DOCUMENTS_COLLECTION)),
      vectors: explained(sqliteCollectionVectors(() => index, DOCUMENTS_COLLECTION)),
      references: async (ids: readonly string[]) => plainReferences(referencesOf(index, ids)),
    }
    const isCurrent = areStampsCurrent({ index, folder, journal: journalFile(paths, disk) })
    return {
      search,
      graph: explained(sqliteGraph(() => index)),
      vectors,
      ...(countDocuments(index) > 0 && { documents }),
      boundary: { exceptPrivate: true },
      async replaced(ids) {
        const replaced = await supersededBy(superseding, ids)
        if (replaced.size === 0) return replaced
        const newer = await search.loadEntries([...new Set(replaced.values())])
        return new Map([...replaced].filter(([, id]) => newer.get(id)?.agent !== 'private'))
      },
      degraded: isCurrent ? [] : [STALE],
      takeDegraded: () => [],
      close: async () => index.close(),
    }
  } catch (error) {
    index.close()
    throw explainUnread(error)
  }
}

/** How complete a document is in its index is not reported here. */
function plainReferences(
  references: ReadonlyMap<string, DocumentReference & { readonly isCut: boolean }>,
): ReadonlyMap<string, DocumentReference> {
  return new Map(Array.from(references, ([id, { isCut: _, ...reference }]) => [id, reference]))
}

const STALE: Degradation = {
  code: 'index_stale',
  message: 'files changed since it was last used, so what is newest may be missing.',
}

/** A memory that is damaged during the read counts as unreadable. */
function explained<Port extends Record<keyof Port, (...values: never[]) => Promise<unknown>>>(
  port: Port,
): Port {
  return guarded(port, {
    async guarded(work) {
      try {
        return await work()
      } catch (error) {
        throw explainUnread(error)
      }
    },
  })
}
