import type { Memory } from '../../kernel/memory.ts'
import { rootOf } from '../../kernel/memory-place.ts'
import type { Transcript } from '../../kernel/model/transcript.ts'
import { captureMessage } from '../sessions/decide/capture-message.ts'
import { coldParts } from './cold-transcripts.ts'
import type { KeptLine } from './decide/cold-copies.ts'
import type { ColdPorts } from './decide/ports.ts'

/** Written as one part; a transcript of any length takes no more memory than this. */
const PART_CHARACTERS = 4_000_000

/** Copies what is new in these transcripts, message by message and without secrets. Returns how many had something new. */
export async function keepCopies(
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
    let lines: KeptLine[] = []
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
  message: KeptLine['message'],
  hasSecondNet: boolean,
): Promise<KeptLine['message']> {
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
