import type { AnswerOf } from '../../operations/all.ts'
import { searchOperation } from '../../operations/search.ts'
import { main as run } from './main.ts'
import { presentFound } from './present-found.ts'
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
