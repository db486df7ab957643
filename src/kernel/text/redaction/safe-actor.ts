import type { Actor } from '../../model/entry.ts'
import { redact } from './redact.ts'

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
