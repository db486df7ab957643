import type { Clock } from '../../kernel/system/clock.ts'
import type { Disk, FileStamp } from '../../kernel/system/disk.ts'
import { mayHaveChangedUnseen, sameStamp } from '../../kernel/system/file-stamp.ts'
import type { MemoryPaths } from '../../kernel/system/paths.ts'
import type { EntryIndex } from '../../kernel/vault/entry-index.ts'
import type {
  DocumentName,
  Journal,
  JsonObject,
  ProjectTexts,
  WriterLock,
  WriterQueue,
} from '../../kernel/vault/ports.ts'
import type { FileWrite, VaultFolder } from '../../kernel/vault/vault-folder.ts'
import type { IndexOpener } from './index-holder.ts'

export interface DocumentState {
  readonly kind: 'read' | 'newer' | 'damaged'
  readonly document?: JsonObject
  readonly version?: number
  readonly reason?: string
  readonly restored: boolean
  /** The file of the document that is damaged, restored or newer. */
  readonly file?: string
  /** The file has two versions that git could not merge: writing it would decide between them. */
  readonly inConflict: boolean
}

/** The parts of the store. */
export interface EmbeddedParts<Index extends EntryIndex> {
  readonly paths: MemoryPaths
  readonly disk: Disk
  readonly clock: Clock
  readonly opener: IndexOpener<Index>
  readonly lock: WriterLock
  readonly queue: WriterQueue
  readonly folder: VaultFolder
  readonly journal: Journal
  readonly projectTexts: ProjectTexts
  readonly documents: {
    load(name: DocumentName): DocumentState
    /** The file with a conflict that must be written for this document. */
    findConflicted(name: DocumentName, document: JsonObject): string | undefined
    /** The writes of the document and its backups. Throws `ChangedMeanwhile` if the files do not have the document that it was made from. */
    writes(name: DocumentName, document: JsonObject, before: JsonObject): readonly FileWrite[]
  }
  /** Maximum wait for another process; with it, nothing is rebuilt. */
  readonly patienceMs?: number | undefined
  /** Maximum wait for files to be indexed. Without it, there is no limit. */
  readonly indexingLimitMs?: number | undefined
  /** How long a check of all files is reused; without it every read checks. */
  readonly freshnessCacheMs?: number | undefined
  /** Called while a large vault is read for the first time. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined
  /** Called with the record of each change that is made through this store. */
  readonly onWritten?: ((record: string) => void) | undefined
  /** Called after the first write of a new memory. */
  readonly onCreated?: () => Promise<void>
}

interface KnownDocument<Loaded> {
  /** The stamps of the files that were read. undefined: there was no file. */
  readonly stamps: readonly (FileStamp | undefined)[]
  readonly readMs: number
  readonly loaded: Loaded
}

interface KnownDocumentsParts<Loaded extends DocumentState> {
  readonly load: (name: DocumentName) => Loaded
  readonly stamps: (name: DocumentName) => readonly (FileStamp | undefined)[]
  readonly nowMs: () => number
}

/** Loads a document only if its files changed. The result is shared: callers must not change it. */
export function knownDocuments<Loaded extends DocumentState>(
  parts: KnownDocumentsParts<Loaded>,
): (name: DocumentName) => Loaded {
  const knownByName = new Map<DocumentName, KnownDocument<Loaded>>()
  return name => {
    // Read before the files: a change in between has another stamp next time.
    const stamps = parts.stamps(name)
    const readMs = parts.nowMs()
    const known = knownByName.get(name)
    if (known?.stamps.every((was, at) => isSameFile(stamps[at], was, known.readMs))) return known.loaded
    const loaded = parts.load(name)
    // A restored document depends on the backup too.
    if (loaded.kind === 'damaged' || loaded.restored) knownByName.delete(name)
    else knownByName.set(name, { stamps, readMs, loaded })
    return loaded
  }
}

function isSameFile(stamp: FileStamp | undefined, was: FileStamp | undefined, readMs: number): boolean {
  if (stamp === undefined || was === undefined) return stamp === was
  return sameStamp(stamp, was) && !mayHaveChangedUnseen({ mtimeMs: was.mtimeMs, checkedMs: readMs })
}
