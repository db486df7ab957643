import { main as run } from './main.ts'
import { walkLookingPaths } from './warm-up.ts'

// Named here, these are at hand in the same file; what they load on demand stays apart until something has changed.
export { searchOperation } from '../../operations/search.ts'
export { present } from './present.ts'

declare const CAIRN_VERSION: string

/** The command line for looking something up, which must start fastest. */
export function main(argv: readonly string[]): Promise<number> {
  return run(argv, CAIRN_VERSION)
}

/** Runs the commands whose compiled code becomes the cache (see launch.ts). */
export function warmUp(): Promise<void> {
  return walkLookingPaths(main)
}
