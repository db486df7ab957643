/** The content of a file when an entry that names it was written: see `features/freshness/decide/content-print.ts`. */
export interface Anchor {
  /** As the entry names it. */
  readonly file: string
  readonly print: string
}

/** What an entry is anchored to. It is stored in the entry's comment, so it travels with the entry. */
export interface Anchoring {
  readonly anchors?: readonly Anchor[]
  /** The current commit of the project, if it is in git: for people who want to see what changed since. */
  readonly commit?: string
}

export const FRESHNESS_STATES = ['fresh', 'drifted', 'orphaned'] as const
/**
 * fresh     the files still have most of their content
 * drifted   one of them changed a lot
 * orphaned  one of them is gone, and was not moved
 */
export type FreshnessState = (typeof FRESHNESS_STATES)[number]

/** What happened to a file since. Unchanged files are not listed. */
export type FileChange =
  | { readonly file: string; readonly what: 'changed'; readonly to?: string }
  | { readonly file: string; readonly what: 'moved'; readonly to: string }
  | { readonly file: string; readonly what: 'gone' }
  /** It exists and cannot be read, so its state is unknown. */
  | { readonly file: string; readonly what: 'unreadable' }

/** Only for entries with anchors: the freshness of other entries is unknown. */
export interface Freshness {
  readonly state: FreshnessState
  readonly files: readonly FileChange[]
}

/** The text before the list of files: `src/auth.ts changed, src/old.ts moved to src/new.ts`. */
export function describeChanges(files: readonly FileChange[]): string {
  return files.map(describeChange).join(', ')
}

function describeChange(change: FileChange): string {
  if (change.what === 'moved') return `${change.file} moved to ${change.to}`
  if (change.what === 'gone') return `${change.file} is gone`
  if (change.what === 'unreadable') return `${change.file} cannot be read`
  return change.to === undefined
    ? `${change.file} changed a lot`
    : `${change.file} moved to ${change.to} and changed a lot`
}
