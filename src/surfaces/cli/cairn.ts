import { OPERATIONS } from '../../verbs/all.ts'
import { presentBy } from '../../verbs/presenter.ts'
import { main as run } from './main.ts'
import { PRESENTERS } from './presenters.generated.ts'

declare const CAIRN_VERSION: string

export function main(argv: readonly string[]): Promise<number> {
  return run(argv, {
    version: CAIRN_VERSION,
    operations: OPERATIONS,
    present: presentBy(PRESENTERS),
  })
}

/** Runs the commands whose compiled code becomes the cache (see launch.ts). */
export async function warmUp(): Promise<void> {
  const { walkAllPaths } = await import('./warm-up.ts')
  await walkAllPaths(main)
}
