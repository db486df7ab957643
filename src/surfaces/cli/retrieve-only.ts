import { RETRIEVED_PRESENTERS } from '../../addons/workspaces/present-retrieved.ts'
import {
  retrieveLearningsOperation,
  retrieveOverviewOperation,
  retrievePlansOperation,
} from '../../addons/workspaces/verbs/retrieve.ts'
import { main as run } from './main.ts'
import { warmUpRetrieve } from './warm-up.ts'

declare const CAIRN_VERSION: string

/** The command line for `retrieve` only, because an agent waits for it. */
export function main(argv: readonly string[]): Promise<number> {
  return run(argv, {
    version: CAIRN_VERSION,
    operations: {
      'retrieve plans': async () => retrievePlansOperation,
      'retrieve overview': async () => retrieveOverviewOperation,
      'retrieve learnings': async () => retrieveLearningsOperation,
    },
    presenters: RETRIEVED_PRESENTERS,
  })
}

/** Runs the commands whose compiled code becomes the cache (see launch.ts). */
export function warmUp(): Promise<void> {
  return warmUpRetrieve(main)
}
