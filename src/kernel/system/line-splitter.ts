export interface SplitLine {
  /** From 1. */
  readonly number: number
  /** undefined: longer than the limit, and dropped. */
  readonly text: string | undefined
  readonly bytes: number
  /** false: the text ended before the line did. */
  readonly ended: boolean
}

const NEWLINE = 0x0a

/** Splits a stream of bytes into lines. A line over the limit is counted and dropped, so that a line of any length needs no memory. */
export function lineSplitter(maxBytes: number): {
  push(chunk: Uint8Array): SplitLine[]
  end(): SplitLine[]
} {
  let parts: Uint8Array[] = []
  let bytes = 0
  let number = 0

  const keep = (part: Uint8Array) => {
    bytes += part.length
    if (bytes > maxBytes) parts = []
    else if (part.length > 0) parts.push(part)
  }
  const finish = (ended: boolean): SplitLine => {
    const text = bytes > maxBytes ? undefined : Buffer.concat(parts).toString('utf8')
    const line = { number: ++number, text, bytes, ended }
    parts = []
    bytes = 0
    return line
  }

  return {
    push(chunk) {
      const lines: SplitLine[] = []
      let from = 0
      for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
        keep(chunk.subarray(from, at))
        lines.push(finish(true))
        from = at + 1
      }
      keep(chunk.subarray(from))
      return lines
    },
    end: () => (bytes === 0 ? [] : [finish(false)]),
  }
}

/** Messages are shorter, but a transcript may contain a line of 20 MB. */
const MAX_LINE_BYTES = 8_388_608

/** Standard input, line by line: the input may be of any size. */
export async function* standardInputLines(): AsyncIterable<SplitLine> {
  const splitter = lineSplitter(MAX_LINE_BYTES)
  for await (const chunk of process.stdin) yield* splitter.push(chunk as Uint8Array)
  yield* splitter.end()
}
