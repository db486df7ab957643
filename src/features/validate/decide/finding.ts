export const SEVERITIES = ['error', 'warning', 'note'] as const
/** `error`: something is lost or wrong. `warning`: it works, but should be fixed. `note`: worth knowing. */
export type Severity = (typeof SEVERITIES)[number]

/** One problem on disk, with its fix. */
export interface ValidationFinding {
  readonly code: string
  readonly severity: Severity
  /** Relative to the project, with `/`. */
  readonly path: string
  /** From 1. */
  readonly line?: number
  readonly message: string
  /** The command or the edit that fixes it. */
  readonly fix: string
  /** What `cairn validate --fix` would do about it. */
  readonly mend?: Mend
}

/** A fix that needs no person: no text that a person wrote is lost. */
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

/** Text of a file, short enough for a line of output. */
export function shortName(text: string): string {
  return text.length <= MAX_NAME_LENGTH ? text : `${text.slice(0, MAX_NAME_LENGTH - 1)}…`
}

/** `.memory/dev/decisions.md`, relative to the root of the project. */
export function inMemory(path: string): string {
  return path === '' ? '.memory' : `.memory/${path}`
}

/** 3 entries, 1 entry. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}
