import { foldText, foldWord } from '../../text/fold.ts'
import { chunkParts } from '../../text/identifiers.ts'
import type { Language } from '../../text/language.ts'
import { voteLanguage } from '../../text/language-vote.ts'
import { stemWord } from '../../text/stem.ts'
import { stopWords } from '../../text/stop-words.ts'
import { scanChunks } from '../../text/words.ts'
import {
  ACTIONS,
  ALTERNATIVES,
  ANTONYMS,
  ENDINGS,
  GENERIC,
  IDIOMS,
  NEGATORS,
  SCOPES,
  SYNONYMS,
  VERBS,
} from './conflict-words.ts'
import { type Owner, readOwner } from './owner.ts'
import { amountOf, isClock, isMeasure, isMeasureName, type Quantity, readQuantities } from './quantities.ts'

/**
 * One entry's text, taken apart as far as a conflict needs it, without a grammar:
 *
 *   "Swagger pages of the partner gateway are disabled, a request needs a key."
 *
 *   clauses   [Swagger pages of the partner gateway are disabled]  negative
 *             [a request needs a key]                              positive
 *   phrases   {swagger page} {partner gateway} | {key}             runs of words that say what it is about
 */
export interface Statement {
  readonly clauses: readonly Clause[]
  /** Of every word with content. */
  readonly concepts: ReadonlySet<string>
  readonly telling: ReadonlySet<string>
  readonly topics: ReadonlySet<string>
  readonly scopes: ReadonlyMap<number, ReadonlySet<string>>
  /** Of which it is said: `in March 2024`, `until 2023`. Not what has begun and goes on: `since 2023`. */
  readonly years: ReadonlySet<string>
}

export interface Clause {
  /** Folded. */
  readonly text: string
  readonly isNegative: boolean
  /** It says that a thing is no more: `dropped`, `removed`. */
  readonly isEnding: boolean
  readonly concepts: ReadonlySet<string>
  /** Paths and dotted names with their parts, in order: `src/auth/session.ts` is about sessions. */
  readonly partsByName: ReadonlyMap<string, readonly string[]>
  /** Concepts of words by themselves: not parts of a path or dotted name. */
  readonly loose: ReadonlySet<string>
  readonly phrases: readonly Phrase[]
  /** Without words that any statement may have. */
  readonly telling: ReadonlySet<string>
  /** Of those, what is no part of an amount. */
  readonly said: ReadonlySet<string>
  /** What it is about: no verbs either. */
  readonly topics: ReadonlySet<string>
  readonly quantities: readonly Quantity[]
  /** Words with a capital inside a sentence. */
  readonly names: ReadonlySet<string>
  /** Named alternatives, by class. */
  readonly alternatives: ReadonlyMap<number, ReadonlySet<string>>
  /** Words that have an antonym, by its line. */
  readonly antonyms: ReadonlyMap<number, ReadonlySet<string>>
  readonly owner: Owner | undefined
  /** `back to front`: which way something goes. */
  readonly directions: readonly (readonly [from: string, to: string])[]
  /** `antonym line:side`, with negation counted in. */
  readonly poles: ReadonlySet<string>
}

export interface Phrase {
  /** The last is the head. */
  readonly topics: readonly string[]
  /** How or with what, not where or of what: says nothing about the scope. */
  readonly isManner: boolean
  /** What leads to it: `in`, `before`, `by`, …; undefined at the start of a clause or after a verb. */
  readonly leadsIn: string | undefined
  /** It begins the clause, no verb before it: what the clause is said of. */
  readonly isSubject: boolean
}

/** What is read of an entry: a statement stands at its beginning. */
export const READ_CHARACTERS = 1_000

const CLAUSE_BREAK = /[,;:.!?()\n–—]/
/** By language: `no`, `as` and `so` are other words in Portuguese. */
const BREAKING: Readonly<Record<Language, ReadonlySet<string>>> = {
  en: new Set('but because so while whereas unless if when since although though instead rather'.split(' ')),
  pt: new Set('mas porque pois enquanto quando embora instead'.split(' ')),
}
const CONTRASTED = /^(?:instead of|rather than)\b/
const YEAR =
  /(?<!\p{L})(?:in|during|until|till|before|em|durante|at[eé]|antes de) (?:\p{L}+ (?:(?:de|of) )?)?((?:19|20)\d\d)(?![\d.])/giu
const NUMBER_WITH_DOT = /^\d+\.\d/
const MANNER: Readonly<Record<Language, ReadonlySet<string>>> = {
  en: new Set('with through via by using as behind'.split(' ')),
  pt: new Set('com por como pelo pela via'.split(' ')),
}

interface Tables {
  readonly conceptByWord: ReadonlyMap<string, string>
  readonly conceptByStem: Readonly<Record<Language, ReadonlyMap<string, string>>>
  readonly negators: ReadonlySet<string>
  readonly polesByWord: ReadonlyMap<string, readonly string[]>
  readonly antonymByWord: ReadonlyMap<string, readonly number[]>
  readonly classByWord: ReadonlyMap<string, readonly number[]>
  readonly scopeByWord: ReadonlyMap<string, readonly number[]>
}

let made: Tables | undefined
function tables(): Tables {
  made ??= {
    conceptByWord: new Map(SYNONYMS.flatMap(group => group.map(word => [word, group[0] ?? word] as const))),
    conceptByStem: { en: conceptsByStem('en'), pt: conceptsByStem('pt') },
    negators: new Set(NEGATORS),
    polesByWord: numbered(
      ANTONYMS.flatMap(([one, other], line) => [
        ...one.map(word => [word, `${line}:0`] as const),
        ...other.map(word => [word, `${line}:1`] as const),
      ]),
    ),
    antonymByWord: numbered(
      ANTONYMS.flatMap((sides, line) => sides.flat().map(word => [word, line] as const)),
    ),
    classByWord: numbered(ALTERNATIVES.flatMap((group, line) => group.map(word => [word, line] as const))),
    scopeByWord: numbered(SCOPES.flatMap((group, line) => group.map(word => [word, line] as const))),
  }
  return made
}

function conceptsByStem(language: Language): Map<string, string> {
  return new Map(
    SYNONYMS.flatMap(group => group.map(word => [stemWord(word, language), group[0] ?? word] as const)),
  )
}

function numbered<Value>(pairs: readonly (readonly [string, Value])[]): Map<string, Value[]> {
  const byWord = new Map<string, Value[]>()
  for (const [word, value] of pairs) byWord.set(word, [...(byWord.get(word) ?? []), value])
  return byWord
}

interface Unit {
  readonly text: string
  readonly folded: string
  readonly role: 'negator' | 'break' | 'manner' | undefined
  readonly concept: string
  /** Of the parts of a name or path: `routes.yaml` is about routes. */
  readonly parts: readonly string[]
  readonly amount: number | undefined
  readonly isProper: boolean
  readonly isStop: boolean
  readonly gap: string
}

export type ReadStatement = (text: string, language: Language) => Statement

export function readStatement(text: string, language: Language): Statement {
  let plain = text.slice(0, READ_CHARACTERS)
  for (const [pattern, word] of IDIOMS) plain = plain.replace(pattern, word)
  const units = readUnits(plain, language)
  const clauses = splitClauses(units).map(readClause)
  return {
    clauses,
    concepts: new Set(units.filter(isContent).flatMap(conceptsOf)),
    telling: new Set(clauses.flatMap(({ telling }) => [...telling])),
    topics: new Set(clauses.flatMap(({ topics }) => [...topics])),
    scopes: classesOf(units, tables().scopeByWord),
    years: new Set([...plain.matchAll(YEAR)].map(([, year = '']) => year)),
  }
}

/** Of several texts at once: a short one alone has too few words to tell. */
export function languageOf(...texts: readonly string[]): Language {
  const folded = texts.flatMap(text =>
    scanChunks(text.slice(0, READ_CHARACTERS)).map(chunk => foldUnit(chunk.text)),
  )
  const votes = voteLanguage(folded)
  return votes.pt > votes.en ? 'pt' : 'en'
}

function readUnits(text: string, language: Language): Unit[] {
  const chunks = scanChunks(text)
  const stops = stopWords(language)
  let end = 0
  return chunks.map(chunk => {
    const gap = text.slice(end, chunk.start)
    end = chunk.start + chunk.text.length
    const word = foldUnit(chunk.text)
    const amount = amountOf(chunk.text, word)
    const isName = amount === undefined && /[._/\\]/.test(chunk.text)
    const parts = isName ? chunkParts(chunk.text).words.map(part => conceptOf(part, language)) : []
    // Inside a sentence a capital makes a name of any word: `in Go`.
    const isProper = /^[A-Z]/.test(chunk.text) && word.length > 1 && /^[ "'`(]+$/.test(gap)
    const isStop = (stops.has(word) && !isProper) || word.length < 2
    const isNegator = tables().negators.has(word) && !(language === 'pt' && word === 'no')
    const role = isNegator
      ? 'negator'
      : BREAKING[language].has(word)
        ? 'break'
        : MANNER[language].has(word)
          ? 'manner'
          : undefined
    return {
      text: chunk.text,
      folded: word,
      role,
      concept: conceptOf(word, language),
      parts,
      amount,
      isProper,
      isStop,
      gap,
    }
  })
}

/** The rules know concepts; a person reads the word that a text has for one. */
export function wordFor(concept: string, text: string, language: Language): string | undefined {
  return scanChunks(text.slice(0, READ_CHARACTERS)).find(
    chunk => conceptOf(foldUnit(chunk.text), language) === concept,
  )?.text
}

/** `don't` → dont, `ISO-8601` → iso, `snake_case` → snakecase; a hyphen between words stays. */
function foldUnit(chunk: string): string {
  const lower = foldText(chunk).replace(/['’]/g, '')
  if (isClock(lower)) return lower
  if (/^v?\d+(?:\.\d+)+$/.test(lower)) return lower.replace(/^v/, '')
  return lower
    .split('-')
    .map(foldWord)
    .filter((part, i) => i === 0 || !/^\d+$/.test(part))
    .join('-')
}

function conceptOf(word: string, language: Language): string {
  const known = tables().conceptByWord.get(word)
  if (known !== undefined) return known
  const stem = word
    .split('-')
    .map(part => stemWord(part, language))
    .join('-')
  return tables().conceptByStem[language].get(stem) ?? stem
}

function splitClauses(units: readonly Unit[]): Unit[][] {
  const clauses: Unit[][] = [[]]
  for (const unit of units) {
    const isBreak = CLAUSE_BREAK.test(unit.gap) || unit.role === 'break'
    if (isBreak) clauses.push([])
    clauses.at(-1)?.push(unit)
  }
  return clauses.filter(clause => clause.length > 0)
}

function readClause(units: readonly Unit[]): Clause {
  const { polesByWord } = tables()
  const text = units.map(({ folded }) => folded).join(' ')
  const isContrasted = CONTRASTED.test(text)
  const negations = units.filter(({ role }) => role === 'negator').length + (isContrasted ? 1 : 0)
  const isNegative = negations % 2 === 1
  const content = units.filter(unit => isContent(unit) && unit.role !== 'negator')
  const telling = content.filter(({ folded }) => !VERBS.has(folded) && !GENERIC.has(folded))
  const poles = units.flatMap(({ folded, role }) => {
    // A word that negates by itself is its own pole: only the others in the clause turn it around.
    const others = negations - (role === 'negator' ? 1 : 0)
    return (polesByWord.get(folded) ?? []).map(pole => (others % 2 === 1 ? opposite(pole) : pole))
  })
  const phrases = readPhrases(units)
  return {
    text,
    isNegative,
    isEnding: isNegative && units.some(({ folded }) => ENDINGS.has(folded)),
    concepts: new Set(content.flatMap(conceptsOf)),
    partsByName: new Map(
      content.filter(({ parts }) => parts.length > 0).map(({ concept, parts }) => [concept, parts]),
    ),
    loose: new Set(content.map(({ concept }) => concept)),
    telling: new Set(telling.flatMap(conceptsOf)),
    said: new Set(telling.filter(({ folded }) => !isMeasure(folded)).flatMap(conceptsOf)),
    phrases,
    topics: new Set(phrases.flatMap(({ topics }) => topics)),
    quantities: readQuantities(units),
    names: new Set(content.filter(({ isProper }) => isProper).map(({ concept }) => concept)),
    alternatives: classesOf(units, tables().classByWord),
    antonyms: classesOf(units, tables().antonymByWord),
    owner: readOwner(units.map(unit => ({ ...unit, isContent: isContent(unit) }))),
    directions: readDirections(units),
    poles: new Set(poles),
  }
}

function readDirections(units: readonly Unit[]): (readonly [string, string])[] {
  return units.flatMap((unit, i) => {
    const [to, end] = [units[i + 1], units[i + 2]]
    const isTowards = to !== undefined && (to.folded === 'to' || to.folded === 'para')
    return isTowards && end !== undefined && isContent(unit) && isContent(end)
      ? [[unit.concept, end.concept] as const]
      : []
  })
}

function conceptsOf({ concept, parts }: Unit): string[] {
  return [concept, ...parts]
}

/** A number is a value, but `3.11` is a name too. */
function isContent({ isStop, amount, folded }: Unit): boolean {
  return !isStop && (amount === undefined || NUMBER_WITH_DOT.test(folded))
}

export function opposite(pole: string): string {
  return pole.endsWith(':0') ? pole.replace(':0', ':1') : pole.replace(':1', ':0')
}

function readPhrases(units: readonly Unit[]): Phrase[] {
  const phrases: Phrase[] = []
  let topics: string[] = []
  let isManner = false
  let leadsIn: string | undefined
  let hasVerb = false
  const finish = () => {
    if (topics.length > 0) {
      const isSubject = phrases.length === 0 && !hasVerb && leadsIn === undefined
      phrases.push({ topics, isManner, leadsIn, isSubject })
      leadsIn = undefined
    }
    topics = []
  }
  for (const [i, unit] of units.entries()) {
    const next = units[i + 1]
    // In front of a noun a participle tells which: `signed build`.
    const isAttribute = isParticiple(unit) && next !== undefined && isTopic(next)
    const isOrder = i === 0 && next !== undefined && AFTER_ORDER.has(next.folded)
    // After an article it is a thing, not a deed: `the display`.
    const isNoun = ACTIONS.has(unit.folded) && ARTICLES.has(units[i - 1]?.folded ?? '') && isContent(unit)
    if ((isTopic(unit) || isAttribute || isNoun) && !isOrder) {
      topics.push(...unit.parts, unit.concept)
      continue
    }
    finish()
    const lead = LEADS.get(unit.folded)
    if (lead !== undefined) leadsIn = lead
    else if (!ARTICLES.has(unit.folded) && !unit.isStop) {
      hasVerb = true
      leadsIn = undefined
    } else if (PRONOUNS.has(unit.folded)) hasVerb = true
    if (unit.role === 'manner') isManner = true
    else if (unit.isStop && !ARTICLES.has(unit.folded)) isManner = false
  }
  finish()
  return phrases
}

/** Words that lead to a phrase, by what they say of it. */
const LEADS: ReadonlyMap<string, string> = new Map(
  [
    ['in', 'in into inside within during on at em no na nos nas dentro durante'],
    ['by', 'by with via through using por pelo pela pelos pelas com'],
    ['to', 'to towards para pra ao aos'],
    ['as', 'as como'],
    ['from', 'from'],
    ['before', 'before until antes ate'],
    ['after', 'after since depois apos'],
    ['outside', 'outside fora'],
  ].flatMap(([lead = '', list = '']) => list.split(' ').map(word => [word, lead] as const)),
)
const PRONOUNS = new Set('we you they i nos eles voce'.split(' '))
const ARTICLES = new Set('a an the our its their o os as um uma nosso nossa'.split(' '))
/** `Build with`, `Host the`: the first word is a verb. */
const AFTER_ORDER = new Set('the a an with our your all every each o os um uma com todo toda'.split(' '))
/** Participles say what is done, not to what: `created`, `returned`, `gravados`. */
const PARTICIPLE = /(?:[^e]ed|[ai]d[oa]s?)$/

function isTopic(unit: Unit): boolean {
  const { folded, concept } = unit
  if (unit.role === 'negator') return false
  if (unit.isProper) return isContent(unit)
  if (!isContent(unit) || VERBS.has(folded) || ACTIONS.has(folded) || GENERIC.has(folded)) return false
  return !(isMeasureName(folded) || isMeasureName(concept) || isParticiple(unit))
}

function isParticiple({ folded, isStop, role }: Unit): boolean {
  return !isStop && folded.length > 4 && PARTICIPLE.test(folded) && role !== 'negator'
}

function classesOf(
  units: readonly Unit[],
  classByWord: ReadonlyMap<string, readonly number[]>,
): Map<number, Set<string>> {
  const members = new Map<number, Set<string>>()
  for (const { folded, concept } of units) {
    const lines = classByWord.get(folded) ?? classByWord.get(concept) ?? []
    for (const line of lines) members.set(line, (members.get(line) ?? new Set()).add(concept))
  }
  return members
}
