import type { FileStamp } from '../../kernel/system/disk.ts'
import { mayHaveChangedUnseen, sameStamp } from '../../kernel/system/file-stamp.ts'
import type { DocumentName } from '../../kernel/vault/ports.ts'
import type { DocumentState } from './embedded-parts.ts'

interface KnownDocument<Loaded> {
  /** Of the files that were read. undefined: there was none. */
  readonly stamps: readonly (FileStamp | undefined)[]
  readonly readMs: number
  readonly loaded: Loaded
}

export interface KnownDocumentsParts<Loaded extends DocumentState> {
  readonly load: (name: DocumentName) => Loaded
  readonly stamps: (name: DocumentName) => readonly (FileStamp | undefined)[]
  readonly nowMs: () => number
}

/** Loads a document only when its files are not those that were loaded last. What is answered is shared: nobody changes it. */
export function knownDocuments<Loaded extends DocumentState>(
  parts: KnownDocumentsParts<Loaded>,
): (name: DocumentName) => Loaded {
  const knownByName = new Map<DocumentName, KnownDocument<Loaded>>()
  return name => {
    // Asked before the files are read: what changes in between has another stamp the next time.
    const stamps = parts.stamps(name)
    const readMs = parts.nowMs()
    const known = knownByName.get(name)
    if (known?.stamps.every((was, at) => isSameFile(stamps[at], was, known.readMs))) return known.loaded
    const loaded = parts.load(name)
    // What was restored depends on the backup as well.
    if (loaded.kind === 'damaged' || loaded.restored) knownByName.delete(name)
    else knownByName.set(name, { stamps, readMs, loaded })
    return loaded
  }
}

function isSameFile(stamp: FileStamp | undefined, was: FileStamp | undefined, readMs: number): boolean {
  if (stamp === undefined || was === undefined) return stamp === was
  return sameStamp(stamp, was) && !mayHaveChangedUnseen({ mtimeMs: was.mtimeMs, checkedMs: readMs })
}
