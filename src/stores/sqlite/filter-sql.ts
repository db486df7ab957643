import type { DocumentFilter, EntryFilter } from '../../kernel/model/search.ts'
import type { SqliteValue } from './driver.ts'

export interface Condition {
  /** `AND …` clauses over the alias `e`, or nothing. */
  readonly sql: string
  readonly values: readonly SqliteValue[]
}

export function conditionOf(filter: EntryFilter & Pick<DocumentFilter, 'scope'>): Condition {
  const clauses: string[] = []
  const values: SqliteValue[] = []
  const add = (clause: string, ...bound: SqliteValue[]) => {
    clauses.push(clause)
    values.push(...bound)
  }

  if (filter.agent !== undefined) add('e.agent = ?', filter.agent)
  if (filter.reader !== undefined) add("e.agent IN (?, 'shared', 'private')", filter.reader)
  if (filter.exceptPrivate === true) add("e.agent <> 'private'")
  if (filter.exceptSuggestions === true) add("NOT (e.status = 'candidate' AND e.origin = 'machine')")
  if (filter.category !== undefined) add('e.category = ?', filter.category)
  if (filter.kind !== undefined) add('e.kind = ?', filter.kind)
  if (filter.status !== undefined) add('e.status = ?', filter.status)
  if (filter.session !== undefined) add('e.session = ?', filter.session)
  if (filter.since !== undefined) add('e.date >= ?', filter.since)
  // A date without time, or only a month, includes all of it: '~' sorts after every character of a date.
  if (filter.until !== undefined) add('e.date <= ?', `${filter.until}~`)
  if (filter.tags !== undefined && filter.tags.length > 0) {
    const any = filter.tags.map(() => "e.tags LIKE ? ESCAPE '\\'").join(' OR ')
    add(`(${any})`, ...filter.tags.map(tag => `%\n${escapeLike(tag)}\n%`))
  }
  if (filter.file !== undefined) {
    const file = escapeLike(
      filter.file
        .replaceAll('\\', '/')
        .replace(/^\.?\//, '')
        .replace(/\/$/, ''),
    )
    // whole path, end of a path, folder at the start, folder inside
    const patterns = [`%\n${file}\n%`, `%/${file}\n%`, `%\n${file}/%`, `%/${file}/%`]
    add(`(${patterns.map(() => "e.files LIKE ? ESCAPE '\\'").join(' OR ')})`, ...patterns)
  }
  if (filter.scope !== undefined) {
    // The scopes below, and the scopes above; `0` is the character after `/`.
    const parts = filter.scope.split('/')
    const above = parts.map((_, n) => parts.slice(0, n + 1).join('/'))
    add(
      '(e.scope IN (SELECT value FROM json_each(?)) OR (e.scope > ? AND e.scope < ?))',
      JSON.stringify(above),
      `${filter.scope}/`,
      `${filter.scope}0`,
    )
  }
  return { sql: clauses.map(clause => ` AND ${clause}`).join(''), values }
}

function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}
