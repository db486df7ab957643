import { fingerprint } from '../../../kernel/text/fingerprint.ts'

export const STALE_KINDS = ['split', 'settle', 'archive', 'confirm'] as const
export type StaleKind = (typeof STALE_KINDS)[number]

/** Why an entry or a file needs a check. */
export type StaleReason =
  | { readonly code: 'too_many_entries'; readonly entries: number; readonly most: number }
  | { readonly code: 'contradicted'; readonly by: string; readonly conflict: string }
  | { readonly code: 'superseded'; readonly by: string }
  /** `files`: each with its change, in words; `paths`: only their names. */
  | { readonly code: 'orphaned'; readonly files: readonly string[]; readonly paths: readonly string[] }
  | { readonly code: 'drifted'; readonly files: readonly string[]; readonly paths: readonly string[] }
  | { readonly code: 'unused'; readonly days: number }

/** The exact effect of applying a proposal. */
export type StaleStep =
  | {
      readonly kind: 'split'
      /** A file of a vault (relative to `.memory/`), or of a workspace (relative to the project). */
      readonly of: 'vault' | 'workspace'
      readonly file: string
      /** How many entries stay in it. */
      readonly stays: number
      /** Ids of entries; in a workspace, which has no ids, their titles. */
      readonly moves: readonly { readonly to: string; readonly entries: readonly string[] }[]
    }
  /** `holds` stays valid and `retires` is no longer injected. */
  | { readonly kind: 'settle'; readonly holds: string; readonly retires: string }
  /** Archived; `cairn restore` restores it. */
  | { readonly kind: 'archive'; readonly entry: string }
  /** Still valid: confirmed, and anchored to the current state of its files. */
  | { readonly kind: 'confirm'; readonly entry: string }

export interface StaleProposal {
  /** `r3fa91c2-7b1e`: its subject and the state of it. If the state changes, it becomes another proposal. */
  readonly id: string
  readonly kind: StaleKind
  /** A file, or an entry. */
  readonly what: string
  /** The beginning of the entry; of a pair, the one that would be retired. */
  readonly text: string
  /** The entry that replaces or contradicts it, and the beginning of its text. */
  readonly other?: { readonly id: string; readonly text: string }
  readonly reasons: readonly StaleReason[]
  readonly does: StaleStep
  /** It affects a person's entry or needs a judgement, so a person has to name it. `--all` skips it. */
  readonly byNameOnly: boolean
  /** What a dismissal refers to: while it is the same, the proposal does not return. */
  readonly basis: string
}

const HALF = 8
const STATE_DIGITS = 4

/** Made of its subject and of all that the decision depends on. */
export function proposalId(kind: StaleKind, what: string, state: string): string {
  return `r${folded(`${kind} ${what}`)}-${folded(`${kind} ${what} ${state}`).slice(-STATE_DIGITS)}`
}

/** Both halves of the fingerprint: one half is nearly equal for similar texts, such as the names of pages. */
function folded(text: string): string {
  const print = fingerprint(text)
  const [high, low] = [print.slice(0, HALF), print.slice(HALF)].map(half => Number.parseInt(half, 16))
  return (((high ?? 0) ^ (low ?? 0)) >>> 0).toString(16).padStart(HALF, '0')
}

/** The half of an id that does not change with the state. */
export function subjectIn(id: string): string | undefined {
  return /^r([0-9a-f]{8})-[0-9a-f]{4}$/.exec(id)?.[1]
}

/** A JSON file of `.memory/`, of any author. */
type JsonObject = Readonly<Record<string, unknown>>

/** Dismissed proposals by subject, in `dismissals` of curation.json. */
export type Dismissals = Readonly<Record<string, Dismissal>>

interface Dismissal {
  /** The basis of the dismissed proposal, as a fingerprint. */
  readonly basis: string
  /** UTC ISO. */
  readonly at: string
  readonly by: string
}

/** Beyond that the oldest dismissals are dropped, so those proposals return. */
const MAX_DISMISSALS = 5_000

/** Skips unreadable values: a person may have edited the file. */
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

/** The document with dismissals of these proposals. */
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
