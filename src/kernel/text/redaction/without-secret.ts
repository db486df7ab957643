import { CairnError } from '../../model/errors.ts'
import { redact } from './redact.ts'

/**
 * A name is not redacted but refused: it would name a folder. As it was typed: folded to lower case, a key is known by nobody
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
