import { STATUS_PRESENTERS } from '../../features/status/present-status.ts'
import { statusOperation } from '../../features/status/verbs/status.ts'
import { VALIDATE_PRESENTERS } from '../../features/validate/present-validate.ts'
import { validateOperation } from '../../features/validate/verbs/validate.ts'
import { main as run } from './main.ts'
import { warmUpHealth } from './warm-up.ts'

declare const CAIRN_VERSION: string

/** The command line for `status` and `validate`, in CI and in the prompt of a shell. It writes nothing. */
export async function main(argv: readonly string[]): Promise<number> {
  // A repair that was started must not be started again by another bundle.
  if (argv.includes('--fix')) throw Object.assign(new Error('not in this bundle'), { handOver: true })
  return run(argv, {
    version: CAIRN_VERSION,
    operations: { status: async () => statusOperation, validate: async () => validateOperation },
    presenters: { ...STATUS_PRESENTERS, ...VALIDATE_PRESENTERS },
  })
}

/** Runs the commands whose compiled code becomes the cache (see launch.ts). */
export function warmUp(): Promise<void> {
  return warmUpHealth(main)
}
