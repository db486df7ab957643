import { CairnError } from '../../kernel/model/errors.ts'
import type { HostId } from '../../kernel/model/host.ts'
import { errnoOf, nodeDisk } from '../../kernel/system/disk.ts'
import { HOSTS } from '../hosts.ts'
import { parseFields } from './decide/payload-fields.ts'
import type { TranscriptEvent } from './decide/transcript-event.ts'

/** Of a transcript that grew by more, only the end is read: a turn is hardly ever that long. */
const MAX_BYTES = 8 * 1_048_576
const NEWLINE = 0x0a

export function isReadable(host: HostId, transcript: string): boolean {
  return transcript.endsWith('.jsonl') && HOSTS[host].hooks.readLine !== undefined
}

/** What one line says; undefined: nothing that belongs in a conversation, or it is damaged. */
export function readTranscriptLine(
  host: HostId,
  line: string,
  { isOfSubAgent }: { readonly isOfSubAgent: boolean },
): TranscriptEvent | undefined {
  const fields = parseFields(line)
  return fields === undefined ? undefined : HOSTS[host].hooks.readLine?.(fields, isOfSubAgent)
}

/** 0: it does not exist yet. undefined: it cannot be read. */
export function transcriptSize(transcript: string): number | undefined {
  return ofHost(() => nodeDisk.stamp(transcript)?.size ?? 0)
}

/** The last change of a file that the host named. undefined: it cannot be read, or does not exist. */
export function changedMs(file: string): number | undefined {
  return ofHost(() => nodeDisk.stamp(file)?.mtimeMs)
}

interface TranscriptRange {
  readonly host: HostId
  readonly transcript: string
  readonly isOfSubAgent: boolean
  readonly from: number
  /** Everything up to this byte is read. */
  readonly to: number
  /** Then also the rest of the turn, up to the next prompt or this byte: a host may write its last answer after calling the hook. */
  readonly restUntil?: number
}

interface TranscriptChunk {
  readonly events: readonly TranscriptEvent[]
  /** The position behind the last line that was read. */
  readonly offset: number
  /** A later prompt follows: the turn gets no more messages. */
  readonly isTurnOver: boolean
}

/** The events in a range of bytes of a transcript. undefined: it cannot be read. */
export function readTranscript(range: TranscriptRange): TranscriptChunk | undefined {
  const { host, transcript, isOfSubAgent, from, to, restUntil = to } = range
  return ofHost(() => {
    const size = nodeDisk.stamp(transcript)?.size ?? 0
    const last = Math.min(size, Math.max(to, restUntil))
    const start = Math.max(from, last - MAX_BYTES)
    const bytes = nodeDisk.readRange(transcript, start, last - start) ?? new Uint8Array()
    const decoder = new TextDecoder()
    const events: TranscriptEvent[] = []
    let at = start === from ? 0 : bytes.indexOf(NEWLINE) + 1
    let isTurnOver = false
    // The host may be writing a line: it is read when it is complete.
    for (let end = bytes.indexOf(NEWLINE, at); end !== -1; end = bytes.indexOf(NEWLINE, at)) {
      const line = decoder.decode(bytes.subarray(at, end))
      const event = readTranscriptLine(host, line, { isOfSubAgent })
      isTurnOver = start + at >= to && event?.kind === 'prompt'
      if (isTurnOver) break
      if (event !== undefined) events.push(event)
      at = end + 1
    }
    return { events, offset: start + at, isTurnOver }
  })
}

/** It is the host's file: it may be gone or not readable for us. Then the payloads are used. */
function ofHost<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (errnoOf(error) !== undefined || error instanceof CairnError) return undefined
    throw error
  }
}
