import { CairnError } from '../../kernel/model/errors.ts'
import { asStorageError } from '../../kernel/system/disk.ts'

/** A rebuild takes longer than the caller can wait; the next command without a deadline does it. */
export function indexDamaged(cause: unknown): CairnError {
  return new CairnError({
    code: 'store_io',
    message: 'The index is damaged, and there was no time to rebuild it from the vault files.',
    hint: 'Any other command rebuilds it; `cairn status` does.',
    cause,
  })
}

export function lockedError(patienceMs: number): CairnError {
  return new CairnError({
    code: 'store_locked',
    message: `Another process has been writing to this memory for ${Math.round(patienceMs / 100) / 10} s.`,
    hint: 'Try again; raise `lock.timeoutMs` in the configuration if a long import is running.',
  })
}

/** A file is not what the index says it is. The committer catches it and starts over. */
export class IndexOutdated extends Error {
  constructor(readonly path: string) {
    super(`${path} changed`)
  }
}

/** How often a write starts again while another program keeps saving the same file. */
export const MAX_TRIES = 20

export function keepsChanging(path: string): CairnError {
  return new CairnError({
    code: 'file_changed',
    message: `${path} was saved several times by another program while Cairn was about to write it; nothing was overwritten.`,
    hint: 'Try again in a moment.',
  })
}

export function interrupted(cause: unknown): CairnError {
  const { message } = asStorageError(cause, 'a vault file')
  return new CairnError({
    code: 'write_interrupted',
    message: `The change is journaled but was interrupted: ${message}`,
    hint: 'The next Cairn command completes it. `cairn status` shows the result.',
    cause,
  })
}

/** Translates a system error into one with a next step. */
export function storing<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw asStorageError(error, 'The memory folder')
  }
}
