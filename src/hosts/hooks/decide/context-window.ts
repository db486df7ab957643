import type { HostId } from '../../../kernel/model/host.ts'
import type { ContextUsage } from '../../host-adapter.ts'
import { HOSTS } from '../../hosts.ts'
import { parseFields } from './payload-fields.ts'

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
