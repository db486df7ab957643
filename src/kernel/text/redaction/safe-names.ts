import { parseAgentId } from '../../model/agent-id.ts'
import type { Actor } from '../../model/entry.ts'
import { CairnError } from '../../model/errors.ts'
import { redact } from './redact.ts'

/** The id of an agent that a caller named. Checked as it was typed: a key in lower case is not recognised any more. */
export function parseAgentName(text: string): string {
  return parseAgentId(withoutSecret('agent', text))
}

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

const MAX_NAME_CHARACTERS = 200

/** The actor's names come from the environment, which may contain a secret. */
export function safeActor(by: Actor): Actor {
  const clean = (text: string) => redact(text.slice(0, MAX_NAME_CHARACTERS)).text
  return {
    host: clean(by.host),
    ...(by.agent !== undefined && { agent: clean(by.agent) }),
    ...(by.session !== undefined && { session: clean(by.session) }),
    ...(by.isAgent === true && { isAgent: true }),
    ...(by.principal !== undefined && { principal: clean(by.principal) }),
  }
}
