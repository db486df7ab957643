import { type Bundle, type BundleCheckpoint, STATE_VERSION } from '../../kernel/model/bundle.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import { bundleHashOf } from '../../kernel/system/digest.ts'
import type { StateReading } from './decide/state-files.ts'

/** Its id tells when it was made; chance tells two of one moment apart. */
export function newCheckpoint(
  bundle: Bundle,
  { now, random, reason }: { readonly now: string; readonly random: number; readonly reason: string },
): BundleCheckpoint {
  return {
    schemaVersion: STATE_VERSION,
    id: `${now.replaceAll(/[:.]/g, '-')}-${random.toString(36)}`,
    createdAt: now,
    bundleHash: bundleHashOf(bundle),
    reason,
    bundle,
  }
}

export function stateNewer(version: number): CairnError {
  return new CairnError({
    code: 'vault_newer',
    message: `.memory/state.json has version ${version}: a newer Cairn, or another tool, has written it. It is left as it is.`,
    hint: 'Update Cairn; or move the file away, and recall makes it again.',
  })
}

/** For who asked for the state and nothing else. */
export function stateUnusable(reading: Extract<StateReading, { kind: 'newer' | 'damaged' }>): CairnError {
  if (reading.kind === 'newer') return stateNewer(reading.version)
  const { message, hint } = reading.problem
  return new CairnError({ code: 'document_damaged', message, hint })
}

export const MAX_NAMED_CHECKPOINTS = 5

/** `ids`: those that there are, newest first. */
export function checkpointNotFound(id: string, ids: readonly string[] = []): CairnError {
  return new CairnError({
    code: 'checkpoint_not_found',
    message: `There is no checkpoint ${id.slice(0, 80)}.`,
    hint:
      ids.length === 0
        ? 'There is none yet; `cairn recall` leaves one when the state changes.'
        : `The newest are: ${ids.slice(0, MAX_NAMED_CHECKPOINTS).join(', ')}.`,
  })
}
