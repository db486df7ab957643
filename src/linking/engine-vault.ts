import type { Engine } from '../engine-parts.ts'
import { AUTOMATIC, type Entry } from '../model/entry.ts'
import type { Change } from '../model/journal.ts'
import type { Documents, SharedDocument } from '../pipeline/sync/protocol.ts'
import { sharedCuration, wholeCuration } from '../pipeline/sync/shared-documents.ts'
import { UNSHARED_VAULT } from '../pipeline/sync/shared-entry.ts'
import { PROJECT_TEXT } from '../system/paths.ts'
import { journalVersions } from './journal-versions.ts'
import type { LocalVault } from './local-vault.ts'

const PAGE = 5_000

/** The memory here, as a sync reads and writes it. What it writes is on record as one batch of nobody's. */
export function engineVault(engine: Engine, batch: string): LocalVault {
  const { store } = engine
  const versions = journalVersions(engine)
  async function* entriesOf(filter: { readonly agent?: string }): AsyncIterable<readonly Entry[]> {
    for (let offset = 0; ; offset += PAGE) {
      const { entries } = await store.listEntries({ filter, limit: PAGE, offset })
      if (entries.length > 0) yield entries
      if (entries.length < PAGE) return
    }
  }
  const unsharedIds = async () => {
    const ids = new Set<string>()
    for await (const page of entriesOf({ agent: UNSHARED_VAULT })) for (const { id } of page) ids.add(id)
    return ids
  }
  return {
    entries: () => entriesOf({}),
    async find(ids) {
      await store.refresh()
      return engine.search.loadEntries(ids)
    },
    async documents(): Promise<Documents> {
      const unshared = await unsharedIds()
      return {
        'curation.json': sharedCuration(await store.readDocument('curation.json'), id => unshared.has(id)),
        '_project.md': (await engine.projectText()) ?? null,
      }
    },
    async write(decide) {
      // Before the lock: reading takes it too.
      const unshared = await unsharedIds()
      const isUnshared = (id: string) => unshared.has(id)
      const record = await store.write(AUTOMATIC, async view => {
        const decided = await decide({
          find: id => view.findEntry(id),
          newId: () => view.newId(),
          async document(name) {
            if (name === '_project.md') return (await view.readFile(PROJECT_TEXT)) ?? null
            return sharedCuration(await view.readDocument(name), isUnshared)
          },
        })
        if (decided === null) return null
        const changes: Change[] = decided.entries.map(({ before, after }) => ({
          type: 'entry',
          before,
          after,
        }))
        for (const { name, body } of decided.documents)
          changes.push(await documentChange(name, body, view, isUnshared))
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

type View = Parameters<Parameters<Engine['store']['write']>[1]>[0]

async function documentChange(
  name: SharedDocument,
  body: string | null,
  view: View,
  isUnshared: (id: string) => boolean,
): Promise<Change> {
  if (name === '_project.md')
    return {
      type: 'file',
      path: PROJECT_TEXT,
      before: (await view.readFile(PROJECT_TEXT)) ?? null,
      after: body,
    }
  const before = await view.readDocument(name)
  return { type: 'document', name, before, after: wholeCuration(body, before, isUnshared) }
}
