import type { StateChange } from './decide/link-state.ts'
import type { SharedDocument } from './decide/protocol.ts'
import { mergeShared } from './decide/shared-documents.ts'
import { isSoundDocument } from './decide/sound-document.ts'
import type { Sides } from './sides.ts'
import type { NotTaken } from './take-in.ts'

export interface DocumentsTaken {
  /** That are other here now. */
  readonly received: number
  /** Where both sides said something else. */
  readonly settled: readonly string[]
  readonly withheld: readonly NotTaken[]
}

/** Takes in what the hub's documents say, and agrees with it. */
export async function takeDocuments(
  { local, state, holdsSecret }: Sides,
  given: readonly { readonly name: SharedDocument; readonly body: string | null }[],
  after: StateChange,
): Promise<DocumentsTaken> {
  const settled: string[] = []
  let received = 0
  const withheld: NotTaken[] = []
  const theirs: { readonly name: SharedDocument; readonly body: string | null }[] = []
  for (const { name, body } of given)
    if (!isSoundDocument(name, body)) withheld.push({ id: name, why: 'unsound' })
    else if (body !== null && (await holdsSecret(body))) withheld.push({ id: name, why: 'secret_there' })
    else theirs.push({ name, body })
  if (theirs.length > 0) {
    const agreed = state.documents()
    await local.write(async view => {
      settled.length = 0
      const documents: { name: SharedDocument; body: string | null }[] = []
      for (const { name, body } of theirs) {
        const ours = await view.document(name)
        const merged = mergeShared(name, { base: agreed[name], ours, theirs: body })
        settled.push(...merged.settled)
        if (merged.body !== ours) documents.push({ name, body: merged.body })
      }
      received = documents.length
      return documents.length === 0 ? null : { entries: [], documents }
    })
  }
  if (theirs.length > 0 || Object.keys(after).length > 0)
    state.keep({
      ...after,
      ...(theirs.length > 0 && { settledAt: null }),
      documents: theirs.map(({ name, body }) => [name, body] as const),
    })
  return { received, settled, withheld }
}
