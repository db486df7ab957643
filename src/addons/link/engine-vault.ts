import type { ReviewPorts } from '../../features/review/decide/ports.ts'
import type { MeaningPorts, SearchPorts } from '../../features/search/decide/ports.ts'
import type { GitPorts } from '../../features/validate/decide/ports.ts'
import type { Memory } from '../../kernel/memory.ts'
import { AUTOMATIC, type Entry } from '../../kernel/model/entry.ts'
import type { Change } from '../../kernel/model/journal.ts'
import { PROJECT_TEXT } from '../../kernel/system/paths.ts'
import type { JsonObject } from '../../kernel/vault/ports.ts'
import type { LinkState } from './decide/link-state.ts'
import type { Documents, SharedDocument } from './decide/protocol.ts'
import { entriesNamedIn, readCuration, sharedCuration, wholeCuration } from './decide/shared-documents.ts'
import { isShared } from './decide/shared-entry.ts'
import { journalVersions } from './journal-versions.ts'
import type { LocalVault } from './local-vault.ts'

const PAGE = 5_000

/** The local memory, as a sync reads and writes it. Its writes are one batch in the journal, without an author. */
export function engineVault(
  memory: Memory & SearchPorts & MeaningPorts & ReviewPorts & GitPorts,
  { batch, state }: { readonly batch: string; readonly state: LinkState },
): LocalVault {
  const { store } = memory
  const versions = journalVersions(memory)
  /** The private part of a document: about entries that are not shared, or were not shared while they existed. */
  const unsharedIn = async (
    document: JsonObject,
    find: (ids: readonly string[]) => Promise<ReadonlyMap<string, Pick<Entry, 'agent'>>>,
  ) => {
    const ids = entriesNamedIn(document)
    const standing = await find(ids)
    const gone = ids.filter(id => !standing.has(id))
    const there = gone.length === 0 ? new Set() : knownThere(state, gone)
    return new Set(
      ids.filter(id => {
        const entry = standing.get(id)
        return entry === undefined ? !there.has(id) : !isShared(entry)
      }),
    )
  }
  const unsharedNow = async (view: View, document: JsonObject) => {
    const unshared = await unsharedIn(document, async ids => {
      const found = await Promise.all(ids.map(id => view.findEntry(id)))
      return new Map(found.flatMap(entry => (entry === undefined ? [] : [[entry.id, entry]])))
    })
    return (id: string) => unshared.has(id)
  }
  return {
    async *entries() {
      for (let offset = 0; ; offset += PAGE) {
        const { entries } = await store.listEntries({ filter: {}, limit: PAGE, offset })
        if (entries.length > 0) yield entries
        if (entries.length < PAGE) return
      }
    },
    async find(ids) {
      await store.refresh()
      return memory.search.loadEntries(ids)
    },
    async documents(): Promise<Documents> {
      const curation = await store.readDocument('curation.json')
      const unshared = await unsharedIn(curation, ids => memory.search.loadEntries(ids))
      return {
        'curation.json': sharedCuration(curation, id => unshared.has(id)),
        '_project.md': (await memory.projectText()) ?? null,
      }
    },
    async write(decide) {
      const record = await store.write(AUTOMATIC, async view => {
        const decided = await decide({
          find: id => view.findEntry(id),
          newId: () => view.newId(),
          async document(name) {
            if (name === '_project.md') return (await view.readFile(PROJECT_TEXT)) ?? null
            const curation = await view.readDocument(name)
            return sharedCuration(curation, await unsharedNow(view, curation))
          },
        })
        if (decided === null) return null
        const changes: Change[] = decided.entries.map(({ before, after }) => ({
          type: 'entry',
          before,
          after,
        }))
        for (const { name, body } of decided.documents)
          changes.push(await documentChange(name, body, view, unsharedNow))
        return { action: 'sync', changes, batch }
      })
      return record?.id ?? null
    },
    hadSince: asked => versions.hadSince(asked),
    formerly: asked => versions.formerly(asked),
    async lastRecord() {
      for await (const { id } of store.readJournal({ limit: 1 })) return id
      return null
    },
  }
}

type View = Parameters<Parameters<Memory['store']['write']>[1]>[0]

async function documentChange(
  name: SharedDocument,
  body: string | null,
  view: View,
  unsharedNow: (view: View, document: JsonObject) => Promise<(id: string) => boolean>,
): Promise<Change> {
  if (name === '_project.md')
    return {
      type: 'file',
      path: PROJECT_TEXT,
      before: (await view.readFile(PROJECT_TEXT)) ?? null,
      after: body,
    }
  const before = await view.readDocument(name)
  return {
    type: 'document',
    name,
    before,
    after: wholeCuration(body, before, await unsharedNow(view, before)),
  }
}

/** Of entries that no longer exist here: those that the hub has or has decisions about. */
function knownThere(state: LinkState, ids: readonly string[]): ReadonlySet<string> {
  const said = state.documents()['curation.json']
  const there = new Set(said === null ? [] : entriesNamedIn(readCuration(said)))
  for (const [id, { print }] of state.agreed(ids)) if (print !== null) there.add(id)
  return there
}
