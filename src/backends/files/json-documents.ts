import * as path from 'node:path'
import { findConflicts } from '../../pipeline/store/conflict-markers.ts'
import { DOCUMENTS, type DocumentReading, parseDocument } from '../../pipeline/store/documents.ts'
import type { DocumentName } from '../../pipeline/store/ports.ts'
import type { Disk } from '../../system/disk.ts'
import type { MemoryPaths } from '../../system/paths.ts'

export type LoadedDocument = DocumentReading & { readonly restored: boolean; readonly inConflict: boolean }

const AS_IT_IS = { restored: false, inConflict: false }

/** Reads a JSON file of `.memory/`; a damaged one is answered from the copy of the last good one. */
export function loadDocument(paths: MemoryPaths, disk: Disk, name: DocumentName): LoadedDocument {
  const primary = readText(disk, path.join(paths.memory, name))
  if (primary === undefined) return { kind: 'read', document: DOCUMENTS[name].empty, ...AS_IT_IS }
  const reading = parseDocument(name, primary)
  if (reading.kind !== 'damaged') return { ...reading, ...AS_IT_IS }
  const inConflict = findConflicts(primary).length > 0
  const backup = readText(disk, path.join(paths.backups, name))
  const fallback = backup === undefined ? reading : parseDocument(name, backup)
  return fallback.kind === 'damaged'
    ? { ...reading, restored: false, inConflict }
    : { ...fallback, restored: true, inConflict }
}

/** Keeps the good version that is about to be replaced, and a damaged one beside it: nothing is thrown away. */
export function backUpDocument(paths: MemoryPaths, disk: Disk, name: DocumentName, nowMs: number): void {
  const bytes = disk.readFile(path.join(paths.memory, name))
  if (bytes === undefined) return
  const damaged = parseDocument(name, new TextDecoder().decode(bytes)).kind === 'damaged'
  const copy = path.join(paths.backups, damaged ? `${name}.damaged-${nowMs}` : name)
  disk.makeFolder(path.dirname(copy))
  disk.writeFile(copy, bytes)
}

function readText(disk: Disk, file: string): string | undefined {
  const bytes = disk.readFile(file)
  // Not a TextDecoder: making the first one costs a cold start 0.1 ms, for a BOM that is taken off later anyway.
  return bytes && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
}
