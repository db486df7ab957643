import { DEFAULT_ALIASES, foldAlias } from '../../../kernel/text/aliases.ts'

/** What cannot be read as a count is none: a person may have edited the file. */
export function readFeedback(stored: unknown): Record<string, { useful: number; wrong: number }> {
  if (typeof stored !== 'object' || stored === null) return {}
  const count = (value: unknown) => (typeof value === 'number' && value > 0 ? Math.floor(value) : 0)
  return Object.fromEntries(
    Object.entries(stored).map(([id, said]: [string, { useful?: unknown; wrong?: unknown } | null]) => [
      id,
      { useful: count(said?.useful), wrong: count(said?.wrong) },
    ]),
  )
}

/** The defaults with the project's own on top; an empty list takes a default away. */
export function readAliases(stored: unknown): Readonly<Record<string, readonly string[]>> {
  if (typeof stored !== 'object' || stored === null || Object.keys(stored).length === 0)
    return DEFAULT_ALIASES
  const aliases: Record<string, readonly string[]> = { ...DEFAULT_ALIASES }
  for (const [word, meanings] of Object.entries(stored)) {
    if (!Array.isArray(meanings) || meanings.length === 0) delete aliases[foldAlias(word)]
    else aliases[foldAlias(word)] = meanings.filter(meaning => typeof meaning === 'string').map(foldAlias)
  }
  return aliases
}
