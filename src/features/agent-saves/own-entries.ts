import { type Entry, isPinnedByAgent } from '../../kernel/model/entry.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import { refusalOf, statementOf } from './decide/check-statement.ts'

/** An agent changes what agents saved and no person confirmed. Everything else is a person's decision: see `proposeChange`. */
export function isOwnEntry(entry: Entry): boolean {
  return entry.origin === 'agent' && (entry.status === 'candidate' || isPinnedByAgent(entry))
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
