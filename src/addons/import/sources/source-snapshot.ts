import * as path from 'node:path'
import { contentHash } from '../../../kernel/system/content-hash.ts'
import { isUnreadable, plainFileInfo, readPart } from '../../../kernel/system/plain-file.ts'
import type { FileCursor, FileCursors } from '../decide/source-registry.ts'
import { filesBelow, isFolder } from './source-files.ts'

/** The maximum number of files of one source. */
const MAX_FILES = 50_000
/** The resolution of file times. A change so soon after a check may leave the time unchanged. */
const CLOCK_GRAIN_MS = 2_000
/** The end of the imported part. While the file still has these bytes there, everything after them is new. */
const ENDING_BYTES = 1_024

type SourceFileState = Omit<FileCursor, 'trouble' | 'lines' | 'transcript'>

export interface SourceSnapshot {
  /** By name, relative to the source. */
  readonly files: ReadonlyMap<string, SourceFileState>
  /** The number of files beyond the maximum. */
  readonly left: number
  /** Names of files that cannot be read. */
  readonly unreadable: readonly string[]
}

/** Lists the files of a source with size and time, without reading them. */
export function snapshotSource(source: string, nowMs: number): SourceSnapshot {
  const inFolder = isFolder(source)
  const names = inFolder ? filesBelow(source) : [path.basename(source)]
  const files = new Map<string, SourceFileState>()
  const unreadable: string[] = []
  for (const name of names.slice(0, MAX_FILES)) {
    try {
      const seen = plainFileInfo(inFolder ? path.join(source, name) : source)
      if (seen !== undefined)
        files.set(name, { size: seen.size, mtimeMs: seen.mtimeMs, inode: seen.inode, checkedMs: nowMs })
    } catch (error) {
      if (!isUnreadable(error)) throw error
      unreadable.push(name)
    }
  }
  return { files, left: Math.max(0, names.length - MAX_FILES), unreadable }
}

/** Whether a file is certainly unchanged since it was imported. */
export function isSameFile(
  seen: SourceFileState | undefined,
  known: FileCursors[string] | undefined,
): boolean {
  return (
    seen !== undefined &&
    known !== undefined &&
    seen.size === known.size &&
    seen.mtimeMs === known.mtimeMs &&
    seen.inode === known.inode &&
    known.checkedMs - known.mtimeMs > CLOCK_GRAIN_MS
  )
}

/**
 * The position at which reading a file of lines can continue. undefined: start at the beginning, because it is not the file that
 * was imported.
 */
export function placeToGoOn(file: string, known: FileCursor | undefined): FileCursor['lines'] {
  const lines = known?.lines
  const size = plainFileInfo(file)?.size ?? 0
  if (lines === undefined || lines.bytes > size || lines.bytes === 0) return undefined
  return endingAt(file, lines.bytes) === lines.ending ? lines : undefined
}

/** Where the last complete line of a file ends. The last line may still grow, so it is checked again. */
export function wholeLines(file: string, size: number, from: FileCursor['lines']): FileCursor['lines'] {
  let at = from?.bytes ?? 0
  let count = from?.count ?? 0
  let bytes = at
  const step = 1 << 20
  while (at < size) {
    const part = readPart(file, at, Math.min(step, size - at))
    if (part.length === 0) break
    for (let newline = part.indexOf(10); newline !== -1; newline = part.indexOf(10, newline + 1)) {
      count++
      bytes = at + newline + 1
    }
    at += part.length
  }
  return { bytes, count, ending: endingAt(file, bytes) }
}

function endingAt(file: string, bytes: number): string {
  const start = Math.max(0, bytes - ENDING_BYTES)
  return contentHash(readPart(file, start, bytes - start))
}
