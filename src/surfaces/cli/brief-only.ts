import { BRIEF_PRESENTERS } from '../../features/brief/present-brief.ts'
import { briefOperation } from '../../features/brief/verbs/brief.ts'
import { main as run } from './main.ts'
import { warmUpBrief } from './warm-up.ts'

declare const CAIRN_VERSION: string

/** The command line for `brief` only, because a prompt waits for it. */
export function main(argv: readonly string[]): Promise<number> {
  return run(argv, {
    version: CAIRN_VERSION,
    operations: { brief: async () => briefOperation },
    presenters: BRIEF_PRESENTERS,
  })
}

/** Runs the commands whose compiled code becomes the cache (see launch.ts). */
export function warmUp(): Promise<void> {
  return warmUpBrief(main)
}
