import type { Composed, ComposedCheckout, ComposedHub } from '../compose/composed.ts'
import { notAHub, notOnHub } from '../kernel/memory-place.ts'

/** Where a verb can run: where there are files of the project, only in a project of a hub, or in both. */
export type RunsIn = 'checkout' | 'hub' | 'both'

export type MemoryIn<Where extends RunsIn> = Where extends 'checkout'
  ? ComposedCheckout
  : Where extends 'hub'
    ? ComposedHub
    : Composed

/** For a surface that serves both, before `run`. Throws `not_on_hub`, or `hub_refused` if the verb needs a hub. */
export function requirePlace(
  { name, runs }: { readonly name: string; readonly runs?: RunsIn },
  { place }: Composed,
): void {
  if (runs === 'checkout' && place.kind === 'hub') throw notOnHub(`\`${name}\``)
  if (runs === 'hub' && place.kind === 'folder') throw notAHub()
}
