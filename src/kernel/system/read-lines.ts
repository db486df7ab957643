import { createReadStream, statSync } from 'node:fs'
import { CairnError } from '../model/errors.ts'
import { errnoOf } from './disk.ts'

export interface Line {
  /** Only its beginning if it is `cut`. */
  readonly text: string
  readonly number: number
  /** The offset of the line's end, to show progress in bytes before all lines are known. */
  readonly bytesRead: number
  /** The length of the line in bytes, if it exceeds the limit. */
  readonly cut?: number
}

/** The limit for one line. The rest of it is counted and dropped, so that a line of any length needs no more memory than this. */
export const MAX_LINE_BYTES = 4 * 1024 * 1024
const NEWLINE = 0x0a

/**
 * The lines of a file, or of standard input for `-`, as a stream: a file of any size needs little memory. It is opened with the first
 * line that is read: an error of a stream without a reader would end the process.
 */
export async function openLines(
  file: string,
  maxLineBytes = MAX_LINE_BYTES,
  from: LinePlace = { bytes: 0, count: 0 },
): Promise<{ bytes: number | undefined; lines: AsyncIterable<Line> }> {
  if (file === '-') return { bytes: undefined, lines: linesOf(() => process.stdin, maxLineBytes, from) }
  const open = () => createReadStream(file, { start: from.bytes })
  return { bytes: sizeOf(file), lines: linesOf(open, maxLineBytes, from) }
}

/** After so many lines, which have so many bytes. */
export interface LinePlace {
  readonly bytes: number
  readonly count: number
}

/** Throws `file_not_found` with a hint. */
export function sizeOf(file: string): number {
  try {
    return statSync(file).size
  } catch (cause) {
    if (errnoOf(cause) !== 'ENOENT') throw cause
    throw new CairnError({
      code: 'file_not_found',
      message: `The file ${file} does not exist.`,
      hint: 'Check the path. Use - to read from standard input.',
      cause,
    })
  }
}

async function* linesOf(
  open: () => AsyncIterable<Buffer | string>,
  maxLineBytes: number,
  from: LinePlace,
): AsyncIterable<Line> {
  let parts: Buffer[] = []
  let kept = 0
  let length = 0
  let number = from.count
  let bytesRead = from.bytes
  const keep = (part: Buffer) => {
    length += part.length
    const room = maxLineBytes - kept
    if (room <= 0 || part.length === 0) return
    parts.push(part.length <= room ? part : part.subarray(0, room))
    kept += Math.min(room, part.length)
  }
  const finish = (): Line => {
    // A character that is cut in two at the end becomes a replacement character: the line is incomplete anyway.
    const text = Buffer.concat(parts).toString('utf8')
    const line = { text, number: ++number, bytesRead, ...(length > kept && { cut: length }) }
    parts = []
    kept = 0
    length = 0
    return line
  }
  for await (const chunk of open()) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    bytesRead += bytes.length
    let from = 0
    for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, from)) {
      keep(bytes.subarray(from, at))
      yield withoutMark(finish())
      from = at + 1
    }
    keep(bytes.subarray(from))
  }
  if (length > 0) yield withoutMark(finish())
}

/** A byte order mark before the first line is not part of it. */
function withoutMark(line: Line): Line {
  return line.number === 1 && line.text.startsWith('\ufeff') ? { ...line, text: line.text.slice(1) } : line
}
