import type { EntryFilter } from '../../kernel/model/search.ts'

export interface Condition {
  /** `AND …` clauses over the alias `e`, or an empty string. */
  readonly sql: string
  readonly values: readonly unknown[]
}

/** `first`: the number of the first value, after `$1` (the project) and the other values of the statement. */
export function conditionOf(filter: EntryFilter, first: number): Condition {
  const clauses: string[] = []
  const values: unknown[] = []
  const bind = (value: unknown): string => {
    values.push(value)
    return `$${first + values.length - 1}`
  }

  for (const column of ['agent', 'category', 'kind', 'status', 'session'] as const)
    if (filter[column] !== undefined) clauses.push(`e.${column} = ${bind(filter[column])}`)
  if (filter.reader !== undefined) clauses.push(`e.agent IN (${bind(filter.reader)}, 'shared', 'private')`)
  if (filter.exceptPrivate === true) clauses.push("e.agent <> 'private'")
  if (filter.exceptSuggestions === true) clauses.push("NOT (e.status = 'candidate' AND e.origin = 'machine')")
  if (filter.since !== undefined) clauses.push(`e.date >= ${bind(filter.since)}`)
  // A date of a day or a month includes all of it: '~' sorts after every character of a date.
  if (filter.until !== undefined) clauses.push(`e.date <= ${bind(`${filter.until}~`)}`)
  if (filter.tags !== undefined && filter.tags.length > 0)
    clauses.push(`e.tags LIKE ANY (${bind(filter.tags.map(tag => `%\n${escapeLike(tag)}\n%`))}::text[])`)
  if (filter.file !== undefined) {
    const file = escapeLike(
      filter.file
        .replaceAll('\\', '/')
        .replace(/^\.?\//, '')
        .replace(/\/$/, ''),
    )
    // whole path, end of a path, folder at the start, folder inside
    const patterns = [`%\n${file}\n%`, `%/${file}\n%`, `%\n${file}/%`, `%/${file}/%`]
    clauses.push(`e.files LIKE ANY (${bind(patterns)}::text[])`)
  }
  return { sql: clauses.map(clause => ` AND ${clause}`).join(''), values }
}

/** The backslash is the default escape character in PostgreSQL. */
function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}
