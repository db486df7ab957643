import { isStandingKind } from '../../model/category.ts'
import type { ConflictReason } from '../../model/conflict.ts'
import type { Entry } from '../../model/entry.ts'
import { saysChange } from '../../text/change-cue.ts'
import { ENDING_CUE, EXCLUSIVE } from './conflict-words.ts'
import { nameOnce } from './name-once.ts'
import { saysOtherAspect } from './other-aspect.ts'
import { otherOwner } from './owner.ts'
import {
  type Clause,
  languageOf,
  opposite,
  type Phrase,
  READ_CHARACTERS,
  type ReadStatement,
  readStatement,
  type Statement,
} from './statement.ts'

export type ConflictEntry = Pick<Entry, 'content' | 'kind' | 'tags' | 'files' | 'date'>

export interface ConflictInput {
  readonly a: ConflictEntry
  /** Counts as the newer one when the dates are the same. */
  readonly b: ConflictEntry
  /** Of their vectors, when both have one of the same model. */
  readonly cosine?: number
  /** Another reader of statements, which keeps what it has read. */
  readonly read?: ReadStatement
}

export type ConflictVerdict =
  | {
      readonly conflict: true
      readonly confidence: number
      readonly type: 'opposite' | 'value' | 'superseded'
      readonly reason: ConflictReason
    }
  | {
      readonly conflict: false
      readonly confidence: number
      readonly reason: { readonly code: 'other_subject' | 'other_scope' | 'no_opposition' }
    }

/**
 * Two entries conflict when they speak of the same subject, in the same scope, and cannot both hold. Told without a model:
 *
 *   subject   shared words that say what it is about ÷ those of the shorter text, + 0.3 for a shared file, 0.1 a shared tag,
 *             or the cosine, whichever is more                                                         >= leastSubject
 *   scope     each speaks of something that the other does not mention ("for images" / "for scripts"): no conflict
 *   against   negation, antonym, another named alternative, another quantity, a change
 *
 *   confidence = strength of what speaks against · (0.6 + 0.4 · subject)
 */
export const CONFLICT = {
  leastSubject: 0.3,
  /** Vectors of one project are all alike: only what is above this speaks for a shared subject. */
  leastCosine: 0.5,
  /** Of the words of the shorter of two clauses, when one denies what the other says. */
  leastDenied: 0.4,
  leastDeniedAlone: 0.6,
  /** Words of the longer clause, when one word alone is denied. */
  mostBesideOne: 3,
  leastChanged: 0.4,
  /** Words of a clause, when one name in it is another. */
  leastFrame: 3,
  nearCosine: 0.6,
  /** Of two texts that differ in one thing, when no table knows that thing. */
  exchangedCosine: 0.7,
  sharedFile: 0.3,
  sharedTag: 0.1,
  strength: { negation: 0.9, antonym: 0.8, alternative: 0.85, quantity: 0.85, change: 0.7, versions: 1 },
  /** Two values in one place that no table knows: they may both be true. */
  exchangedStrength: 0.6,
} as const

export function findConflict({ a, b, cosine, read = readStatement }: ConflictInput): ConflictVerdict {
  const [older, newer] = a.date > b.date ? [b, a] : [a, b]
  const language = languageOf(older.content, newer.content)
  const [before, after] = nameOnce(read(older.content, language), read(newer.content, language))
  const shared = sharedOf(before, after)
  const subject = subjectOf({ older, newer, before, after, shared, cosine })
  if (subject < CONFLICT.leastSubject)
    return { conflict: false, confidence: 1 - subject, reason: { code: 'other_subject' } }

  // A lesson or an error about a decision does not replace it, whatever changed.
  const isChange = isStandingKind(older.kind) && isStandingKind(newer.kind) && saysEnd(newer.content)
  const found = findOpposition(before, after, {
    isChange,
    isExclusive: isExclusive(older, newer),
    isNear: (cosine ?? 0) >= CONFLICT.nearCosine,
    isAlike: (cosine ?? 0) >= CONFLICT.exchangedCosine,
    mayBeAlike: (cosine ?? 1) >= CONFLICT.exchangedCosine,
    isBacked: wordsOf(before, after, shared) >= CONFLICT.leastSubject,
    isReport: REPORTS.has(older.kind) || REPORTS.has(newer.kind),
  })
  if (found.kind === 'scoped') return { conflict: false, confidence: 0.8, reason: { code: 'other_scope' } }
  if (found.kind === 'none') {
    if (isChange && saysWhatChanged(before, after)) return superseded([...shared], subject)
    return { conflict: false, confidence: 0.6, reason: { code: 'no_opposition' } }
  }
  const { reason } = found
  const isKnown = reason.code !== 'alternative' || isTabled(before, after, reason.words)
  const confidence = confidenceOf(
    isKnown ? CONFLICT.strength[reason.code] : CONFLICT.exchangedStrength,
    subject,
  )
  if (isChange) return { conflict: true, confidence, type: 'superseded', reason }
  const isValue = reason.code === 'alternative' || reason.code === 'quantity'
  return { conflict: true, confidence, type: isValue ? 'value' : 'opposite', reason }
}

/** Whether a table has these words for alternatives, they are owners, or capitals make names of them. */
function isTabled(before: Statement, after: Statement, words: readonly string[]): boolean {
  const clauses = [...before.clauses, ...after.clauses]
  return words.every(word =>
    clauses.some(
      ({ alternatives, names, owner }) =>
        names.has(word) || owner?.owner.has(word) || [...alternatives.values()].some(set => set.has(word)),
    ),
  )
}

function saysEnd(content: string): boolean {
  const read = content.slice(0, READ_CHARACTERS)
  return saysChange(read) || ENDING_CUE.test(read)
}

function superseded(words: readonly string[], subject: number): ConflictVerdict {
  const confidence = confidenceOf(CONFLICT.strength.change, subject)
  return { conflict: true, confidence, type: 'superseded', reason: { code: 'change', words } }
}

function confidenceOf(strength: number, subject: number): number {
  return strength * (0.6 + 0.4 * Math.min(1, subject))
}

function sharedOf(a: Statement, b: Statement): ReadonlySet<string> {
  return new Set([...a.concepts].filter(concept => b.concepts.has(concept)))
}

interface SubjectFacts {
  readonly older: ConflictEntry
  readonly newer: ConflictEntry
  readonly before: Statement
  readonly after: Statement
  readonly shared: ReadonlySet<string>
  readonly cosine: number | undefined
}

function subjectOf({ older, newer, before, after, shared, cosine }: SubjectFacts): number {
  const words = wordsOf(before, after, shared)
  const files = older.files.some(file => newer.files.includes(file)) ? CONFLICT.sharedFile : 0
  const tags = older.tags.filter(tag => newer.tags.includes(tag)).length * CONFLICT.sharedTag
  const meaning = cosine === undefined || cosine < CONFLICT.leastCosine ? 0 : cosine
  return Math.min(1, Math.max(words + files + tags, meaning))
}

/** How much of the shorter text is about what both speak of. */
function wordsOf(before: Statement, after: Statement, shared: ReadonlySet<string>): number {
  const telling = [...shared].filter(
    concept => before.telling.has(concept) && after.telling.has(concept),
  ).length
  return telling / Math.max(1, Math.min(before.topics.size, after.topics.size))
}

/** What happened once, with the figures of that day: another figure is against none of them. */
const REPORTS: ReadonlySet<string> = new Set(['error', 'discovery'])

function overlaps(names: ReadonlySet<string>, others: ReadonlySet<string> | undefined): boolean {
  return others !== undefined && [...names].some(name => others.has(name))
}

function isExclusive(older: ConflictEntry, newer: ConflictEntry): boolean {
  return EXCLUSIVE.test(older.content) || EXCLUSIVE.test(newer.content)
}

type Opposition =
  | { readonly kind: 'found'; readonly reason: ConflictReason }
  /** There is one, but each side speaks of something else. */
  | { readonly kind: 'scoped' }
  | { readonly kind: 'none' }

interface Cues {
  /** The newer one says that something changed. */
  readonly isChange: boolean
  readonly isExclusive: boolean
  /** Their vectors are so near that clauses need no word in common. */
  readonly isNear: boolean
  /** So near that they say the same but for a word. */
  readonly isAlike: boolean
  /** They are, or there are no vectors to tell. */
  readonly mayBeAlike: boolean
  /** The subject is shared in words, not by vectors alone. */
  readonly isBacked: boolean
  /** One of them tells what happened, not how things are. */
  readonly isReport: boolean
}

/** Clause by clause: what stands in a sentence about something else is no opposition. */
function findOpposition(a: Statement, b: Statement, cues: Cues): Opposition {
  let isScoped = false
  for (const one of withoutAgreed(a, b)) {
    for (const other of withoutAgreed(b, a)) {
      const reason = oppositionOf(one, other, cues)
      if (reason === undefined) continue
      if (
        !isOtherClass(a, b) &&
        !isOtherTime(a, b, cues) &&
        !isOtherScope({ one, other, a, b, values: valuesOf(one, other, namesIn(reason, one, other, cues)) })
      )
        return { kind: 'found', reason }
      isScoped = true
    }
  }
  return { kind: isScoped ? 'scoped' : 'none' }
}

/** What both say is not what they disagree in, even where an entry makes an exception of it. */
function withoutAgreed(mine: Statement, theirs: Statement): Clause[] {
  const said = new Set(theirs.clauses.map(({ text }) => text))
  return mine.clauses.filter(({ text }) => !said.has(text))
}

function oppositionOf(one: Clause, other: Clause, cues: Cues): ConflictReason | undefined {
  const shared = [...one.concepts].filter(concept => other.concepts.has(concept))
  const least = Math.max(1, Math.min(one.concepts.size, other.concepts.size))
  const most = Math.max(one.concepts.size, other.concepts.size)
  // One word alone is denied where it is most of a clause, or where the text says that something ended.
  const leastDenied = shared.length > 1 || cues.isChange ? CONFLICT.leastDenied : CONFLICT.leastDeniedAlone
  const telling = shared.filter(concept => one.telling.has(concept) && other.telling.has(concept))
  if (telling.length === 0 && !cues.isNear) return undefined
  // `not public` and `private` agree.
  const isDenied =
    telling.length > 0 && one.isNegative !== other.isNegative && !overlaps(one.poles, other.poles)
  const isSlight =
    shared.length === 1 && (!cues.isBacked || (!cues.isChange && most > CONFLICT.mostBesideOne))
  const isOtherAspect = saysOtherAspect({ one, other, shared, mayBeAlike: cues.mayBeAlike })
  if (isDenied && !isSlight && !isOtherAspect && shared.length / least >= leastDenied)
    return { code: 'negation', words: shared, deniedBy: one.isNegative ? 'older' : 'newer' }
  const antonyms = [...one.poles].filter(
    pole => other.poles.has(opposite(pole)) && !other.poles.has(pole) && !one.poles.has(opposite(pole)),
  )
  if (antonyms.length > 0) {
    const lines = antonyms.map(pole => Number.parseInt(pole, 10))
    return sided('antonym', wordsOfLines(lines, one), wordsOfLines(lines, other))
  }
  const reversed = reversedOf(one, other)
  if (reversed.length > 0) return { code: 'antonym', words: reversed }
  if (cues.isReport) return undefined
  const owners = otherOwner(one.owner, other.owner)
  if (owners !== undefined) return sided('alternative', owners[0], owners[1])
  const names = exchangedNames(one, other)
  if (names !== undefined) return sided('alternative', [names[0]], [names[1]])
  return (
    alternativeOf(one, other, cues.isExclusive || cues.isChange) ??
    quantityOf(one, other, isOtherAspect) ??
    exchangedValue(one, other, cues)
  )
}

/** `back to front`, `front to back`. */
function reversedOf(one: Clause, other: Clause): string[] {
  const turned = new Set(one.directions.map(([from, to]) => `${to} ${from}`))
  return other.directions.find(([from, to]) => turned.has(`${from} ${to}`))?.slice() ?? []
}

/**
 * The same is said of the same thing, but for what stands in one place: `sent by post`, `sent by courier`; `latitude first`, `longitude first`. No table
 * knows the two, so the texts must be alike in all else, and the two must not be what is spoken of (`invoices as PDF`, `receipts as PDF`).
 */
function exchangedValue(one: Clause, other: Clause, cues: Cues): ConflictReason | undefined {
  if (!cues.isAlike && !(cues.isChange && cues.isBacked)) return undefined
  const shared = [...one.telling].filter(concept => other.telling.has(concept))
  const mine = one.phrases.filter(phrase => phrase.topics.every(topic => !other.concepts.has(topic)))
  const theirs = other.phrases.filter(phrase => phrase.topics.every(topic => !one.concepts.has(topic)))
  const [value, against] = [mine[0], theirs[0]]
  if (mine.length !== 1 || theirs.length !== 1 || value === undefined || against === undefined)
    return undefined
  const isSamePlace = value.leadsIn === against.leadsIn && !value.isSubject && !against.isSubject
  if (!isSamePlace || shared.length < 2) return undefined
  return sided('alternative', value.topics, against.topics)
}

function sided(
  code: ConflictReason['code'],
  older: readonly string[],
  newer: readonly string[],
): ConflictReason {
  return { code, words: [...older, ...newer], sides: [older, newer] }
}

function wordsOfLines(lines: readonly number[], { antonyms }: Clause): string[] {
  return lines.flatMap(line => [...(antonyms.get(line) ?? [])])
}

/** Other names of one class. Where a name stands on both sides, only what is said to be exclusive can be against it. */
function alternativeOf(one: Clause, other: Clause, isExclusive: boolean): ConflictReason | undefined {
  for (const [line, names] of one.alternatives) {
    const others = other.alternatives.get(line)
    if (others === undefined) continue
    const words = [...names, ...others]
    const isDifferent = words.some(name => names.has(name) !== others.has(name))
    if (isDifferent && (isExclusive || !overlaps(names, others)))
      return sided('alternative', [...names], [...others])
  }
  return undefined
}

/** The same words, but for one name: `written in Elixir`, `written in Go`. */
function exchangedNames(one: Clause, other: Clause): readonly [string, string] | undefined {
  const mine = [...one.concepts].filter(concept => !other.concepts.has(concept))
  const theirs = [...other.concepts].filter(concept => !one.concepts.has(concept))
  const [name, against] = [mine[0] ?? '', theirs[0] ?? '']
  if (mine.length !== 1 || theirs.length !== 1 || one.concepts.size < CONFLICT.leastFrame) return undefined
  return one.names.has(name) && other.names.has(against) ? [name, against] : undefined
}

/** A noun says what is counted; `5 seconds` may be the time of anything. */
const MEASURES: ReadonlySet<string> = new Set(['time', 'bytes', 'percent', 'clock'])

function quantityOf(one: Clause, other: Clause, isOtherAspect: boolean): ConflictReason | undefined {
  for (const { dimension } of one.quantities) {
    if (isOtherAspect && MEASURES.has(dimension)) continue
    const mine = one.quantities.filter(each => each.dimension === dimension)
    const theirs = other.quantities.filter(each => each.dimension === dimension)
    const isShared = mine.some(({ amount }) => theirs.some(each => each.amount === amount))
    if (theirs.length > 0 && !isShared) {
      const sides = [mine.map(({ shown }) => shown), theirs.map(({ shown }) => shown)] as const
      return { code: 'quantity', words: [dimension], sides }
    }
  }
  return undefined
}

/** `staging` on one side, `production` on the other. */
function isOtherClass(a: Statement, b: Statement): boolean {
  return [...a.scopes].some(([line, names]) => {
    const others = b.scopes.get(line)
    return others !== undefined && !overlaps(names, others)
  })
}

/** `in 2023`, `in 2025`. What is said to have changed in another year is a change all the same. */
function isOtherTime(a: Statement, b: Statement, { isChange }: Cues): boolean {
  return !isChange && a.years.size > 0 && b.years.size > 0 && !overlaps(a.years, b.years)
}

interface ClausePair {
  readonly one: Clause
  readonly other: Clause
  readonly a: Statement
  readonly b: Statement
  /** What the two may differ in without speaking of different things. */
  readonly values: ReadonlySet<string>
}

/**
 * Whether each of two clauses speaks of something that the other entry does not mention. Two phrases with one head and other
 * modifiers are two things (`nightly build`, `release build`), and so are one modifier with other heads
 * (`gateway port`, `gateway certificate`); `customer invoices` and `invoice documents` are not.
 */
function isOtherScope({ one, other, a, b, values }: ClausePair): boolean {
  const mine = phrasesWithout(one, values)
  const theirs = phrasesWithout(other, values)
  if (isOtherPlace(mine, theirs)) return true
  const isAlone = (phrase: Phrase, entry: Statement) =>
    phrase.topics.every(topic => !entry.concepts.has(topic))
  if (mine.some(phrase => isAlone(phrase, b)) && theirs.some(phrase => isAlone(phrase, a))) return true
  return mine.some(phrase => theirs.some(against => isOtherThing(phrase, against, a, b)))
}

/** `in the loop`, `before the loop`: what is denied of the one is not of the other. */
function isOtherPlace(mine: readonly Phrase[], theirs: readonly Phrase[]): boolean {
  return mine.some(
    ({ topics, leadsIn }) =>
      leadsIn !== undefined &&
      theirs.some(
        against =>
          against.topics.at(-1) === topics.at(-1) &&
          against.leadsIn !== undefined &&
          against.leadsIn !== leadsIn &&
          (APART.has(leadsIn) || APART.has(against.leadsIn)) &&
          !(APART.has(leadsIn) && APART.has(against.leadsIn)),
      ),
  )
}

/** Before and after it, or outside of it, but not in it. */
const APART: ReadonlySet<string> = new Set(['before', 'after', 'outside'])

/** The names that are what differs. Other names say where: `tabs in Go`, `spaces in Python`. */
function namesIn(reason: ConflictReason, one: Clause, other: Clause, { isChange }: Cues): readonly string[] {
  if (reason.code === 'alternative') return reason.words
  return isChange ? inBoth(one.alternatives, other.alternatives) : []
}

function valuesOf(one: Clause, other: Clause, names: readonly string[]): ReadonlySet<string> {
  return new Set([
    ...names,
    ...inBoth(one.antonyms, other.antonyms),
    ...[...one.quantities, ...other.quantities].flatMap(({ dimension, written }) => [dimension, written]),
  ])
}

function inBoth(
  mine: ReadonlyMap<number, ReadonlySet<string>>,
  theirs: ReadonlyMap<number, ReadonlySet<string>>,
): string[] {
  return [...mine].flatMap(([line, names]) =>
    theirs.has(line) ? [...names, ...(theirs.get(line) ?? [])] : [],
  )
}

function phrasesWithout({ phrases }: Clause, values: ReadonlySet<string>): Phrase[] {
  return phrases
    .filter(({ isManner }) => !isManner)
    .map(phrase => ({ ...phrase, topics: phrase.topics.filter(topic => !values.has(topic)) }))
    .filter(({ topics }) => topics.length > 0)
}

function isOtherThing(one: Phrase, other: Phrase, a: Statement, b: Statement): boolean {
  const headOne = one.topics.at(-1)
  const headOther = other.topics.at(-1)
  const ownOne = one.topics.filter(topic => !b.concepts.has(topic))
  const ownOther = other.topics.filter(topic => !a.concepts.has(topic))
  if (ownOne.length === 0 || ownOther.length === 0) return false
  if (headOne === headOther) return true
  const sharesModifier = one.topics.slice(0, -1).some(topic => other.topics.slice(0, -1).includes(topic))
  return sharesModifier && ownOne.includes(headOne ?? '') && ownOther.includes(headOther ?? '')
}

/** The change is about what the older one says: a clause of each shares a good part, and neither has a scope of its own. */
function saysWhatChanged(a: Statement, b: Statement): boolean {
  if (isOtherClass(a, b)) return false
  return withoutAgreed(a, b).some(one =>
    withoutAgreed(b, a).some(other => {
      const shared = [...one.topics].filter(topic => other.topics.has(topic)).length
      const least = Math.min(one.topics.size, other.topics.size)
      return (
        shared > 0 &&
        shared / least >= CONFLICT.leastChanged &&
        !isOtherScope({
          one,
          other,
          a,
          b,
          values: valuesOf(one, other, inBoth(one.alternatives, other.alternatives)),
        })
      )
    }),
  )
}
