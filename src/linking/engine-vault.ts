import type { Engine } from '../engine-parts.ts'
import { AUTOMATIC, type Entry } from '../model/entry.ts'
import { type Change, type JournalRecord, MOST_FORMER } from '../model/journal.ts'
import type { Documents, SharedDocument } from '../pipeline/sync/protocol.ts'
import { sharedCuration, wholeCuration } from '../pipeline/sync/shared-documents.ts'
import { isShared, printOfEntry, UNSHARED_VAULT } from '../pipeline/sync/shared-entry.ts'
import { PROJECT_TEXT } from '../system/paths.ts'
import { versionPrint } from '../system/version-print.ts'
import { hadByGit } from './had-by-git.ts'
import type { HadQuestion, LocalVault } from './local-vault.ts'

const PAGE = 5_000
/** Of the journal: older changes than these were agreed about long ago. */
const MOST_RECORDS = 50_000
const MOST_RECORDS_OF_ANY_SYNC = 5_000

/** The memory here, as a sync reads and writes it. What it writes is on record as one batch of nobody's. */
export function engineVault(engine: Engine, batch: string): LocalVault {
  const { store } = engine
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
    hadSince: asked => hadSince(engine, asked),
    formerly: asked => formerly(engine, asked),
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

/** One walk back through the journal for all of them; git is asked about those that the journal does not know. */
async function hadSince(engine: Engine, asked: readonly HadQuestion[]): Promise<ReadonlySet<string>> {
  const had = new Set<string>()
  const open = new Map(asked.map(question => [question.id, question]))
  let left = MOST_RECORDS
  for await (const record of engine.store.readJournal({})) {
    if (open.size === 0 || left-- <= 0) break
    for (const [id, prints] of versionsIn(record, open)) {
      const question = open.get(id)
      for (const print of prints) {
        if (question === undefined || !open.has(id)) break
        if (print === question.print) {
          had.add(id)
          open.delete(id)
        } else if (question.agreed !== undefined && print === question.agreed) open.delete(id)
      }
    }
  }
  const unknown = asked.filter(({ id }) => !had.has(id))
  return unknown.length === 0 ? had : new Set([...had, ...(await hadByGit(engine, unknown))])
}

/** The same walk, a shorter one: it is taken at every sync. An entry that was added here had no version before. */
async function formerly(
  { store }: Engine,
  asked: Parameters<LocalVault['formerly']>[0],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const versions = new Map<string, Set<string>>()
  const open = new Map(asked.map(question => [question.id, question]))
  let left = MOST_RECORDS_OF_ANY_SYNC
  for await (const record of store.readJournal({})) {
    if (open.size === 0 || left-- <= 0) break
    for (const [id, prints] of versionsIn(record, open)) {
      const question = open.get(id)
      const known = versions.get(id) ?? new Set()
      for (const print of prints) {
        if (question === undefined || !open.has(id)) break
        if (print === question.agreed || known.size === MOST_FORMER) open.delete(id)
        else if (print !== null) versions.set(id, known.add(print))
      }
      if (prints.at(-1) === null) open.delete(id)
    }
  }
  return new Map([...versions].map(([id, prints]) => [id, [...prints]]))
}

/** What a record made of each entry that is asked about, and what it found: an entry may have come in a way that left no record. */
function* versionsIn(
  { changes }: JournalRecord,
  asked: ReadonlyMap<string, unknown>,
): Iterable<readonly [string, readonly (string | null)[]]> {
  for (const change of [...changes].reverse()) {
    if (change.type !== 'entry') continue
    const id = (change.after ?? change.before)?.id ?? ''
    if (asked.has(id)) yield [id, [printOr(change.after), printOr(change.before)]]
  }
}

function printOr(entry: Entry | null): string | null {
  return entry === null || !isShared(entry) ? null : printOfEntry(entry, versionPrint)
}
