import type { Clock } from '../../kernel/system/clock.ts'
import type { Disk } from '../../kernel/system/disk.ts'
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
  /** Of the files that keep the document, the one that is damaged, restored or newer. */
  readonly file?: string
  /** The file holds two versions that git could not merge: to write it would decide between them. */
  readonly inConflict: boolean
}

/** What the store is put together from. */
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
    /** The file that would have to be written to say this document, and that has a conflict in it. */
    findConflicted(name: DocumentName, document: JsonObject): string | undefined
    /** What makes the files say this document, and their backups. Throws `ChangedMeanwhile` where they do not say what it was made from. */
    writes(name: DocumentName, document: JsonObject, before: JsonObject): readonly FileWrite[]
  }
  /** So long at most another process is waited for; nothing is rebuilt then. */
  readonly patienceMs?: number | undefined
  /** So long at most the caller waits for files to be read into the index. Without it, however long it takes. */
  readonly takeInMs?: number | undefined
  /** So long at most a look at all files serves those who ask after it; without it everybody looks. */
  readonly lookHoldsMs?: number | undefined
  /** Called while a large vault is read for the first time. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined
  /** Called with the record of each change that is made through this store. */
  readonly onWritten?: ((record: string) => void) | undefined
  /** Called after the first write where there was no memory. */
  readonly onCreated?: () => Promise<void>
}
