import type { ImportReport, Memory, NewEntry } from '../src/api.ts'
import type { BeirDocument, BeirFolder, BeirQuery } from './beir-folder.ts'
import type { Library } from './bench.ts'
import { withTemporaryProject } from './temporary-project.ts'

export interface BeirMemory {
  readonly memory: Memory
  readonly report: ImportReport
  /** The entry that a document became; a document that could not be taken has none. */
  readonly entryByDocument: ReadonlyMap<string, string>
  /** Sets the clock to when this is asked. */
  readonly askedAt: (query: BeirQuery) => void
}

/** A folder as a memory in a project of its own, through the public library. */
export function withMemoryOf<T>(
  library: Library,
  { folder, isWordsOnly }: { folder: BeirFolder; isWordsOnly: boolean },
  use: (given: BeirMemory) => Promise<T>,
): Promise<T> {
  return withTemporaryProject(async root => {
    let nowMs: number | undefined
    const memory = await library.openMemory({ root, now: () => nowMs ?? Date.now(), upkeep: 'never' })
    try {
      const report = await memory.importEntries(
        folder.documents.map(document => newEntryOf(document, library.CATEGORIES)),
      )
      if (!isWordsOnly) await memory.embed()
      const entryByDocument = new Map<string, string>()
      folder.documents.forEach((document, i) => {
        const id = report.ids[i]
        if (id != null) entryByDocument.set(document.id, id)
      })
      return await use({
        memory,
        report,
        entryByDocument,
        askedAt: query => {
          nowMs = query.nowMs
        },
      })
    } finally {
      await memory.close()
    }
  })
}

/** A category that is no vault file says what the entry is: its kind. `cairn import` reads lines the same way. */
export function newEntryOf({ text, metadata }: BeirDocument, vaultFiles: readonly string[]): NewEntry {
  const word = (key: string) => (typeof metadata[key] === 'string' ? (metadata[key] as string) : undefined)
  const words = (key: string) => (Array.isArray(metadata[key]) ? (metadata[key] as string[]) : undefined)
  const category = word('category')
  const isVaultFile = category !== undefined && vaultFiles.includes(category)
  return {
    content: text,
    category: isVaultFile ? (category as NewEntry['category']) : undefined,
    kind: word('kind') ?? (isVaultFile ? undefined : category),
    tags: words('tags'),
    files: words('files'),
    date: word('date'),
    session: word('session'),
    agent: word('agent'),
    importance: typeof metadata.importance === 'number' ? metadata.importance : undefined,
  }
}
