import { isObject, parseJson } from '../../kernel/model/json-value.ts'
import type { NoticeCode } from '../../kernel/model/notice-codes.ts'
import type { Transcript, TranscriptPart } from '../../kernel/model/transcript.ts'
import { jsonElements } from '../../kernel/system/json-elements.ts'
import { openLines } from '../../kernel/system/read-lines.ts'
import type { OpenOptions, OpenTranscript } from './decide/host-transcripts.ts'
import type { TranscriptFormats } from './decide/transcript-formats.ts'
import type { TranscriptReader } from './decide/transcript-reader.ts'

/** Lines of which hosts write many, and large ones: requests as they were sent, and snapshots of them. They have no message. */
const NO_WORDS =
  /"type":"(?:api-request[\w-]*|attachment|file-history-snapshot|world_state|token_count|hook\.(?:start|end)|system\.message)"/
const LOOKED_AT = 4_000

/** The messages of a transcript, as a stream: a file of any size takes little memory, and a damaged line affects no other. */
export function readTranscript(
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
