import type { WorkspaceDocument } from '../../kernel/model/workspace.ts'
import type { Clock } from '../../kernel/system/clock.ts'
import { contentHash } from '../../kernel/system/content-hash.ts'
import type { FileStamp } from '../../kernel/system/disk.ts'
import { mayHaveChangedUnseen, sameStamp } from '../../kernel/system/file-stamp.ts'
import type {
  DocumentIndex,
  DocumentUpdate,
  IndexedDocument,
  IndexedDocumentFile,
} from './decide/document-index.ts'
import { type DocumentSnapshot, storedSnapshotOf } from './decide/document-snapshot.ts'
import type { DocumentFile, DocumentSource } from './decide/document-source.ts'
import { indexedDocument } from './decide/indexed-document.ts'

/** Files in one transaction; an interruption loses only the current one. Word counts are written once for all of them. */
const FILES_AT_ONCE = 256
/** With a deadline, the clock is checked more often. */
const FILES_IN_A_HURRY = 32

interface IndexDocumentsInput {
  readonly index: DocumentIndex
  /** The current files; undefined: there are no workspaces. */
  readonly survey: DocumentSnapshot | undefined
  /** When listing began. */
  readonly surveyedMs: number
  readonly source: Pick<DocumentSource, 'read'>
  /** The state of a folder, relative to the project. */
  readonly stampOf: (path: string) => FileStamp | undefined
  readonly clock: Clock
  /** Files not indexed by then wait for the next read. */
  readonly deadlineMs?: number | undefined
  readonly onProgress?: ((done: number, total: number) => void) | undefined
}

/**
 * Updates the document index from the files: reads new and changed ones, and removes those that no longer exist. The caller has the
 * writer's lock, or an index of its own. Returns the number of files that are still to be read.
 */
export function indexDocuments(parts: IndexDocumentsInput): number {
  const { index, survey, source, clock, deadlineMs, onProgress } = parts
  if (survey === undefined) {
    index.clear()
    return 0
  }
  const { files } = survey
  const known = new Map(index.files())
  const standing = new Set(files.map(({ path }) => path))
  const gone = [...known.keys()].filter(path => !standing.has(path))
  const changed = files.filter(file => {
    const before = known.get(file.path)
    return before === undefined || !sameStamp(file, before) || mayHaveChangedUnseen(before)
  })
  if (gone.length > 0) index.apply({ gone, files: [] })
  const atOnce = deadlineMs === undefined ? FILES_AT_ONCE : FILES_IN_A_HURRY
  for (let done = 0; done < changed.length; done += atOnce) {
    if (done > 0 && deadlineMs !== undefined && clock.nowMs() >= deadlineMs) return changed.length - done
    const batch = changed.slice(done, done + atOnce)
    const update = readBatch(batch, known, { source, nowMs: clock.nowMs() })
    index.apply(update)
    for (const { file } of update.files) known.set(file.path, file)
    onProgress?.(Math.min(done + atOnce, changed.length), changed.length)
  }
  const isSettled = files.every(({ path }) => {
    const own = known.get(path)
    return own !== undefined && !mayHaveChangedUnseen(own)
  })
  if (isSettled)
    index.keepSurvey(
      storedSnapshotOf(survey, {
        stampOf: parts.stampOf,
        isSettled: ({ mtimeMs }) => !mayHaveChangedUnseen({ mtimeMs, checkedMs: parts.surveyedMs }),
      }),
    )
  return 0
}

function readBatch(
  files: readonly DocumentFile[],
  known: ReadonlyMap<string, IndexedDocumentFile>,
  { source, nowMs }: { source: Pick<DocumentSource, 'read'>; nowMs: number },
): DocumentUpdate {
  const gone: string[] = []
  const read: DocumentUpdate['files'][number][] = []
  for (const { path, size, mtimeMs, inode } of files) {
    const held = source.read(path)
    if (held === undefined) {
      gone.push(path)
      continue
    }
    const { documents, problems } = held
    const file: IndexedDocumentFile = {
      path,
      size,
      mtimeMs,
      inode,
      checkedMs: nowMs,
      hash: hashOf(documents),
      problems,
    }
    const isSame = known.get(path)?.hash === file.hash
    read.push(isSame ? { file } : { file, documents: shelved(documents, file.hash) })
  }
  return { gone, files: read }
}

/** A document that is a whole file has the hash of the file; documents that are parts of a file are compared one by one. */
function shelved(documents: readonly WorkspaceDocument[], hash: string): IndexedDocument[] {
  return documents.map(document => {
    const { line, ...lasting } = document
    const isWholeFile = documents.length === 1 && line === undefined
    return indexedDocument(document, isWholeFile ? hash : hashOf(lasting))
  })
}

function hashOf(value: unknown): string {
  return contentHash(new TextEncoder().encode(JSON.stringify(value)))
}
