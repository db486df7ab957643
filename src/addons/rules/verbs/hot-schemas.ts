import * as v from 'valibot'
import { flag, list } from '../../../verbs/operation.ts'
import { LINK_HOSTS } from '../decide/host-folders.ts'
import type { LinkResult } from '../linking.ts'

/** Which hosts and how; the same for rules and skills. */
export const hostFields = {
  host: v.optional(
    list(
      `Only these hosts, whether they are used here or not: ${LINK_HOSTS.join(', ')} (default: those found)`,
    ),
  ),
}
export const linkFields = {
  ...hostFields,
  copy: v.optional(flag('Copies with a marker instead of links')),
  dryRun: v.optional(flag('Show what would be done without changing anything')),
}

export const linkResultSchema = v.object({
  host: v.string(),
  path: v.pipe(v.string(), v.description('Relative to the project')),
  outcome: v.pipe(
    v.picklist(['linked', 'copied', 'kept', 'removed', 'left']),
    v.description('kept: it was already correct; left: it is not ours, or was changed by hand'),
  ),
  why: v.exactOptional(v.string()),
})

export function linkResults(results: readonly LinkResult[]) {
  return results.map(result => ({ ...result }))
}
