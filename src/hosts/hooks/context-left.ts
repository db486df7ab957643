import { errnoOf, nodeDisk } from '../../kernel/system/disk.ts'
import { contextLeftIn } from './decide/context-window.ts'
import type { HookEvent } from './decide/hook-event.ts'

/** A few turns: the last of them says how full the context is. */
const TAIL_BYTES = 65_536

/** Tokens left in the context of a prompt, where the host's transcript tells; a transcript that cannot be read tells nothing. */
export function contextLeft({ purpose, host, transcript }: HookEvent): number | undefined {
  if (purpose !== 'prompt' || transcript === undefined || !transcript.endsWith('.jsonl')) return undefined
  try {
    const read = nodeDisk.readTail(transcript, TAIL_BYTES)
    return (
      read &&
      contextLeftIn(
        host,
        Buffer.from(read.tail.buffer, read.tail.byteOffset, read.tail.length).toString('utf8'),
      )
    )
  } catch (error) {
    if (errnoOf(error) === undefined && !(error instanceof Error && 'hint' in error)) throw error
    return undefined
  }
}
