import * as path from 'node:path'
import { contentHash } from '../../../kernel/system/content-hash.ts'
import { isUnreadable, plainFileInfo, readPart } from '../../../kernel/system/plain-file.ts'
import type { FileCursor, FileCursors } from '../decide/source-registry.ts'
import { filesBelow, isFolder } from './source-files.ts'

/** Files of one source that are looked at. */
const MAX_FILES = 50_000
/** A change so soon after a file was looked at may have left its time as it was. */
const CLOCK_GRAIN_MS = 2_000
/** Of the part of a file that was taken: as long as this still stands there, what comes after it is new. */
const ENDING_BYTES = 1_024

/** A file as it was looked at. */
export type SurveyedFile = Omit<FileCursor, 'trouble' | 'lines' | 'transcript'>

export interface SourceSurvey {
  /** By name, relative to the source. */
  readonly files: ReadonlyMap<string, SurveyedFile>
  /** Files beyond what is looked at. */
  readonly left: number
  /** Names that are there and cannot be read. */
  readonly unreadable: readonly string[]
}

/** What lies in a source, by stamp and unread. */
export function surveySource(source: string, nowMs: number): SourceSurvey {
  const inFolder = isFolder(source)
  const names = inFolder ? filesBelow(source) : [path.basename(source)]
  const files = new Map<string, SurveyedFile>()
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

/** Whether a file is surely as it was when it was taken in. */
export function isAsItWas(seen: SurveyedFile | undefined, known: FileCursors[string] | undefined): boolean {
  return (
    seen !== undefined &&
    known !== undefined &&
    seen.size === known.size &&
    seen.mtimeMs === known.mtimeMs &&
    seen.inode === known.inode &&
    known.checkedMs - known.mtimeMs > CLOCK_GRAIN_MS
  )
}

/** Where reading a file of lines may go on. undefined: from the beginning, for it is not the file that was taken. */
export function placeToGoOn(file: string, known: FileCursor | undefined): FileCursor['lines'] {
  const lines = known?.lines
  const size = plainFileInfo(file)?.size ?? 0
  if (lines === undefined || lines.bytes > size || lines.bytes === 0) return undefined
  return endingAt(file, lines.bytes) === lines.ending ? lines : undefined
}

/** How far the whole lines of a file go. The last one may still grow: it is looked at again. */
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
