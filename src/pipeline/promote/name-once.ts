import type { Clause, Statement } from './statement.ts'

/**
 * A path or dotted name that both statements have is one word of each, however many parts it has:
 *
 *   `src/auth/session.ts` holds the cookie name   →  {src/auth/session.ts} holds the {cookie name}
 *   never edit `auth/session.ts` by hand          →  never edit {src/auth/session.ts} by hand
 *
 * Its parts go on standing for it where the other has no such name: `topics.yaml` is about topics.
 */
export function nameOnce(a: Statement, b: Statement): readonly [Statement, Statement] {
  const shared = sharedNames(partsByNameOf(a), partsByNameOf(b))
  return shared.size === 0 ? [a, b] : [withNames(a, shared), withNames(b, shared)]
}

interface SharedName {
  /** What it is called in both: the longer of the two. */
  readonly name: string
  readonly parts: readonly string[]
}

function partsByNameOf({ clauses }: Statement): ReadonlyMap<string, readonly string[]> {
  return new Map(clauses.flatMap(({ partsByName }) => [...partsByName]))
}

/** By either of its names: `session.ts` is the end of `src/auth/session.ts`. */
function sharedNames(
  mine: ReadonlyMap<string, readonly string[]>,
  theirs: ReadonlyMap<string, readonly string[]>,
): ReadonlyMap<string, SharedName> {
  const shared = new Map<string, SharedName>()
  for (const [one, parts] of mine) {
    for (const [other, others] of theirs) {
      if (one !== other && !isEndOf(parts, others) && !isEndOf(others, parts)) continue
      const longer = parts.length >= others.length ? { name: one, parts } : { name: other, parts: others }
      shared.set(one, longer).set(other, longer)
    }
  }
  return shared
}

/** At least a name and its extension. */
function isEndOf(end: readonly string[], whole: readonly string[]): boolean {
  return end.length > 1 && end.every((part, i) => part === whole[whole.length - end.length + i])
}

function withNames(statement: Statement, shared: ReadonlyMap<string, SharedName>): Statement {
  const clauses = statement.clauses.map(clause => withNamesInClause(clause, shared))
  return {
    ...statement,
    clauses,
    concepts: union(clauses.map(({ concepts }) => concepts)),
    telling: union(clauses.map(({ telling }) => telling)),
    topics: union(clauses.map(({ topics }) => topics)),
  }
}

function withNamesInClause(clause: Clause, shared: ReadonlyMap<string, SharedName>): Clause {
  const names = [...clause.partsByName.keys()].filter(name => shared.has(name))
  if (names.length === 0) return clause
  const parts = new Set(names.flatMap(name => clause.partsByName.get(name) ?? []))
  const kept = (concept: string) => clause.loose.has(concept) || !parts.has(concept)
  const once = (concepts: Iterable<string>) =>
    [...concepts].filter(kept).map(concept => shared.get(concept)?.name ?? concept)
  return {
    ...clause,
    concepts: new Set(once(clause.concepts)),
    partsByName: new Map(
      [...clause.partsByName].map(([name, own]) => {
        const known = shared.get(name)
        return known === undefined ? [name, own] : [known.name, known.parts]
      }),
    ),
    telling: new Set(once(clause.telling)),
    said: new Set(once(clause.said)),
    topics: new Set(once(clause.topics)),
    phrases: clause.phrases.map(phrase => ({ ...phrase, topics: once(phrase.topics) })),
  }
}

function union(sets: readonly ReadonlySet<string>[]): ReadonlySet<string> {
  return new Set(sets.flatMap(set => [...set]))
}
