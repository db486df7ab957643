import { createHash } from 'node:crypto'
import * as path from 'node:path'
import { isObject, parseJson } from '../../kernel/model/json-value.ts'
import type { NoticeCode } from '../../kernel/model/notice-codes.ts'
import type { Problem } from '../../kernel/model/search.ts'
import type { Transcript, TranscriptHost, TranscriptPart } from '../../kernel/model/transcript.ts'
import { TRANSCRIPT_HOSTS } from '../../kernel/model/transcript.ts'
import { nodeDisk } from '../../kernel/system/disk.ts'
import { hostFolder } from '../../kernel/system/host-folder.ts'
import { jsonElements } from '../../kernel/system/json-elements.ts'
import { isUnreadable, readStart, stampOfPlainFile } from '../../kernel/system/plain-file.ts'
import { openLines } from '../../kernel/system/read-lines.ts'
import type {
  DatabaseSession,
  HostTranscripts,
  OpenOptions,
  OpenTranscript,
  TranscriptDatabase,
} from './decide/host-transcripts.ts'
import type { TranscriptSearch } from './decide/transcript-format.ts'
import { loadFormats, type TranscriptFormats } from './decide/transcript-formats.ts'
import type { TranscriptReader } from './decide/transcript-reader.ts'

interface HostTranscriptParts {
  /** The project, with all links resolved. */
  readonly root: string
  readonly isOurs: (cwd: string) => boolean
  /** Opens it to be read only; throws if that fails. */
  readonly openDatabase: (file: string) => TranscriptDatabase
  readonly nowMs: () => number
}

export function hostTranscripts(parts: HostTranscriptParts): HostTranscripts {
  const { openDatabase } = parts
  const knownFolders = new Map<string, boolean>()
  const isOurs = (cwd: string): boolean => {
    const known = knownFolders.get(cwd)
    if (known !== undefined) return known
    const ours = parts.isOurs(cwd)
    knownFolders.set(cwd, ours)
    return ours
  }
  const sessionsIn = (file: string) => {
    const database = openDatabase(file)
    try {
      return database.sessions()
    } finally {
      database.close()
    }
  }
  return {
    async list(hosts = TRANSCRIPT_HOSTS) {
      const found = new FoundTranscripts()
      const formats = await loadFormats()
      const places: Partial<Record<TranscriptHost, string>> = {}
      for (const host of hosts)
        places[host] = formats[host].find(
          transcriptSearch(host, { root: parts.root, isOurs, sessionsIn }, found),
        )
      const transcripts = found.transcripts.sort(newestFirst)
      return { transcripts, problems: found.problems, places }
    },
    async open(transcript, options = {}) {
      const rows = transcript.file.endsWith('.db')
      return readTranscript(transcript, await loadFormats(), {
        ...options,
        nowMs: parts.nowMs(),
        ...(rows && { rows: () => rowsOf(openDatabase, transcript) }),
      })
    },
  }
}

function* rowsOf(
  openDatabase: HostTranscriptParts['openDatabase'],
  { file, session }: Transcript,
): Iterable<unknown> {
  const database = openDatabase(file)
  try {
    yield* database.messages(session)
  } finally {
    database.close()
  }
}

function newestFirst(a: Transcript, b: Transcript): number {
  return b.mtimeMs - a.mtimeMs || (a.file < b.file ? -1 : 1)
}

/** Lines of which hosts write many, and large ones: requests as they were sent, and snapshots of them. They have no message. */
const NO_WORDS =
  /"type":"(?:api-request[\w-]*|attachment|file-history-snapshot|world_state|token_count|hook\.(?:start|end)|system\.message)"/
const LOOKED_AT = 4_000

/** The messages of a transcript, as a stream: a file of any size takes little memory, and a damaged line affects no other. */
function readTranscript(
  transcript: Transcript,
  formats: TranscriptFormats,
  options: OpenOptions & { readonly nowMs: number; readonly rows?: () => Iterable<unknown> },
): OpenTranscript {
  const format = formats[transcript.host]
  const reader = format.reader({
    nowMs: options.nowMs,
    // A caller that opens the transcript of a sub-agent wants its messages.
    withSubAgents: options.withSubAgents === true || transcript.isSubAgent,
  })
  if (transcript.isSubAgent) reader.about.isSubAgent = true
  const parts =
    options.rows !== undefined
      ? inRows(options.rows, reader)
      : transcript.file.endsWith('.json')
        ? inElements(transcript.file, reader)
        : inLines(transcript.file, reader, format.needsEveryLine ? undefined : options.isWorthReading)
  return { about: reader.about, parts }
}

async function* inLines(
  file: string,
  reader: TranscriptReader,
  isWorthReading: OpenOptions['isWorthReading'],
): AsyncIterable<TranscriptPart> {
  const { lines } = await openLines(file)
  let last = 0
  let done = 0
  for await (const { text, number, bytesRead, cut } of lines) {
    last = number
    done = bytesRead
    if (text === '' || text === '\r') continue
    if (cut !== undefined) {
      if (!NO_WORDS.test(text.slice(0, LOOKED_AT))) yield { line: number, done, trouble: tooLong(cut) }
      continue
    }
    if (isWorthReading !== undefined && !isWorthReading(text)) continue
    if (text.trim() === '') continue
    const value = parseJson(text)
    if (value === undefined) yield { line: number, done, trouble: NOT_JSON }
    else for (const { message, line } of reader.take(value, number)) yield { said: message, line, done }
  }
  for (const { message, line } of reader.finish()) yield { said: message, line: line || last, done }
}

/** One JSON document with a list of messages: older chats of Gemini, Cline, an export of OpenCode. */
async function* inElements(file: string, reader: TranscriptReader): AsyncIterable<TranscriptPart> {
  let done = 0
  const about: Record<string, unknown> = {}
  for await (const part of jsonElements(file, 'messages')) {
    if (part.part === 'broken') {
      yield { line: part.line, done, trouble: BROKEN }
      continue
    }
    const value = 'cut' in part && part.cut !== undefined ? undefined : parseJson(part.text)
    if (part.part === 'field') {
      about[part.name] = value
      // The head of the conversation, as far as it is known: its fields may come one by one.
      if (isObject(value) || typeof value === 'string') reader.take({ ...about }, part.line)
      continue
    }
    done = part.bytesRead
    if (part.cut !== undefined) yield { line: part.line, done, trouble: tooLong(part.cut) }
    else if (value === undefined) yield { line: part.line, done, trouble: NOT_JSON }
    else for (const { message, line } of reader.take(value, part.line)) yield { said: message, line, done }
  }
  for (const { message, line } of reader.finish()) yield { said: message, line, done }
}

async function* inRows(
  rows: () => Iterable<unknown>,
  reader: TranscriptReader,
): AsyncIterable<TranscriptPart> {
  let number = 0
  for (const row of rows()) {
    number++
    for (const { message, line } of reader.take(row, number)) yield { said: message, line, done: number }
  }
}

const NOT_JSON = { code: 'json_damaged', message: 'it is not JSON' } as const
const BROKEN = {
  code: 'json_damaged',
  message: 'the file ends in the middle; what came before is taken',
} as const

function tooLong(bytes: number): { code: NoticeCode; message: string } {
  return {
    code: 'message_too_long',
    message: `it has ${Math.round(bytes / 1_048_576)} MB, and at most 4 MB are taken of one line`,
  }
}

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
class FoundTranscripts {
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
function transcriptSearch(
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
    read: (file, mostBytes) =>
      found.trying(file, () => {
        const reading = nodeDisk.readPlain(file, mostBytes)
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
