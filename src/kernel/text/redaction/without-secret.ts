import { CairnError } from '../../model/errors.ts'
import { redact } from './redact.ts'

/**
 * A name is rejected instead of redacted, because it would name a folder. Checked as it was typed: a key in lower case is not recognised
 * any more.
 */
export function withoutSecret(field: string, name: string): string {
  if (redact(name).redacted.length === 0) return name
  throw new CairnError({
    code: 'invalid_input',
    message: `The ${field} looks like a secret; nothing was written.`,
    hint: `Give the ${field} a plain name, and change the secret if it was shared.`,
  })
}
