import type { Answered, Asked } from '../../api/client.ts'

export type Pair = Answered<'conflicts'>['conflicts'][number]

/** The possible decisions about a pair. */
export const DECISIONS = [
  'keepNewer',
  'keepOlder',
  'keepBoth',
  'notAConflict',
  'removeOlder',
  'removeNewer',
] as const
export type Decision = (typeof DECISIONS)[number]

/** The input of the route for a decision. */
export function resolutionOf(choice: Decision, { older, newer }: Pair): Asked<'conflictsResolve'> {
  const pair = { pair: older.id, other: newer.id }
  switch (choice) {
    case 'keepNewer':
      return { ...pair, supersede: older.id }
    case 'keepOlder':
      return { ...pair, keep: older.id }
    case 'keepBoth':
      return { ...pair, both: true }
    case 'notAConflict':
      return { ...pair, notAConflict: true }
    case 'removeOlder':
      return { ...pair, keep: newer.id, remove: true }
    case 'removeNewer':
      return { ...pair, keep: older.id, remove: true }
  }
}
