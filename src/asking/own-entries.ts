import type { Entry } from '../model/entry.ts'
import { CairnError } from '../model/errors.ts'
import { refusalOf, statementOf } from '../pipeline/asking/check-statement.ts'

/**
 * An agent changes what agents saved and no person confirmed. Everything else is a person's decision: the error names the command for
 * them. Throws `not_confirmed`.
 */
export function requireOwnEntry({ id, origin, status }: Entry, command: string): void {
  if (origin === 'agent' && status !== 'confirmed') return
  throw new CairnError({
    code: 'not_confirmed',
    message: `Entry ${id} is not an agent's: a person decides about it. Nothing was changed.`,
    hint: `Tell the user what you would change and why; \`${command}\` does it. To correct a fact, call \`remember\` with \`supersedes: "${id}"\`.`,
  })
}

/** The checks of a save, for the new text of an entry. Throws `invalid_input`. */
export function requireStorable(content: string): void {
  const reason = refusalOf(statementOf(content))
  if (reason === undefined) return
  throw new CairnError({
    code: 'invalid_input',
    message: `Not stored. ${reason}`,
    hint: 'Write one lasting fact that names its subject.',
  })
}
