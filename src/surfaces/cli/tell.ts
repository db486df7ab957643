import { BRIEF_PRESENTERS } from '../../features/brief/present-brief.ts'
import { briefOperation } from '../../features/brief/verbs/brief.ts'
import { presentBy } from '../../verbs/presenter.ts'
import { main as run } from './main.ts'
import { walkTellingPaths } from './warm-up.ts'

declare const CAIRN_VERSION: string

/** The command line for a brief, which a prompt waits for: it holds that one verb and nothing else. */
export function main(argv: readonly string[]): Promise<number> {
  return run(argv, {
    version: CAIRN_VERSION,
    operations: { brief: async () => briefOperation },
    present: presentBy(BRIEF_PRESENTERS),
  })
}

/** Runs the commands whose compiled code becomes the cache (see launch.ts). */
export function warmUp(): Promise<void> {
  return walkTellingPaths(main)
}
