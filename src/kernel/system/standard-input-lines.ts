import { lineSplitter, type SplitLine } from './line-splitter.ts'

/** Messages are shorter, but a transcript may contain a line of 20 MB. */
const MAX_LINE_BYTES = 8_388_608

/** Standard input, line by line: the input may be of any size. */
export async function* standardInputLines(): AsyncIterable<SplitLine> {
  const splitter = lineSplitter(MAX_LINE_BYTES)
  for await (const chunk of process.stdin) yield* splitter.push(chunk as Uint8Array)
  yield* splitter.end()
}
