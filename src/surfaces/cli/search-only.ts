import { presentHits } from '../../features/search/present-hits.ts'
import { searchOperation } from '../../features/search/verbs/search.ts'
import { main as run } from './main.ts'
import { warmUpSearch } from './warm-up.ts'

declare const CAIRN_VERSION: string

/** The command line for `search` only, which must start fastest. */
export function main(argv: readonly string[]): Promise<number> {
  return run(argv, {
    version: CAIRN_VERSION,
    operations: { search: async () => searchOperation },
    // Transcripts and the archive are searched by the whole command line.
    presenters: { search: presentHits },
  })
}

/** Runs the commands whose compiled code becomes the cache (see launch.ts). */
export function warmUp(): Promise<void> {
  return warmUpSearch(main)
}
