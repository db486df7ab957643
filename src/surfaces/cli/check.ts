import { STATUS_PRESENTERS } from '../../features/status/present-status.ts'
import { statusOperation } from '../../features/status/verbs/status.ts'
import { VALIDATE_PRESENTERS } from '../../features/validate/present-validate.ts'
import { validateOperation } from '../../features/validate/verbs/validate.ts'
import { presentBy } from '../../verbs/presenter.ts'
import { main as run } from './main.ts'
import { walkCheckingPaths } from './warm-up.ts'

declare const CAIRN_VERSION: string

/** The command line for looking after a memory, in CI and in a prompt of the shell: two verbs, and nothing that writes. */
export async function main(argv: readonly string[]): Promise<number> {
  // What has begun to mend must not be begun again by another bundle.
  if (argv.includes('--fix')) throw Object.assign(new Error('not in this bundle'), { handOver: true })
  return run(argv, {
    version: CAIRN_VERSION,
    operations: { status: async () => statusOperation, validate: async () => validateOperation },
    present: presentBy({ ...STATUS_PRESENTERS, ...VALIDATE_PRESENTERS }),
  })
}

/** Runs the commands whose compiled code becomes the cache (see launch.ts). */
export function warmUp(): Promise<void> {
  return walkCheckingPaths(main)
}
