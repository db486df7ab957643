/** A JSON file of `.memory/`, whoever wrote it. */
type JsonObject = Readonly<Record<string, unknown>>

/** When a person said that an entry holds, and who: `confirmations` of curation.json, by entry. */
export interface Confirmation {
  /** UTC ISO. */
  readonly at: string
  readonly by: string
}

/** The document with these entries confirmed. What somebody wrote into it by hand stays, as long as it can hold another. */
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
