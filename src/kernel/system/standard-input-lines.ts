import { lineSplitter, type SplitLine } from './line-splitter.ts'

/** No message is so long; a transcript may hold a line of 20 MB all the same. */
const MAX_LINE_BYTES = 8_388_608

/** Standard input, a line at a time: what comes in may be of any size. */
export async function* standardInputLines(): AsyncIterable<SplitLine> {
  const splitter = lineSplitter(MAX_LINE_BYTES)
  for await (const chunk of process.stdin) yield* splitter.push(chunk as Uint8Array)
  yield* splitter.end()
}
