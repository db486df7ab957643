import * as v from 'valibot'
import type { LinkPorts } from '../../../addons/link/decide/ports.ts'
import { linkStatus } from '../../../addons/link/link-hub.ts'
import { hasPorts } from '../../../kernel/checkout.ts'
import type { Memory } from '../../../kernel/memory.ts'
import type { Problem } from '../../../kernel/model/search.ts'
import type { ReviewPorts } from '../../review/decide/ports.ts'
import type { MeaningPorts, SearchPorts } from '../../search/decide/ports.ts'
import type { GitPorts } from '../../validate/decide/ports.ts'

export const addressSchema = v.object({
  url: v.string(),
  project: v.pipe(v.string(), v.description('Its name on the hub')),
  since: v.pipe(v.string(), v.description('UTC, to the minute')),
})

export const linkViewSchema = v.nullable(
  v.object({
    ...addressSchema.entries,
    lastSync: v.pipe(v.nullable(v.string()), v.description('UTC; null: never synced')),
    waiting: v.pipe(
      v.number(),
      v.description('How many changes the next sync sends, as far as this machine knows'),
    ),
    failures: v.pipe(v.number(), v.description('Consecutive failed syncs')),
    failure: v.nullable(v.object({ code: v.string(), message: v.string(), hint: v.string() })),
    last: v.nullable(
      v.object({
        sent: v.number(),
        received: v.number(),
        conflicts: v.pipe(
          v.number(),
          v.description('Entries that changed on both sides; both versions are stored'),
        ),
        withheld: v.pipe(v.number(), v.description('Changes that were not sent or could not be applied')),
        isReadOnly: v.pipe(v.boolean(), v.description('The token may only read: nothing is sent')),
      }),
    ),
  }),
)
export type LinkView = v.InferOutput<typeof linkViewSchema>

/** Does not contact the hub. */
export async function linkView(
  memory: Memory & SearchPorts & MeaningPorts & ReviewPorts & Partial<LinkPorts & GitPorts>,
): Promise<LinkView> {
  if (memory.isUserMemory || !hasPorts(memory, 'hubLink', 'hubClient', 'gitTracking')) return null
  const { address, log, waiting } = await linkStatus(memory)
  if (address === null) return null
  const { url, project, since } = address
  const syncedMs = log?.syncedMs ?? null
  return {
    url,
    project,
    since,
    lastSync: syncedMs === null ? null : new Date(syncedMs).toISOString(),
    waiting,
    failures: log?.failures ?? 0,
    failure: log?.failure ?? null,
    last: log?.last ?? null,
  }
}

/** Problems of the link, for the list of problems. */
export function linkProblems(view: LinkView): Problem[] {
  if (view === null || view.failure === null) return []
  const { message, hint } = view.failure
  return [{ code: 'hub_not_synced', path: view.url, message: `Not synced with the hub: ${message}`, hint }]
}
