export const SEVERITIES = ['error', 'warning', 'note'] as const
/** `error`: something is lost, or not as it says. `warning`: it works, and should not stay so. `note`: worth knowing. */
export type Severity = (typeof SEVERITIES)[number]

/** One thing that is not as it should be on disk, with what mends it. */
export interface ValidationFinding {
  readonly code: string
  readonly severity: Severity
  /** Relative to the project, with `/`. */
  readonly path: string
  /** From 1. */
  readonly line?: number
  readonly message: string
  /** The command or the edit that mends it. */
  readonly fix: string
  /** What `cairn validate --fix` would do about it. */
  readonly mend?: Mend
}

/** What can be mended without a person: no text that a person wrote is lost. */
export type Mend =
  | { readonly kind: 'ignore'; readonly lines: readonly string[] }
  | { readonly kind: 'remove_leftover'; readonly path: string }
  | { readonly kind: 'rebuild_index' }

const RANK: Readonly<Record<Severity, number>> = { error: 0, warning: 1, note: 2 }

/** The file with the worst finding first; in a file the worst first, then by line. */
export function sortFindings(findings: readonly ValidationFinding[]): ValidationFinding[] {
  const worst = new Map<string, number>()
  for (const { path, severity } of findings)
    worst.set(path, Math.min(worst.get(path) ?? RANK.note, RANK[severity]))
  return [...findings].sort(
    (a, b) =>
      (worst.get(a.path) ?? 0) - (worst.get(b.path) ?? 0) ||
      compareText(a.path, b.path) ||
      RANK[a.severity] - RANK[b.severity] ||
      (a.line ?? 0) - (b.line ?? 0) ||
      compareText(a.code, b.code),
  )
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

export type Totals = Readonly<Record<Severity, number>>

export function totalsOf(findings: readonly Pick<ValidationFinding, 'severity'>[]): Totals {
  const totals = { error: 0, warning: 0, note: 0 }
  for (const { severity } of findings) totals[severity]++
  return totals
}

const MAX_NAME_LENGTH = 80

/** Something a file says of itself, short enough for a line of ours. */
export function shortName(text: string): string {
  return text.length <= MAX_NAME_LENGTH ? text : `${text.slice(0, MAX_NAME_LENGTH - 1)}…`
}

/** `.memory/dev/decisions.md`, as a person at the root of the project calls it. */
export function inMemory(path: string): string {
  return path === '' ? '.memory' : `.memory/${path}`
}

/** 3 entries, 1 entry. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}
