import { CairnError } from '../../model/errors.ts'

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
