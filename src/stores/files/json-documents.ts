import * as path from 'node:path'
import { contentHash } from '../../kernel/system/content-hash.ts'
import type { Disk } from '../../kernel/system/disk.ts'
import type { MemoryPaths } from '../../kernel/system/paths.ts'
import { findConflicts } from '../../kernel/vault/conflict-markers.ts'
import {
  DOCUMENTS,
  type DocumentReading,
  parseMemoryDocument,
  renderMemoryDocument,
} from '../../kernel/vault/documents.ts'
import type { DocumentName, JsonObject } from '../../kernel/vault/ports.ts'
import { isSameJson, joinDocument, splitDocument } from '../../kernel/vault/split-document.ts'
import { ChangedMeanwhile, type FileWrite } from '../../kernel/vault/vault-folder.ts'

/** `file` is the file of the document that is damaged, restored or newer. */
type LoadedDocument = DocumentReading & {
  readonly restored: boolean
  readonly inConflict: boolean
  readonly file?: string
}

/** The content of one file. */
type LoadedFile = DocumentReading & {
  readonly file: string
  readonly restored: boolean
  readonly inConflict: boolean
  /** The hash of the bytes that were read; null: there was no file. */
  readonly hash: string | null
}

interface PlannedWrite extends FileWrite {
  readonly bytes: Uint8Array
  readonly replaces: string | null
  /** git left two versions in it: writing it would decide between them. */
  readonly inConflict: boolean
}

/** The files of a document, relative to `.memory/`. */
export function documentFiles(name: DocumentName): readonly string[] {
  const { local } = DOCUMENTS[name]
  return local === undefined ? [name] : [name, local.file]
}

/** Reads a document of `.memory/`; for a damaged file it uses the last good copy. */
export function loadDocument(paths: MemoryPaths, disk: Disk, name: DocumentName): LoadedDocument {
  const loaded = loadFiles(paths, disk, name)
  const notable =
    loaded.find(({ kind }) => kind === 'damaged') ??
    loaded.find(({ inConflict }) => inConflict) ??
    loaded.find(({ restored }) => restored) ??
    loaded.find(({ kind }) => kind === 'newer')
  const state = {
    restored: notable?.restored ?? false,
    inConflict: notable?.inConflict ?? false,
    ...(notable !== undefined && { file: notable.file }),
  }
  if (notable?.kind === 'damaged') return { kind: 'damaged', reason: notable.reason, ...state }
  const document = joined(name, loaded)
  const newer = loaded.find(reading => reading.kind === 'newer')
  return newer === undefined
    ? { kind: 'read', document, ...state }
    : { kind: 'newer', document, version: newer.version, ...state }
}

interface DocumentFolder {
  readonly paths: MemoryPaths
  readonly disk: Disk
  readonly nowMs: number
}

/** A file with a git conflict that must be written for this document. */
export function findConflicted(
  folder: Omit<DocumentFolder, 'nowMs'>,
  name: DocumentName,
  document: JsonObject,
): string | undefined {
  return planWrites(loadFiles(folder.paths, folder.disk, name), name, document).find(
    ({ inConflict }) => inConflict,
  )?.path
}

/**
 * The writes of the document and its backups, without unchanged files. A damaged file is copied next to its backup before it is replaced,
 * so no data is lost.
 */
export function documentWrites(
  folder: DocumentFolder,
  name: DocumentName,
  { before, document }: { readonly before: JsonObject; readonly document: JsonObject },
): readonly FileWrite[] {
  const { paths } = folder
  const backups = path.relative(paths.memory, paths.backups).replaceAll('\\', '/')
  const loaded = loadFiles(paths, folder.disk, name)
  if (!isSameJson(joined(name, loaded), before)) throw new ChangedMeanwhile(name, true)
  const planned = planWrites(loaded, name, document)
  for (const { path: file } of planned) keepDamaged(folder, name, file)
  const writes = planned.map(({ path: file, bytes, replaces }) => ({ path: file, bytes, replaces }))
  // Together with the change: the copy is as new as the last acknowledged change.
  return [...writes, ...writes.map(({ path: file, bytes }) => ({ path: `${backups}/${file}`, bytes }))]
}

function planWrites(
  [main, beside]: readonly LoadedFile[],
  name: DocumentName,
  document: JsonObject,
): PlannedWrite[] {
  const { local } = DOCUMENTS[name]
  if (main === undefined) return []
  if (local === undefined || beside === undefined) return writeOf(main, document)
  const standing = { tracked: documentOf(main), local: documentOf(beside) }
  const parts = splitDocument(document, standing, local.sections)
  // The file that gains a value is written before the file that loses it.
  return [...writeOf(beside, parts.local), ...writeOf(main, parts.tracked)]
}

function writeOf(loaded: LoadedFile, document: JsonObject): PlannedWrite[] {
  const { file, restored, inConflict, hash } = loaded
  // Only the backup has this value. In a conflict a person must decide.
  const isBehind = restored && !inConflict
  if (!isBehind && isSameJson(documentOf(loaded), document)) return []
  return [{ path: file, bytes: renderMemoryDocument(document), replaces: hash, inConflict }]
}

function keepDamaged({ paths, disk, nowMs }: DocumentFolder, name: DocumentName, file: string): void {
  const bytes = disk.readFile(path.join(paths.memory, file))
  if (bytes === undefined || parseMemoryDocument(name, asText(bytes)).kind !== 'damaged') return
  const copy = path.join(paths.backups, `${file}.damaged-${nowMs}`)
  disk.makeFolder(path.dirname(copy))
  disk.writeFile(copy, bytes)
}

function loadFiles(paths: MemoryPaths, disk: Disk, name: DocumentName): LoadedFile[] {
  return documentFiles(name).map(file => loadFile(paths, disk, name, file))
}

function loadFile(paths: MemoryPaths, disk: Disk, name: DocumentName, file: string): LoadedFile {
  const bytes = disk.readFile(path.join(paths.memory, file))
  const hash = bytes === undefined ? null : contentHash(bytes)
  const asItIs = { file, restored: false, inConflict: false, hash }
  if (bytes === undefined) return { kind: 'read', document: emptyOf(name, file), ...asItIs }
  const primary = asText(bytes)
  const reading = parseMemoryDocument(name, primary)
  if (reading.kind !== 'damaged') return { ...reading, ...asItIs }
  const inConflict = findConflicts(primary).length > 0
  const backup = readText(disk, path.join(paths.backups, file))
  const fallback = backup === undefined ? reading : parseMemoryDocument(name, backup)
  return fallback.kind === 'damaged'
    ? { ...reading, ...asItIs, inConflict }
    : { ...fallback, ...asItIs, restored: true, inConflict }
}

/** The content of a missing file. */
function emptyOf(name: DocumentName, file: string): JsonObject {
  const { empty, version } = DOCUMENTS[name]
  return file === name ? empty : { version }
}

function joined(name: DocumentName, [main, beside]: readonly LoadedFile[]): JsonObject {
  const { empty, local } = DOCUMENTS[name]
  if (main === undefined) return empty
  if (local === undefined || beside === undefined) return documentOf(main)
  return joinDocument({ tracked: documentOf(main), local: documentOf(beside) }, local.sections)
}

function documentOf(loaded: LoadedFile): JsonObject {
  return loaded.kind === 'damaged' ? {} : loaded.document
}

function readText(disk: Disk, file: string): string | undefined {
  const bytes = disk.readFile(file)
  return bytes && asText(bytes)
}

/** Not a TextDecoder: the first one costs 0.1 ms of a cold start, for a BOM that is removed later anyway. */
function asText(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
}
