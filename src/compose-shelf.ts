import type { EmbeddedStore } from './backends/embedded/embedded-store.ts'
import { DOCUMENT_SHELF } from './backends/sqlite/shelf.ts'
import {
  countDocuments,
  documentProblems,
  hasShelved,
  keptSurvey,
  leftOutFiles,
  referencesOf,
  scopesOf,
} from './backends/sqlite/sqlite-documents.ts'
import type { SqliteIndex } from './backends/sqlite/sqlite-index.ts'
import { sqliteSearch } from './backends/sqlite/sqlite-search.ts'
import { sqliteVectorShelf } from './backends/sqlite/sqlite-vectors.ts'
import type { DocumentShelf } from './engine-parts.ts'
import { CairnError } from './model/errors.ts'
import type { Degradation } from './model/search.ts'
import { stampsOf } from './pipeline/workspace/document-index.ts'
import type { DocumentFile, DocumentSource } from './pipeline/workspace/document-source.ts'
import type { Clock } from './system/clock.ts'

export interface ShelfParts {
  readonly store: EmbeddedStore<SqliteIndex>
  readonly clock: Clock
  /** Most projects have no workspaces: every search and brief asks this, and ends with a no. */
  readonly exists: () => boolean
  /** The stamps of all files; loaded where there are workspaces. */
  readonly survey: () => Promise<readonly DocumentFile[]>
  /** What reads them, loaded when something has changed. */
  readonly source: () => Promise<DocumentSource>
  readonly onProgress?: ((done: number, total: number) => void) | undefined
}

/** The documents of the workspaces, on a shelf of their own in the index (ADR 0022). */
export function composeShelf(parts: ShelfParts): DocumentShelf {
  const { store, clock, exists } = parts
  /** The index that was brought up to date: when it was damaged and made anew, the next question takes them in again. */
  let current: SqliteIndex | undefined
  let hasTakenIn = false
  let notes: Degradation[] = []
  const note = (code: string, message: string) => {
    if (!notes.some(known => known.code === code)) notes.push({ code, message })
  }

  const isCurrent = async (index: SqliteIndex) => {
    if (!exists()) return !hasShelved(index)
    const kept = keptSurvey(index)
    return kept !== undefined && kept === stampsOf(await parts.survey())
  }

  const takeIn = async (deadlineMs: number | undefined) => {
    const { takeInDocuments } = await import('./workspaces/take-in-documents.ts')
    const { sqliteDocuments } = await import('./backends/sqlite/document-rows.ts')
    const source = await parts.source()
    await store.takeIn(() => {
      hasTakenIn = true
      const left = takeInDocuments({
        index: sqliteDocuments(store.index()),
        source,
        clock,
        deadlineMs,
        onProgress: parts.onProgress,
      })
      if (left > 0)
        note(
          'documents_waiting',
          `${left} ${left === 1 ? 'file' : 'files'} of the workspaces are not in the index yet; \`cairn search\` takes them in.`,
        )
    })
  }

  const refreshNow = async (deadlineMs?: number): Promise<boolean> => {
    try {
      if (!(await isCurrent(store.index()))) await takeIn(deadlineMs)
    } catch (error) {
      // Settings that came with a clone must not end every search.
      if (!(error instanceof CairnError) || error.code !== 'config_value_invalid') throw error
      note(error.code, `${error.message} Documents of workspaces are not searched.`)
      return false
    }
    current = store.index()
    const documents = countDocuments(current)
    if (documents > 0 || exists()) noteLeftOut(current)
    return documents > 0
  }

  const noteLeftOut = (index: SqliteIndex) => {
    const { count, path } = leftOutFiles(index)
    if (count === 0) return
    const files = count === 1 ? `${path} was` : `${count} files of the workspaces (${path}, …) were`
    note('documents_left_out', `${files} not understood, and so not searched. \`cairn status\` tells why.`)
  }

  /** A question to the shelf, with the index as it is by then. */
  const asked = <T>(ask: (index: SqliteIndex) => T | Promise<T>): Promise<T> =>
    store.guarded(async () => {
      if (current !== undefined && store.index() !== current) await refreshNow()
      return ask(store.index())
    })
  const guarded = <Port extends Record<keyof Port, (...values: never[]) => Promise<unknown>>>(
    port: Port,
  ): Port => {
    const calls = Object.entries(port) as [string, (...values: unknown[]) => Promise<unknown>][]
    return Object.fromEntries(
      calls.map(([name, call]) => [name, (...values: unknown[]) => asked(() => call(...values))]),
    ) as unknown as Port
  }

  return {
    refresh: ({ deadlineMs } = {}) => store.guarded(() => refreshNow(deadlineMs)),
    search: guarded(sqliteSearch(() => store.index(), DOCUMENT_SHELF)),
    vectors: guarded(sqliteVectorShelf(() => store.index(), DOCUMENT_SHELF)),
    references: ids => asked(index => referencesOf(index, ids)),
    scopes: () => asked(scopesOf),
    state: () => asked(index => ({ documents: countDocuments(index), problems: documentProblems(index) })),
    takeNews() {
      const had = hasTakenIn
      hasTakenIn = false
      return had
    },
    takeDegraded() {
      const taken = notes
      notes = []
      return taken
    },
  }
}
