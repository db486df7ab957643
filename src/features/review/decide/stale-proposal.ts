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
