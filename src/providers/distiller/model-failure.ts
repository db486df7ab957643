import { CairnError } from '../../kernel/model/errors.ts'

const LONGEST_REASON = 300

/** No cause goes along: what a library says of a request may hold its headers. */
export function modelFailed(
  model: string,
  why: string,
  spent: 'nothing' | 'unknown',
  secret?: string,
): CairnError {
  const safe = (secret === undefined ? why : why.replaceAll(secret, '[key]')).slice(0, LONGEST_REASON)
  return new CairnError({
    code: 'model_failed',
    message: `The model ${model} failed: ${safe.replace(/[.\s]+$/, '')}.`,
    hint: 'What the rules found stands. `cairn model try` shows whether it answers.',
    details: { spent },
  })
}

export function modelUnavailable(message: string, hint: string): CairnError {
  return new CairnError({ code: 'model_unavailable', message, hint, details: { spent: 'nothing' } })
}
