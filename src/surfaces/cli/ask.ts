import { RETRIEVED_PRESENTERS } from '../../addons/workspaces/present-retrieved.ts'
import {
  retrieveLearningsOperation,
  retrieveOverviewOperation,
  retrievePlansOperation,
} from '../../addons/workspaces/verbs/retrieve.ts'
import { presentBy } from '../../verbs/presenter.ts'
import { main as run } from './main.ts'
import { walkAskingPaths } from './warm-up.ts'

declare const CAIRN_VERSION: string

/** The command line for asking about a workspace, which an agent waits for: it holds the three questions and nothing else. */
export function main(argv: readonly string[]): Promise<number> {
  return run(argv, {
    version: CAIRN_VERSION,
    operations: {
      'retrieve plans': async () => retrievePlansOperation,
      'retrieve overview': async () => retrieveOverviewOperation,
      'retrieve learnings': async () => retrieveLearningsOperation,
    },
    present: presentBy(RETRIEVED_PRESENTERS),
  })
}

/** Runs the commands whose compiled code becomes the cache (see launch.ts). */
export function warmUp(): Promise<void> {
  return walkAskingPaths(main)
}
