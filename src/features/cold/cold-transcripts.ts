import type { OpenOptions } from '../../hosts/transcripts/decide/host-transcripts.ts'
import type { Memory } from '../../kernel/memory.ts'
import { rootOf } from '../../kernel/memory-place.ts'
import type { Message } from '../../kernel/model/message.ts'
import type { Problem } from '../../kernel/model/search.ts'
import type { Transcript, TranscriptHost } from '../../kernel/model/transcript.ts'
import { captureMessage } from '../sessions/decide/capture-message.ts'
import type { ColdPorts, CopiedMessage } from './decide/ports.ts'

interface ColdPart {
  readonly line: number
  readonly done: number
  readonly message?: Message
  readonly trouble?: { readonly code: string; readonly message: string }
}

/** All transcripts that can be searched: those of hosts, and the copies of those that hosts have deleted. Newest first. */
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

/** The messages of one transcript, sub-agents included. */
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

/** Written as one part, so that a transcript of any length needs only this much memory. */
const PART_CHARACTERS = 4_000_000

/** Copies the new messages of these transcripts without secrets. Returns the number of transcripts that had new messages. */
export async function saveCopies(
  memory: Memory & ColdPorts,
  transcripts: readonly Transcript[],
  onProgress?: (done: number, total: number | undefined, what: string) => void,
): Promise<number> {
  const config = await memory.config()
  let copied = 0
  for (const [at, transcript] of transcripts.entries()) {
    const kept = await memory.coldCopies.find(transcript)
    onProgress?.(at + 1, transcripts.length, 'copies of transcripts')
    if (kept !== undefined && isSame(kept.transcript, transcript)) continue
    copied++
    let number = 0
    let from = kept?.messages ?? 0
    let lines: CopiedMessage[] = []
    let size = 0
    for await (const { message, line } of coldParts(memory, transcript)) {
      if (message === undefined) continue
      const place = number++
      if (place < from) continue
      const first = captureMessage(message, { config, root: rootOf(memory), now: '' }).message
      const clean = await withoutSecrets(memory, first, config['redaction.secondNet'])
      lines.push({ number: place, line, message: clean })
      size += clean.text.length
      if (size < PART_CHARACTERS) continue
      await memory.coldCopies.add(transcript, from, lines)
      from = number
      lines = []
      size = 0
    }
    await memory.coldCopies.add(transcript, from, lines)
  }
  return copied
}

async function withoutSecrets(
  memory: Memory,
  message: CopiedMessage['message'],
  hasSecondNet: boolean,
): Promise<CopiedMessage['message']> {
  const { at, ...rest } = message
  const dated = { ...rest, ...(at !== undefined && at !== '' && { at }) }
  if (!hasSecondNet) return dated
  const net = async (text: string) => (await memory.secondNet(text)).text
  const { run } = dated
  return {
    ...dated,
    text: await net(dated.text),
    ...(run !== undefined && {
      run: {
        ...run,
        ...(run.command !== undefined && { command: await net(run.command) }),
        ...(run.output !== undefined && { output: await net(run.output) }),
      },
    }),
  }
}

function isSame(a: Transcript, b: Transcript): boolean {
  return a.size === b.size && a.mtimeMs === b.mtimeMs && a.inode === b.inode && a.file === b.file
}
