import type { HostId } from '../../kernel/model/host.ts'
import { errnoOf, nodeDisk } from '../../kernel/system/disk.ts'
import type { ContextUsage } from '../host-adapter.ts'
import { HOSTS } from '../hosts.ts'
import type { HookEvent } from './decide/hook-event.ts'
import { parseFields } from './decide/payload-fields.ts'

/** A few turns: the last one says how full the context is. */
const TAIL_BYTES = 65_536

/** Tokens left in the context of a prompt, where the host's transcript says; undefined if it cannot be read. */
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

/** Tokens left in the context, from the end of the host's transcript; undefined where it does not say. */
export function contextLeftIn(host: HostId, tail: string): number | undefined {
  const usage = usageIn(host, tail)
  return usage === undefined ? undefined : Math.max(0, usage.window - usage.used)
}

/** The last usage in this end of a transcript. */
function usageIn(host: HostId, tail: string): ContextUsage | undefined {
  const known = HOSTS[host].hooks.contextUsage
  if (known === undefined) return undefined
  for (let at = tail.lastIndexOf(known.mark); at !== -1; at = tail.lastIndexOf(known.mark, at - 1)) {
    const start = tail.lastIndexOf('\n', at) + 1
    const end = tail.indexOf('\n', at)
    const line = parseFields(tail.slice(start, end === -1 ? tail.length : end))
    const usage = line && known.read(line)
    if (usage !== undefined) return usage
    if (start === 0) return undefined
    at = start
  }
  return undefined
}
