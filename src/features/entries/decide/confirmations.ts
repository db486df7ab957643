import type { Actor } from '../../../kernel/model/entry.ts'
import { redact } from '../../../kernel/text/redaction/redact.ts'

/** A JSON file of `.memory/`, from any writer. */
type JsonObject = Readonly<Record<string, unknown>>

/** When a person confirmed an entry, and who: `confirmations` of curation.json, by entry. */
interface Confirmation {
  /** UTC ISO. */
  readonly at: string
  readonly by: string
}

/** The actor of a record: the host, and the agent if there is one. Redacted, since both come from outside. */
export function actorLabel({ host, agent }: Actor): string {
  return redact(agent === undefined ? host : `${host}/${agent}`).text
}

/** The document with these entries confirmed. Manual edits stay, if a confirmation can be added to them. */
export function withConfirmations(
  document: JsonObject,
  ids: readonly string[],
  confirmation: Confirmation,
): JsonObject {
  const { confirmations } = document
  const known = typeof confirmations === 'object' && !Array.isArray(confirmations) ? confirmations : null
  const added = Object.fromEntries(ids.map(id => [id, confirmation]))
  return { ...document, confirmations: { ...known, ...added } }
}

/** The document without a word about this entry: a person took it back. */
export function withoutConfirmation(document: JsonObject, id: string): JsonObject {
  const { confirmations } = document
  if (typeof confirmations !== 'object' || confirmations === null || !Object.hasOwn(confirmations, id))
    return document
  const { [id]: _taken, ...left } = confirmations as JsonObject
  return { ...document, confirmations: left }
}
