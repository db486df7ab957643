import { CairnError } from '../../kernel/model/errors.ts'
import { asStorageError } from '../../kernel/system/disk.ts'

/** To rebuild it takes longer than whoever asks can wait; the next one who has the time does it. */
export function damagedNow(cause: unknown): CairnError {
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
export class FileMoved extends Error {
  constructor(readonly path: string) {
    super(`${path} changed`)
  }
}

/** How often a write starts over where somebody saves the same file again and again. */
export const MAX_TRIES = 20

export function keepsChanging(path: string): CairnError {
  return new CairnError({
    code: 'file_changed',
    message: `${path} was saved by another program again and again while Cairn was about to write it; nothing was overwritten.`,
    hint: 'Try again in a moment.',
  })
}

export function interrupted(cause: unknown): CairnError {
  const { message } = asStorageError(cause, 'a vault file')
  return new CairnError({
    code: 'write_interrupted',
    message: `The change is journaled but was interrupted: ${message}`,
    hint: 'The next Cairn command completes it. Run `cairn status` to see.',
    cause,
  })
}

/** A system error of this work comes back as one that a person can act on. */
export function storing<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw asStorageError(error, 'The memory folder')
  }
}
