import { CairnError } from '../model/errors.ts'
import type { HookSpool } from '../pipeline/hooks/hook-spool.ts'
import type { SpoolLine } from '../pipeline/hooks/spool-line.ts'
import { agentTextsIn, hasTranscriptReader, type SaidText } from '../pipeline/hooks/transcript-texts.ts'
import { errnoOf, nodeDisk } from '../system/disk.ts'

/** Of a transcript that grew by more, the end is read: a turn hardly ever says that much. */
const MOST_BYTES = 8 * 1_048_576
const NEWLINE = 0x0a

export type Offsets = Awaited<ReturnType<HookSpool['readCursor']>>['offsets']

/** What an agent said since the transcript was read last, and how far it is read now. */
export function readTranscript(
  { host, transcript, agent }: SpoolLine,
  offsets: Offsets,
): { readonly texts: readonly SaidText[]; readonly offset: number } | undefined {
  if (transcript === undefined || !transcript.endsWith('.jsonl') || !hasTranscriptReader(host))
    return undefined
  try {
    const size = nodeDisk.stamp(transcript)?.size
    if (size === undefined) return undefined
    const known = offsets[transcript]
    // A transcript that is shorter than it was is another one.
    const from = known === undefined || known > size ? 0 : known
    const start = Math.max(from, size - MOST_BYTES)
    const bytes = nodeDisk.readRange(transcript, start, size - start) ?? new Uint8Array()
    // The host may be in the middle of a line.
    const end = bytes.lastIndexOf(NEWLINE) + 1
    const begin = start === from ? 0 : bytes.indexOf(NEWLINE) + 1
    const lines = new TextDecoder().decode(bytes.subarray(begin, end)).split('\n')
    const isOfSubAgent = agent !== undefined
    return {
      texts: agentTextsIn(host, lines, { isOfSubAgent, onlyLastTurn: known === undefined && !isOfSubAgent }),
      offset: start + end,
    }
  } catch (error) {
    // It is the host's file: it may be gone, or not for us to read. What the payloads said is kept.
    if (errnoOf(error) !== undefined || error instanceof CairnError) return undefined
    throw error
  }
}
