import {
  type DocumentSnapshot,
  isSameByFiles,
  isSameByStamps,
  storedSnapshotOf,
} from '../addons/workspaces/decide/document-snapshot.ts'
import type { DocumentSource } from '../addons/workspaces/decide/document-source.ts'
import type { DocumentSearch } from '../features/search/decide/ports.ts'
import { CairnError } from '../kernel/model/errors.ts'
import type { NoticeCode } from '../kernel/model/notice-codes.ts'
import type { Degradation } from '../kernel/model/search.ts'
import type { Clock } from '../kernel/system/clock.ts'
import type { FileStamp } from '../kernel/system/disk.ts'
import { mayHaveChangedUnseen } from '../kernel/system/file-stamp.ts'
import type { EmbeddedStore } from '../stores/embedded/embedded-store.ts'
import {
  countDocuments,
  documentProblems,
  hasShelved,
  keptSurvey,
  leftOutFiles,
  referencesOf,
  scopesOf,
} from '../stores/sqlite/sqlite-documents.ts'
import type { SqliteIndex } from '../stores/sqlite/sqlite-index.ts'
import { sqliteSearch } from '../stores/sqlite/sqlite-search.ts'
import { sqliteCollectionVectors } from '../stores/sqlite/sqlite-vectors.ts'
import { DOCUMENTS_COLLECTION } from '../stores/sqlite/text-rows.ts'

interface ShelfParts {
  readonly store: EmbeddedStore<SqliteIndex>
  readonly clock: Clock
  /** The configured folders. Most projects have none of them: every search and brief checks these two folders only. */
  readonly roots: () => readonly string[]
  /** Of a file or a folder, relative to the project. */
  readonly stampOf: (path: string) => FileStamp | undefined
  /** Lists the current files; loaded when the stamps do not match. */
  readonly survey: () => Promise<DocumentSnapshot>
  /** The reader of documents, loaded when something has changed. */
  readonly source: () => Promise<DocumentSource>
  readonly onProgress?: ((done: number, total: number) => void) | undefined
}

/** The index of workspace documents, separate from the entries (ADR 0022). */
export function composeDocumentSearch(parts: ShelfParts): DocumentSearch {
  const { store, clock, stampOf } = parts
  const exists = () => parts.roots().some(root => stampOf(root) !== undefined)
  /** The index that is up to date: after a rebuild of a damaged one, the next query indexes the documents again. */
  let current: SqliteIndex | undefined
  let hasTakenIn = false
  let notes: Degradation[] = []
  const note = (code: NoticeCode, message: string) => {
    if (!notes.some(known => known.code === code)) notes.push({ code, message })
  }

  /** A file that appears during the listing is newer than its start, and so not settled. */
  const look = async () => {
    const surveyedMs = clock.nowMs()
    return { survey: { ...(await parts.survey()), roots: parts.roots() }, surveyedMs }
  }

  const isCurrent = async (index: SqliteIndex) => {
    if (!exists()) return !hasShelved(index)
    const kept = keptSurvey(index)
    if (kept === undefined) return false
    const looks = isSameByStamps(kept, parts.roots(), stampOf)
    if (looks !== undefined) return looks
    const revision = index.revision()
    const { survey, surveyedMs } = await look()
    if (!isSameByFiles(kept, survey)) return false
    // Files that were too new may have settled: the next reader need not list the folders.
    const settled = storedSnapshotOf(survey, {
      stampOf,
      isSettled: ({ mtimeMs }) => !mayHaveChangedUnseen({ mtimeMs, checkedMs: surveyedMs }),
    })
    if (settled.folders > 0) index.keepNote('doc_survey', settled, revision)
    return true
  }

  const takeIn = async (deadlineMs: number | undefined) => {
    const { indexDocuments } = await import('../addons/workspaces/index-documents.ts')
    const { sqliteDocuments } = await import('../stores/sqlite/document-rows.ts')
    const source = await parts.source()
    const { survey, surveyedMs } = exists() ? await look() : { survey: undefined, surveyedMs: 0 }
    await store.takeIn(() => {
      hasTakenIn = true
      const left = indexDocuments({
        index: sqliteDocuments(store.index()),
        survey,
        surveyedMs,
        source,
        stampOf,
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
      // Settings that came with a clone must not break every search.
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
    note(
      'documents_left_out',
      `${files} not understood, and so not searched. \`cairn workspaces\` tells why.`,
    )
  }

  /** A query of the document index, on the current index. */
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
    search: guarded(sqliteSearch(() => store.index(), DOCUMENTS_COLLECTION)),
    vectors: guarded(sqliteCollectionVectors(() => store.index(), DOCUMENTS_COLLECTION)),
    references: ids => asked(index => referencesOf(index, ids)),
    scopes: () => asked(scopesOf),
    state: () => asked(index => ({ documents: countDocuments(index), problems: documentProblems(index) })),
    takeUnembedded() {
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
