import { fingerprint } from '../../../kernel/text/fingerprint.ts'

export const STALE_KINDS = ['split', 'settle', 'archive', 'confirm'] as const
export type StaleKind = (typeof STALE_KINDS)[number]

/** Why something needs a look. */
export type StaleReason =
  | { readonly code: 'too_many_entries'; readonly entries: number; readonly most: number }
  | { readonly code: 'contradicted'; readonly by: string; readonly conflict: string }
  | { readonly code: 'superseded'; readonly by: string }
  /** `files`: with what became of each, in words; `paths`: their names alone. */
  | { readonly code: 'orphaned'; readonly files: readonly string[]; readonly paths: readonly string[] }
  | { readonly code: 'drifted'; readonly files: readonly string[]; readonly paths: readonly string[] }
  | { readonly code: 'unused'; readonly days: number }

/** What applying a proposal does, exactly. */
export type StaleStep =
  | {
      readonly kind: 'split'
      /** A file of a vault (relative to `.memory/`), or of a workspace (relative to the project). */
      readonly of: 'vault' | 'workspace'
      readonly file: string
      /** How many entries are left in it. */
      readonly stays: number
      /** Ids of entries; in a workspace, which has none, their titles. */
      readonly moves: readonly { readonly to: string; readonly entries: readonly string[] }[]
    }
  /** From now on `holds` is told, and `retires` is not. */
  | { readonly kind: 'settle'; readonly holds: string; readonly retires: string }
  /** To the archive, from where `cairn restore` brings it back. */
  | { readonly kind: 'archive'; readonly entry: string }
  /** It still holds: confirmed, and anchored to its files as they are now. */
  | { readonly kind: 'confirm'; readonly entry: string }

export interface StaleProposal {
  /** `r3fa91c2-7b1e`: what it is about, and how that looked. When it looks otherwise, it is another proposal. */
  readonly id: string
  readonly kind: StaleKind
  /** A file, or an entry. */
  readonly what: string
  /** How the entry begins; of a pair, the one that would be retired. */
  readonly text: string
  /** The entry that took its place, or that it is against, and how that begins. */
  readonly other?: { readonly id: string; readonly text: string }
  readonly reasons: readonly StaleReason[]
  readonly does: StaleStep
  /** A person has to name it: it touches a person's word, or takes a judgement. `--all` passes it over. */
  readonly byNameOnly: boolean
  /** What a no refers to: as long as this is so, it is not proposed again. */
  readonly basis: string
}

const HALF = 8
const STATE_DIGITS = 4

/** Of what it is about, and of all that it was decided on. */
export function proposalId(kind: StaleKind, what: string, state: string): string {
  return `r${folded(`${kind} ${what}`)}-${folded(`${kind} ${what} ${state}`).slice(-STATE_DIGITS)}`
}

/** Both halves of the fingerprint: one alone is nearly equal for texts that are, such as the names of pages. */
function folded(text: string): string {
  const print = fingerprint(text)
  const [high, low] = [print.slice(0, HALF), print.slice(HALF)].map(half => Number.parseInt(half, 16))
  return (((high ?? 0) ^ (low ?? 0)) >>> 0).toString(16).padStart(HALF, '0')
}

/** The half of an id that stays when things change. */
export function subjectIn(id: string): string | undefined {
  return /^r([0-9a-f]{8})-[0-9a-f]{4}$/.exec(id)?.[1]
}

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
