import { fingerprint } from '../../../kernel/text/fingerprint.ts'
import type { StaleProposal } from './stale-proposal.ts'
import { subjectIn } from './stale-proposal.ts'

/** A JSON file of `.memory/`, whoever wrote it. */
type JsonObject = Readonly<Record<string, unknown>>

/** What a person said no to, in `dismissals` of curation.json, by what it was about. */
export type Dismissals = Readonly<Record<string, Dismissal>>

export interface Dismissal {
  /** What it was decided on, as a fingerprint. */
  readonly basis: string
  /** UTC ISO. */
  readonly at: string
  readonly by: string
}

/** Beyond that the oldest are forgotten: then they are proposed once more. */
const MAX_DISMISSALS = 5_000

/** What cannot be read is passed over: a person may have edited the file. */
export function readDismissals(stored: unknown): Dismissals {
  if (typeof stored !== 'object' || stored === null || Array.isArray(stored)) return {}
  return Object.fromEntries(Object.entries(stored).filter(([, value]) => isDismissal(value)))
}

function isDismissal(value: unknown): value is Dismissal {
  if (typeof value !== 'object' || value === null) return false
  const { basis, at, by } = value as Partial<Record<keyof Dismissal, unknown>>
  return typeof basis === 'string' && typeof at === 'string' && typeof by === 'string'
}

export function isDismissed(
  dismissals: Dismissals,
  { id, basis }: Pick<StaleProposal, 'id' | 'basis'>,
): boolean {
  const subject = subjectIn(id)
  if (subject === undefined || !Object.hasOwn(dismissals, subject)) return false
  return dismissals[subject]?.basis === fingerprint(basis)
}

/** The document with a no to these proposals. */
export function withDismissals(
  document: JsonObject,
  proposals: readonly StaleProposal[],
  said: Omit<Dismissal, 'basis'>,
): JsonObject {
  const known = Object.entries(readDismissals(document.dismissals))
  const added = proposals.flatMap(({ id, basis }): [string, Dismissal][] => {
    const subject = subjectIn(id)
    return subject === undefined ? [] : [[subject, { basis: fingerprint(basis), ...said }]]
  })
  const newestLast = [...known, ...added].sort(([, a], [, b]) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
  return { ...document, dismissals: Object.fromEntries(newestLast.slice(-MAX_DISMISSALS)) }
}
