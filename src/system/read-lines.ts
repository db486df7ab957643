import { createReadStream, statSync } from 'node:fs'
import { CairnError } from '../model/errors.ts'
import { errnoOf } from './disk.ts'

export interface Line {
  readonly text: string
  readonly number: number
  /** Where the line ends: progress by bytes is known before all lines are. */
  readonly bytesRead: number
}

/** The lines of a file, or of standard input for `-`, as a stream: a file of any size takes little memory. */
export async function openLines(
  file: string,
): Promise<{ bytes: number | undefined; lines: AsyncIterable<Line> }> {
  if (file === '-') return { bytes: undefined, lines: linesOf(process.stdin) }
  try {
    return { bytes: statSync(file).size, lines: linesOf(createReadStream(file)) }
  } catch (cause) {
    if (errnoOf(cause) !== 'ENOENT') throw cause
    throw new CairnError({
      code: 'file_not_found',
      message: `There is no file ${file}.`,
      hint: 'Check the path; - reads from standard input.',
      cause,
    })
  }
}

async function* linesOf(stream: AsyncIterable<Buffer | string>): AsyncIterable<Line> {
  const decoder = new TextDecoder()
  let rest = ''
  let number = 0
  let bytesRead = 0
  for await (const chunk of stream) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    bytesRead += bytes.length
    const parts = (rest + decoder.decode(bytes, { stream: true })).split('\n')
    rest = parts.pop() ?? ''
    for (const text of parts) yield { text, number: ++number, bytesRead }
  }
  rest += decoder.decode()
  if (rest !== '') yield { text: rest, number: ++number, bytesRead }
}
