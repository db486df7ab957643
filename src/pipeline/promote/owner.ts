/** Who a thing belongs to, where a clause says so. A thing has one owner: another one is against it. */
export interface Owner {
  readonly owner: ReadonlySet<string>
  readonly thing: ReadonlySet<string>
}

interface OwnedWord {
  readonly folded: string
  readonly concept: string
  /** Neither a filling word nor a number. */
  readonly isContent: boolean
}

/** With the words that must follow. `owner` stands before: `Atlas owns the gateway`; `thing` does: `the gateway belongs to Atlas`. */
const SAYINGS: readonly (readonly [verb: string, follows: readonly string[], before: 'owner' | 'thing'])[] = [
  ['own', [], 'owner'],
  ['owns', [], 'owner'],
  ['responsible', ['for'], 'owner'],
  ['responsavel', ['por', 'pelo', 'pela', 'pelos', 'pelas'], 'owner'],
  ['owned', ['by'], 'thing'],
  ['belong', ['to'], 'thing'],
  ['belongs', ['to'], 'thing'],
  ['pertence', ['a', 'ao', 'aos'], 'thing'],
  ['pertencem', ['a', 'ao', 'aos'], 'thing'],
]
/** `The team Atlas` is Atlas. */
const KINDS_OF_OWNER = new Set('team group squad crew people department equipe time grupo area'.split(' '))
/** `Each team owns its board`, `their own key`. */
const NOBODY = new Set('each every its their our your my his her cada todo toda seu sua'.split(' '))

export function readOwner(words: readonly OwnedWord[]): Owner | undefined {
  for (const [i, word] of words.entries()) {
    const next = words[i + 1]?.folded ?? ''
    const saying = SAYINGS.find(
      ([verb, follows]) => verb === word.folded && (follows.length === 0 || follows.includes(next)),
    )
    if (saying === undefined) continue
    const [left, right] = [words.slice(0, i), words.slice(i + 1)]
    if (left.some(({ folded }) => NOBODY.has(folded))) continue
    const [owners, things] = saying[2] === 'owner' ? [left, right] : [right, left]
    const owner = contentOf(owners.filter(({ folded }) => !KINDS_OF_OWNER.has(folded)))
    const thing = contentOf(things)
    if (owner.length > 0 && thing.length > 0) return { owner: new Set(owner), thing: new Set(thing) }
  }
  return undefined
}

/** The two owners, where one thing has them. */
export function otherOwner(
  one: Owner | undefined,
  other: Owner | undefined,
): readonly [readonly string[], readonly string[]] | undefined {
  if (one === undefined || other === undefined) return undefined
  const [fewer, more] =
    one.thing.size <= other.thing.size ? [one.thing, other.thing] : [other.thing, one.thing]
  const isSameThing = [...fewer].every(concept => more.has(concept))
  const isSameOwner = [...one.owner].some(concept => other.owner.has(concept))
  return isSameThing && !isSameOwner ? [[...one.owner], [...other.owner]] : undefined
}

function contentOf(words: readonly OwnedWord[]): string[] {
  return words.filter(({ isContent }) => isContent).map(({ concept }) => concept)
}
