import type { OpenOptions } from '../../hosts/transcripts/decide/host-transcripts.ts'
import type { Message } from '../../kernel/model/message.ts'
import type { Problem } from '../../kernel/model/search.ts'
import type { Transcript, TranscriptHost } from '../../kernel/model/transcript.ts'
import type { ColdPorts } from './decide/ports.ts'

export interface ColdPart {
  readonly line: number
  readonly done: number
  readonly message?: Message
  readonly trouble?: { readonly code: string; readonly message: string }
}

/** Everything that can be searched: what hosts have, and the copies of what they have no more. Newest first. */
export async function coldTranscripts(
  memory: ColdPorts,
  hosts?: readonly TranscriptHost[],
): Promise<{ readonly transcripts: readonly Transcript[]; readonly problems: readonly Problem[] }> {
  const listed = await memory.transcripts.list(hosts)
  const kept = await memory.coldCopies.list()
  const there = new Set(listed.transcripts.map(({ host, session }) => `${host} ${session}`))
  const gone = kept.copies
    .map(({ transcript, bytes }): Transcript => ({ ...transcript, size: bytes, isKept: true }))
    .filter(({ host, session }) => !there.has(`${host} ${session}`) && (hosts?.includes(host) ?? true))
  return {
    transcripts: [...listed.transcripts, ...gone].sort((a, b) => b.mtimeMs - a.mtimeMs),
    problems: [...listed.problems, ...kept.problems],
  }
}

/** What is said in one, sub-agents included. */
export async function* coldParts(
  memory: ColdPorts,
  transcript: Transcript,
  options: Pick<OpenOptions, 'isWorthReading'> = {},
): AsyncIterable<ColdPart> {
  if (transcript.isKept === true) {
    for await (const { done, kept, trouble } of memory.coldCopies.read(transcript))
      yield {
        line: kept?.line ?? 0,
        done,
        ...(kept !== undefined && { message: kept.message }),
        ...(trouble !== undefined && { trouble }),
      }
    return
  }
  const { parts } = await memory.transcripts.open(transcript, { withSubAgents: true, ...options })
  for await (const { said, ...part } of parts) yield said === undefined ? part : { ...part, message: said }
}
