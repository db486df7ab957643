import type { Clause, Phrase } from './statement.ts'

interface SharedWords {
  readonly one: Clause
  readonly other: Clause
  readonly shared: readonly string[]
  /** Their vectors are so near that they say the same but for a word, or there are none. */
  readonly mayBeAlike: boolean
}

/**
 * What two clauses share says what they speak of; whether they say the same of it is another question. They do not where all that they
 * share is one thing, and each goes on to say something of its own:
 *
 *   {session.ts} holds the cookie name   |  never edit {session.ts}              no conflict
 *   {the orders table} has a unique key  |  {the orders table} is never wiped    no conflict
 *   {session.ts} is edited by hand       |  never edit {session.ts} by hand      they share what is said of it
 *   {the orders table} is off            |  {the orders table} has a unique key  the first says nothing else: the thing itself is denied
 *   {the orders table} was dropped       |  {the orders table} has a unique key  the thing itself has ended
 */
export function saysOtherAspect({ one, other, shared, mayBeAlike }: SharedWords): boolean {
  // That both count in seconds is nothing they say.
  const words = shared.filter(concept => one.said.has(concept) || !one.telling.has(concept))
  // Other words may say the same, which only vectors tell; but texts that name one path are near each other by that alone.
  if (mayBeAlike && !words.every(concept => one.partsByName.has(concept))) return false
  const [mine, theirs] = [phraseOf(one, words), phraseOf(other, words)]
  if (mine === undefined || theirs === undefined) return false
  if (isEnded(one, mine) || isEnded(other, theirs)) return false
  return hasOwn(one, other) && hasOwn(other, one)
}

function phraseOf({ phrases }: Clause, shared: readonly string[]): Phrase | undefined {
  return phrases.find(({ topics }) => shared.every(concept => topics.includes(concept)))
}

/** `dropped the table`, not `dropped from the table`. */
function isEnded({ isEnding }: Clause, { leadsIn }: Phrase): boolean {
  return isEnding && leadsIn === undefined
}

function hasOwn(mine: Clause, theirs: Clause): boolean {
  return [...mine.said].some(concept => !theirs.concepts.has(concept))
}
