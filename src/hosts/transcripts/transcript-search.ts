import { createHash } from 'node:crypto'
import * as path from 'node:path'
import type { NoticeCode } from '../../kernel/model/notice-codes.ts'
import type { Problem } from '../../kernel/model/search.ts'
import type { Transcript, TranscriptHost } from '../../kernel/model/transcript.ts'
import { nodeDisk } from '../../kernel/system/disk.ts'
import { hostFolder } from '../../kernel/system/host-folder.ts'
import { isUnreadable, readStart, stampOfPlainFile } from '../../kernel/system/plain-file.ts'
import type { DatabaseSession } from './decide/host-transcripts.ts'
import type { TranscriptSearch } from './decide/transcript-format.ts'

const MAX_TRANSCRIPTS = 50_000
const MAX_PROBLEMS = 20

interface SearchParts {
  /** The project, with all links resolved. */
  readonly root: string
  readonly isOurs: (cwd: string) => boolean
  /** The sessions in a database of OpenCode. Throws when it cannot be read. */
  readonly sessionsIn: (file: string) => readonly DatabaseSession[]
}

/** The transcripts that were found so far, of all hosts, and what could not be read. */
export class FoundTranscripts {
  readonly transcripts: Transcript[] = []
  readonly problems: Problem[] = []
  #isFull = false

  push(transcript: Transcript): void {
    if (this.transcripts.length < MAX_TRANSCRIPTS) this.transcripts.push(transcript)
    else if (!this.#isFull) {
      this.#isFull = true
      this.note(transcript.file, 'transcripts_too_many', `only ${MAX_TRANSCRIPTS} transcripts are read`)
    }
  }

  /** A file that exists and cannot be read is noted, and the search continues. */
  trying<T>(file: string, work: () => T): T | undefined {
    try {
      return work()
    } catch (error) {
      const isDatabase = file.endsWith('.db') && error instanceof Error
      if (!isUnreadable(error) && !isDatabase) throw error
      this.note(
        file,
        'transcripts_unreadable',
        isDatabase ? `it cannot be read: ${error.message}` : 'it cannot be read',
      )
      return undefined
    }
  }

  note(file: string, code: NoticeCode, why: string): void {
    if (this.problems.length >= MAX_PROBLEMS) return
    this.problems.push({
      code,
      path: file,
      message: `${file}: ${why}.`,
      hint: 'Check who may read it; the other transcripts were read.',
    })
  }
}

/** The disk as the format of one host may see it. */
export function transcriptSearch(
  host: TranscriptHost,
  { root, isOurs, sessionsIn }: SearchParts,
  found: FoundTranscripts,
): TranscriptSearch {
  const namesIn = (
    folder: string,
    isWanted: (item: { readonly name: string; isFile(): boolean; isDirectory(): boolean }) => boolean,
  ) =>
    (found.trying(folder, () => nodeDisk.listFolder(folder)) ?? [])
      .filter(isWanted)
      .map(({ name }) => name)
      .sort()
  const foldersIn = (folder: string) => namesIn(folder, item => item.isDirectory())
  const filesIn = (folder: string, name: RegExp) =>
    namesIn(folder, item => item.isFile() && name.test(item.name))
  const filesBelow = (folder: string, depth: number, name: RegExp): string[] => {
    const here = filesIn(folder, name).map(file => path.join(folder, file))
    if (depth === 0) return here
    return [
      ...here,
      ...foldersIn(folder).flatMap(inner => filesBelow(path.join(folder, inner), depth - 1, name)),
    ]
  }
  return {
    root,
    isOurs,
    folder: hostFolder,
    join: path.join,
    foldersIn,
    filesIn,
    filesBelow,
    read: (file, maxBytes) =>
      found.trying(file, () => {
        const reading = nodeDisk.readPlain(file, maxBytes)
        return typeof reading === 'object' && reading.kind === 'read'
          ? new TextDecoder().decode(reading.bytes)
          : undefined
      }),
    startOf,
    cwdOf: file => found.trying(file, () => cwdOfTranscript(file)),
    sha256: text => createHash('sha256').update(text).digest('hex'),
    sessionsIn: file =>
      stampOfPlainFile(file) === undefined ? [] : (found.trying(file, () => sessionsIn(file)) ?? []),
    add(session, file, { cwd, isSubAgent = false }) {
      const stamp = found.trying(file, () => stampOfPlainFile(file))
      if (stamp !== undefined && stamp.size > 0)
        found.push({ host, session, file, cwd, isSubAgent, ...stamp })
    },
    addStored: ({ id, directory, parent, updatedMs, messages }, file) =>
      found.push({
        host,
        session: id,
        file,
        cwd: directory,
        isSubAgent: parent !== undefined,
        size: messages,
        mtimeMs: updatedMs,
        inode: 0,
      }),
  }
}

/** Enough for the first lines of a transcript, which name the folder. */
const START_BYTES = 262_144
const SOON_BYTES = 16_384
const CWD = /"cwd"\s*:\s*("(?:[^"\\]|\\.){1,4096}")/

let buffer: Uint8Array | undefined

/** The first bytes as text; '' if it is not a plain file. */
function startOf(file: string, bytes = SOON_BYTES): string {
  buffer ??= new Uint8Array(START_BYTES)
  const read = readStart(file, buffer.subarray(0, bytes)) ?? 0
  return new TextDecoder().decode(buffer.subarray(0, read))
}

/** The folder of the session, from its first lines. */
function cwdIn(start: string): string | undefined {
  const found = CWD.exec(start)?.[1]
  if (found === undefined) return undefined
  try {
    return JSON.parse(found) as string
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function cwdOfTranscript(file: string): string | undefined {
  return cwdIn(startOf(file)) ?? cwdIn(startOf(file, START_BYTES))
}
