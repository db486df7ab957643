/** A figure with the limit it is held against. A miss is shown as plainly as a success. */
export interface Check {
  readonly what: string
  readonly value: number
  readonly goal: { readonly kind: 'at most' | 'at least' | 'exactly'; readonly value: number }
  readonly met: boolean
}

export interface BenchReport {
  /** Becomes the JSON document, with `checks` and the machine added. */
  readonly data: Readonly<Record<string, unknown>>
  readonly checks: readonly Check[]
  /** For people: a heading row and the rows below it. */
  readonly tables: readonly Table[]
}

export interface Table {
  readonly title: string
  readonly rows: readonly (readonly (string | number)[])[]
}

export function check(what: string, value: number, kind: Check['goal']['kind'], limit: number): Check {
  const met = kind === 'at most' ? value <= limit : kind === 'at least' ? value >= limit : value === limit
  return { what, value, goal: { kind, value: limit }, met }
}

export function renderReport(name: string, { tables, checks }: BenchReport): string {
  const parts = tables.map(table => `${table.title}\n${alignColumns(table.rows)}`)
  const goals = checks.map(({ what, value, goal, met }) => [
    met ? 'met' : 'MISSED',
    what,
    value,
    goal.kind,
    goal.value,
  ])
  if (goals.length > 0) parts.push(`Goals\n${alignColumns(goals)}`)
  return `== ${name}\n\n${parts.join('\n\n')}\n`
}

function alignColumns(rows: readonly (readonly (string | number)[])[]): string {
  const widths: number[] = []
  for (const row of rows) {
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, String(cell).length)
    })
  }
  const pad = (cell: string | number, column: number) =>
    typeof cell === 'number' ? String(cell).padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0)
  return rows.map(row => `  ${row.map(pad).join('  ')}`.trimEnd()).join('\n')
}
