import type { DeclaredBudget } from './rule-file.ts'

/** A file that is part of every conversation. */
export interface HotFile {
  readonly path: string
  readonly lines: number
  readonly tokens: number
  readonly budget: DeclaredBudget
  /** A common rule file, or a rule file of one host. */
  readonly source: 'common' | 'host'
  readonly host?: string
  /** The modification time of the file. */
  readonly changedMs?: number
}

export interface HotFinding {
  readonly level: 'error' | 'warning'
  readonly code: HotFindingCode
  readonly path: string
  readonly line?: number
  readonly message: string
  /** What to do about it. */
  readonly hint: string
}

type HotFindingCode =
  | 'budget_missing'
  | 'budget_malformed'
  | 'over_budget'
  | 'near_budget'
  | 'over_total'
  | 'near_total'
  | 'review_due'
  | 'unreadable'
  | 'secret_found'
  | 'link_broken'
  | 'copy_edited'
  | 'copy_behind'
  | 'link_flat'
  | 'place_taken'
  | 'not_linked'

export interface HotLimits {
  readonly maxLines: number
  readonly maxTokens: number
}

export interface HotTotals {
  readonly lines: number
  readonly tokens: number
}

/** From this share of the budget on, a review is due (seed B: approaching the limit). */
const NEAR = 0.8

export function totalsOf(files: readonly HotFile[]): HotTotals {
  return {
    lines: files.reduce((sum, { lines }) => sum + lines, 0),
    tokens: files.reduce((sum, { tokens }) => sum + tokens, 0),
  }
}

/** Problems with sizes: each file against its declared budget, and all files against the project's. */
export function lintSizes(files: readonly HotFile[], limits: HotLimits): HotFinding[] {
  const totals = totalsOf(files)
  return [
    ...files.flatMap(lintFile),
    ...lintTotal('lines', totals.lines, limits.maxLines, 'hot.maxLines'),
    ...lintTotal('tokens', totals.tokens, limits.maxTokens, 'hot.maxTokens'),
  ]
}

/** Seed B: a person reads hot memory once a quarter. */
const REVIEW_DAYS = 90
const DAY_MS = 86_400_000

/** Files that were not changed for 90 days. Saving one again marks it as reviewed. */
export function lintAges(files: readonly HotFile[], nowMs: number): HotFinding[] {
  return files.flatMap(({ path, changedMs }): HotFinding[] => {
    const days = changedMs === undefined ? 0 : Math.floor((nowMs - changedMs) / DAY_MS)
    if (days <= REVIEW_DAYS) return []
    return [
      {
        level: 'warning',
        code: 'review_due',
        path,
        message: `${path} was last changed ${days} days ago.`,
        hint: `Rules are due for a review every ${REVIEW_DAYS} days: read it, and save it again (\`touch\`) if all of it is still valid.`,
      },
    ]
  })
}

function lintFile({ path, lines, budget, source }: HotFile): HotFinding[] {
  switch (budget.kind) {
    case 'none':
      // A file of one host has the form that this host requires.
      return source === 'host'
        ? []
        : [
            {
              level: 'warning',
              code: 'budget_missing',
              path,
              message: `${path} declares no budget.`,
              hint: `Begin it with a line such as <!-- budget: ${Math.max(50, Math.ceil(lines / 10) * 10)} lines -->.`,
            },
          ]
    case 'malformed':
      return [
        {
          level: 'error',
          code: 'budget_malformed',
          path,
          line: budget.line,
          message: `${path}:${budget.line} declares its budget in another form, or twice: ${budget.said.slice(0, 60)}`,
          hint: 'The form is <!-- budget: 50 lines -->, once, among the first lines.',
        },
      ]
    case 'lines': {
      if (lines > budget.lines)
        return [
          {
            level: 'error',
            code: 'over_budget',
            path,
            message: `${path} has ${lines} lines, ${lines - budget.lines} more than the ${budget.lines} it declares.`,
            hint: 'Shorten it, or move rules that are not always needed: `cairn hot demote`.',
          },
        ]
      if (lines <= budget.lines * NEAR) return []
      return [
        {
          level: 'warning',
          code: 'near_budget',
          path,
          message: `${path} has ${lines} of its ${budget.lines} lines.`,
          hint: 'Review it: rules that most conversations do not need belong in warm memory.',
        },
      ]
    }
  }
}

function lintTotal(what: 'lines' | 'tokens', is: number, most: number, key: string): HotFinding[] {
  if (is > most)
    return [
      {
        level: 'error',
        code: 'over_total',
        path: key,
        message: `All rule files together have ${is} ${what}, ${is - most} more than ${most} (\`${key}\`).`,
        hint: 'Every conversation begins with them: shorten, or `cairn hot demote` the least used.',
      },
    ]
  if (is <= most * NEAR) return []
  return [
    {
      level: 'warning',
      code: 'near_total',
      path: key,
      message: `All rule files together have ${is} of ${most} ${what} (\`${key}\`).`,
      hint: 'Time for a review: `cairn hot lint` names what sessions used least.',
    },
  ]
}
