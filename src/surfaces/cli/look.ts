import { presentFound } from '../../features/search/present-found.ts'
import { searchOperation } from '../../features/search/verbs/search.ts'
import type { AnswerOf } from '../../verbs/all.ts'
import { main as run } from './main.ts'
import { walkLookingPaths } from './warm-up.ts'

declare const CAIRN_VERSION: string

/** The command line for looking something up, which must start fastest: it holds that one verb and nothing else. */
export function main(argv: readonly string[]): Promise<number> {
  return run(argv, {
    version: CAIRN_VERSION,
    operations: { search: async () => searchOperation },
    present: (_verb, output, terminal) => presentFound(output as AnswerOf<'search'>, terminal),
  })
}

/** Runs the commands whose compiled code becomes the cache (see launch.ts). */
export function warmUp(): Promise<void> {
  return walkLookingPaths(main)
}
